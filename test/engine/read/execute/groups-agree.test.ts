import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { collectionsOf } from '../../../../engine/read/plan/collections-read.js'
import type { Executor } from '../../../../engine/read.js'
import type { ContentType } from '../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../engine/schema/registry.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import { testDatabaseUri } from '../../../support/database.js'
import { addCollections } from './named-collections.js'
import { lookingUp, randomSchema, storeRandomWorld } from './naive/agree.js'
import { drawGroupQuery } from './naive/draw-groups.js'
import { contentTypesOf } from './naive/draw-world.js'
import { drawn } from './naive/draw.js'
import { planFor, readText } from './naive/engine-world.js'
import type { Group, GroupQuery } from './naive/groups.js'
import { answerGroups } from './naive/groups.js'
import { library } from './naive/library.js'
import type { World } from './naive/world.js'
import { runs } from '../../../support/properties.js'

type Question = Readonly<{ type: ContentType; query: GroupQuery }>
type Result = Readonly<{ data: readonly Group[]; meta: object }>

const questions = (registry: Registry): fc.Arbitrary<Question> =>
  drawn((draw) => {
    const type = draw.pick(contentTypesOf(registry))
    return { type, query: drawGroupQuery(draw, registry, type) }
  })

describe('aggregation', () => {
  let client: MongoClient
  let db: Db
  const read = new Set<string>()
  before(async () => {
    client = new MongoClient(await testDatabaseUri(), { monitorCommands: true })
    client.on('commandStarted', ({ command, commandName }) =>
      addCollections({ ...command, collection: command[commandName] as unknown }, read),
    )
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  const assertGroups = async (registry: Registry, runs: { seed: number; numRuns: number }) => {
    const world = await storeRandomWorld(db, registry, runs.seed)
    const property = fc.asyncProperty(questions(registry), async ({ type, query }) => {
      const expected = answerGroups(world, type, query)
      const executor = inlineExecutor(db)
      same(await ask(world, executor, type, query), expected)
      same(await ask(world, lookingUp(executor), type, query), expected)
    })
    await fc.assert(property, runs)
  }

  for (const seed of [1, 2, 3]) {
    it(`returns the same as the naive in-memory implementation (seed ${seed})`, () =>
      assertGroups(library, { seed, numRuns: runs(200) }))
    it(`returns the same as it for a random content model (seed ${seed})`, () =>
      assertGroups(randomSchema(seed), { seed, numRuns: runs(100) }))
  }

  it('reads only the collections that its plan names', async () => {
    const world = await storeRandomWorld(db, library, 6)
    const property = fc.asyncProperty(questions(library), async ({ type, query }) => {
      const plan = planFor(library, type, query, { of: 'groups' }, undefined, 'groups')
      read.clear()
      await ask(world, inlineExecutor(db), type, query)
      const planned = collectionsOf(plan)
      expect([...read].filter((collection) => !planned.has(collection))).to.deep.equal([])
    })
    await fc.assert(property, { seed: 6, numRuns: runs(100) })
  })
})

async function ask(
  { registry }: World,
  executor: Executor,
  type: ContentType,
  query: GroupQuery,
): Promise<Result> {
  const text = await readText(registry, executor, type, query, { of: 'groups' }, 'groups')
  return JSON.parse(text ?? 'null') as Result
}

/** Rounds sums and averages, because their last digits may differ. */
function same(result: Result, expected: Result): void {
  expect(rounded(result)).to.deep.equal(rounded(expected))
}

function rounded({ data, meta }: Result): unknown {
  const round = (values: Readonly<Record<string, unknown>> | undefined): unknown =>
    values &&
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, digits(value)]))
  return {
    meta,
    data: data.map((group) => ({ ...group, sum: round(group.sum), avg: round(group.avg) })),
  }
}

/**
 * Rounds a number to nine digits. Rounds numbers near zero to six decimals, because values that cancel out can leave a
 * tiny remainder.
 */
function digits(value: unknown): unknown {
  if (typeof value !== 'number') return value
  return Math.abs(value) < 1e-3 ? Math.round(value * 1e6) / 1e6 : Number(value.toPrecision(9))
}
