import { expect } from 'chai'
import { folderForEach } from '../../support/temporary-folder.js'
import { startKillable } from './killable-import.js'

describe('an import of a Strapi 3 that is killed', function () {
  this.timeout(180_000)
  const makeFolder = folderForEach()

  it('leaves, repeated, what one leaves that was not killed', async () => {
    const open = await startKillable(makeFolder)
    const whole = await open()
    expect((await whole.finish()).code).to.equal(0)
    const expected = await whole.result()
    expect(expected).to.include.keys('articles', 'articles.draft', '_legacyIds', 'users')
    const cut = await open()
    expect(await cut.killIn('content', 20)).to.be.true
    expect(await cut.stage()).to.equal('content')
    expect((await cut.finish()).code).to.equal(0)
    expect(await cut.result()).to.deep.equal(expected)
  })
})
