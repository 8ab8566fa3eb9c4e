import { expect } from 'chai'
import { folderForEach } from '../../support/temporary-folder.js'
import { startKillable } from './killable-import.js'

describe('killed import of Strapi 3', function () {
  this.timeout(180_000)
  const makeFolder = folderForEach()

  it('has the same result as an uninterrupted import when repeated', async () => {
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
