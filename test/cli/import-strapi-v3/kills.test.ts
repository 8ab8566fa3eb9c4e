import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { openGround } from '../import-strapi/killed-import.js'
import { sampleDocuments, sampleFolder, storeAll } from './sample.js'

describe('an import of a Strapi 3 that is killed', function () {
  this.timeout(180_000)
  const makeFolder = folderForEach()

  it('leaves, repeated, what one leaves that was not killed', async () => {
    const old = await testDatabaseUri()
    const sample = new Map(sampleDocuments())
    // No two hashes of one text are alike.
    sample.set(
      'articles',
      (sample.get('articles') ?? []).map(({ secret: _, ...article }) => article),
    )
    await storeAll(old, sample)
    const args = ['import-strapi-v3', old, '--uploads', `${sampleFolder}/uploads`]
    const whole = await openGround(await makeFolder({}), args)
    expect((await whole.finish()).code).to.equal(0)
    const expected = await whole.result()
    expect(expected).to.include.keys('articles', 'articles.draft', '_legacyIds', 'users')
    for (const [stage, command] of [
      ['staging', 5],
      ['content', 20],
      ['media', 2],
    ] as const) {
      const cut = await openGround(await makeFolder({}), args)
      expect(await cut.killIn(stage, command), `killed in ${stage}`).to.be.true
      expect(await cut.stage()).to.equal(stage)
      expect((await cut.finish()).code).to.equal(0)
      expect(await cut.result(), `killed in ${stage}`).to.deep.equal(expected)
    }
  })
})
