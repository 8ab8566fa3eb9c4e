import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import type { Finding } from '../../../engine/repair.js'
import { removeReferencesTo, repairContent } from '../../../engine/repair.js'
import { collectionsOf } from '../../../engine/schema/content-type.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { inlineExecutor } from '../../../workers/executor.js'
import { testDatabaseUri } from '../../support/database.js'
import { lookingUp, storeRandomWorld } from '../read/execute/naive/agree.js'
import { library } from '../read/execute/naive/library.js'
import { askEngine, questions } from '../read/execute/naive/question.js'
import { runs } from '../../support/properties.js'

describe('references to deleted documents', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = await new MongoClient(await testDatabaseUri()).connect()
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  const uids = ['author', 'topic', 'shelf', 'book'].map((name) => `api::${name}.${name}`)
  const deleteSome = async () => {
    const deleted = []
    for (const uid of uids) {
      const collections = collectionsOf(typeOf(library, uid))
      const [first] = await db
        .collection(collections[0] ?? '')
        .find({}, { sort: { documentId: 1 } })
        .toArray()
      const documentId = first?.['documentId'] as string
      for (const name of collections) await db.collection(name).deleteMany({ documentId })
      deleted.push({ uid, documentId, lists: [], deleted: true as const })
    }
    return deleted
  }
  const countReferencesTo = async (documentIds: readonly string[]) => {
    const found: Finding[] = []
    const report = (finding: Finding) => void found.push(finding)
    await repairContent({ db, registry: library, repairs: false, found: report })
    return found.filter(
      ({ kind, documentId }) => kind === 'missing-target' && documentIds.includes(documentId),
    ).length
  }

  for (const seed of [11, 12, 13])
    it(`have no effect on any response before they are removed (seed ${seed})`, async () => {
      await storeRandomWorld(db, library, seed)
      const deleted = await deleteSome()
      const ids = deleted.map(({ documentId }) => documentId)
      expect(await countReferencesTo(ids)).to.be.greaterThan(0)
      const sampled = fc.sample(questions(library), { seed, numRuns: runs(80) })
      const executor = inlineExecutor(db)
      const ask = async () => {
        const answers = []
        for (const question of sampled) {
          answers.push(await askEngine(library, executor, question))
          answers.push(await askEngine(library, lookingUp(executor), question))
        }
        return answers
      }
      const before = await ask()
      await removeReferencesTo({ db, registry: library }, deleted)
      expect(await countReferencesTo(ids)).to.equal(0)
      expect(await ask()).to.deep.equal(before)
    })

  it('are kept if their target still exists', async () => {
    await storeRandomWorld(db, library, 11)
    const before = await db.collection('books').find({}).sort({ _id: 1 }).toArray()
    const [some] = await db.collection('authors').find({}).toArray()
    const documentId = some?.['documentId'] as string
    const uid = 'api::author.author'
    const affected = [{ uid, documentId, lists: [], deleted: true as const }]
    await removeReferencesTo({ db, registry: library }, affected)
    expect(await db.collection('books').find({}).sort({ _id: 1 }).toArray()).to.deep.equal(before)
  })
})
