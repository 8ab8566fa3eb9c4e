import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { collectionsOf } from '../../../../engine/read/plan/collections-read.js'
import type {
  Condition,
  NodePlan,
  EdgePlan,
  ReadPlan,
  SortKey,
} from '../../../../engine/read/plan/read-plan.js'
import {
  inlineExecutor,
  inlineRunner,
  createExecutor,
  pooledRunner,
} from '../../../../workers/executor.js'
import { createAdmission } from '../../../../workers/admission.js'
import { createPool } from '../../../../workers/pool.js'
import { testDatabaseUri } from '../../../support/database.js'
import { assertAgreement, randomSchema, storeRandomWorld, together } from './naive/agree.js'
import { addCollections } from './named-collections.js'
import { library } from './naive/library.js'
import { askEngine, planOf, questions } from './naive/question.js'
import { runs } from '../../../support/properties.js'

describe('list or document read', () => {
  let uri: string
  let client: MongoClient
  let db: Db
  let commands = 0
  const read = new Set<string>()
  before(async () => {
    uri = await testDatabaseUri()
    client = new MongoClient(uri, { monitorCommands: true })
    client.on('commandStarted', ({ command, commandName }) => {
      commands += 1
      addCollections({ ...command, collection: command[commandName] as unknown }, read)
    })
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  for (const seed of [1, 2, 3]) {
    it(`returns the same as the naive in-memory implementation (seed ${seed})`, () =>
      assertAgreement(db, library, { seed, numRuns: runs(200) }))
    it(`returns the same as it for a random content model (seed ${seed})`, () =>
      assertAgreement(db, randomSchema(seed), { seed, numRuns: runs(100) }))
  }

  it('sends no more commands than its plan needs', async () => {
    await storeRandomWorld(db, library, 4)
    const counted = fc.asyncProperty(questions(library), async (question) => {
      const plan = planOf(library, question)
      commands = 0
      await askEngine(library, inlineExecutor(db), question)
      expect(commands).to.be.at.most(commandsOf(plan))
      commands = 0
      await askEngine(library, together(inlineExecutor(db)), question)
      expect(commands).to.be.at.most(commandsOf(plan))
    })
    await fc.assert(counted, { seed: 4, numRuns: runs(100) })
  })

  it('reads only the collections that its plan names', async () => {
    await storeRandomWorld(db, library, 6)
    const named = fc.asyncProperty(questions(library), async (question) => {
      const plan = planOf(library, question)
      read.clear()
      await askEngine(library, inlineExecutor(db), question)
      const planned = collectionsOf(plan)
      expect([...read].filter((collection) => !planned.has(collection))).to.deep.equal([])
    })
    await fc.assert(named, { seed: 6, numRuns: runs(300) })
  })

  it('returns the same bytes from the worker pool', async () => {
    await storeRandomWorld(db, library, 5)
    const pool = createPool({
      ...{ uri, threads: 1, queueLimit: 10 },
      admission: createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 }),
    })
    try {
      const inline = inlineExecutor(db)
      const pooled = createExecutor({
        inline: inlineRunner(db),
        pooled: pooledRunner(pool),
        costThreshold: 0,
      })
      const same = fc.asyncProperty(questions(library), async (question) => {
        const text = await askEngine(library, pooled, question)
        expect(text).to.equal(await askEngine(library, inline, question))
      })
      await fc.assert(same, { seed: 5, numRuns: runs(40) })
    } finally {
      await pool.destroy()
    }
  })
})

/**
 * Returns the maximum number of database commands for a read: one for the page, one for its total, one per populated
 * relation, one per relation in a sort, and two per relation in a filter.
 */
function commandsOf({ match, sort, node, pagination }: ReadPlan): number {
  const total = pagination?.total === 'count' ? 1 : 0
  return 1 + total + relationsOf(match) * 2 + linksOf(sort) + edgesOf(node)
}

const linksOf = (sort: readonly SortKey[]): number =>
  sort.flatMap(({ through }) => through).filter(({ kind }) => kind === 'link').length

function edgesOf(node: NodePlan): number {
  return node.members.reduce((sum, member) => {
    switch (member.kind) {
      case 'field':
        return sum
      case 'component':
        return sum + edgesOf(member.node) + 2 * relationsOf(member.filter)
      case 'zone':
        return Object.values(member.components).reduce(
          (inner, { node, filter }) => inner + edgesOf(node) + 2 * relationsOf(filter),
          sum,
        )
      case 'morph':
        return Object.values(member.edges).reduce((inner, edge) => inner + edgeCommands(edge), sum)
      case 'edge':
        return sum + edgeCommands(member)
    }
  }, 0)
}

function edgeCommands({ node, match, sort }: EdgePlan): number {
  return 1 + edgesOf(node) + 2 * relationsOf(match) + linksOf(sort)
}

function relationsOf(condition: Condition | null): number {
  if (condition === null) return 0
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return condition.of.reduce((sum, member) => sum + relationsOf(member), 0)
    case 'test':
      return 0
    case 'element':
      return relationsOf(condition.of)
    // Takes one command, although the caller allows two, as for a relation.
    case 'modified':
      return 1
    case 'related':
      return 1 + relationsOf(condition.of)
  }
}
