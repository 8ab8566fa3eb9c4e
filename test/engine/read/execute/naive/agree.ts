import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import type { Executor } from '../../../../../engine/read.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { inlineExecutor } from '../../../../../workers/executor.js'
import { drawSchema } from './draw-schema.js'
import { drawWorld } from './draw-world.js'
import { drawn } from './draw.js'
import { storeWorld } from './engine-world.js'
import type { Question } from './question.js'
import { askArrays, askEngine, questions } from './question.js'
import type { World } from './world.js'

type Runs = Readonly<{ seed: number; numRuns: number }>

/** Compares the engine with the naive evaluator on random questions. Throws at the first difference. */
export async function assertAgreement(db: Db, registry: Registry, runs: Runs): Promise<void> {
  const world = await storeRandomWorld(db, registry, runs.seed)
  const executor = inlineExecutor(db)
  const property = fc.asyncProperty(questions(registry), async (question) => {
    await compare(world, executor, question)
    await compare(world, lookingUp(executor), question)
    // Use a new executor, whose cache is empty: with a cached total, only the page would be read.
    await compare(world, together(inlineExecutor(db)), question)
    if (question.query.sort !== undefined) await compare(world, walking(executor), question)
  })
  await fc.assert(property, runs)
}

const none = { listed: 0, populated: 0 }

/** Returns an executor that looks up every relation of a filter or a sort, even with few targets. */
export function lookingUp(executor: Executor): Executor {
  return {
    ...executor,
    run: (plan, options) => executor.run({ ...plan, maxKeys: none, maxRanked: none }, options),
  }
}

/** Returns an executor that reads a page and its total in one command, without indexes. */
export function together(executor: Executor): Executor {
  const shortcuts = { together: true, natural: { page: true, total: true } } as const
  return {
    ...executor,
    run: (plan, options) => {
      const isCounted = plan.pagination?.total === 'count'
      const { natural } = shortcuts
      return executor.run({ ...plan, shortcuts: isCounted ? shortcuts : { natural } }, options)
    },
  }
}

/** Returns an executor that reads target by target, if that gives the requested order. */
export function walking(executor: Executor): Executor {
  const shortcuts = { byTarget: true } as const
  return { ...executor, run: (plan, options) => executor.run({ ...plan, shortcuts }, options) }
}

/** Returns a random content model. The same seed gives the same model. */
export const randomSchema = (seed: number): Registry => one(drawn(drawSchema), seed)

/** Replaces the content of the database with random data. The same seed gives the same data. */
export async function storeRandomWorld(db: Db, registry: Registry, seed: number): Promise<World> {
  const world = one(
    drawn((draw) => drawWorld(draw, registry)),
    seed,
  )
  await storeWorld(db, world)
  return world
}

function one<T>(values: fc.Arbitrary<T>, seed: number): T {
  const [value] = fc.sample(values, { seed, numRuns: 1 })
  return value as T
}

/** Compares the responses of the engine and of the naive evaluator to one question. */
export async function compare(world: World, executor: Executor, question: Question): Promise<void> {
  const text = await askEngine(world.registry, executor, question)
  const expected = askArrays(world, question)
  if (text === expected) return
  // Compare objects first, because their difference is easier to read than that of texts.
  expect(JSON.parse(text ?? 'null')).to.deep.equal(JSON.parse(expected ?? 'null'))
  expect(text).to.equal(expected)
}
