import type { Db } from 'mongodb'
import { BSON } from 'mongodb'
import { startBudget } from './read/run/budget.js'
import { adviseIndex } from './explain/advise-index.js'
import type { PopulateTree } from './explain/describe-populate.js'
import { describePopulate } from './explain/describe-populate.js'
import type { ExplainedPipeline } from './explain/explain-pipelines.js'
import { explainPipelines, recordReads } from './explain/explain-pipelines.js'
import { executeRead } from './read/run/execute-read.js'
import type { Meter } from './read/run/reader.js'
import { createReader } from './read/run/reader.js'
import type { FactsOf } from './read/cost/collection-facts.js'
import type { CostPart } from './read/cost/cost.js'
import { costParts } from './read/cost/cost.js'
import type { ReadPlan } from './read/plan/read-plan.js'
import type { RelationChoice } from './read/run/read-result.js'
import type { Registry } from './schema/registry.js'
import { collectionOf } from './schema/content-type.js'
import type { LaneName } from './read/cost/lane.js'
import { laneOf } from './read/cost/lane.js'

export type { Meter }

/** How a read is, or would be, executed: what `explain=true` answers instead of the data. */
export type Explanation = Readonly<{
  lane: LaneName
  /** Estimated work in units of 10 µs, and the setting from which a plan runs in the pool. */
  cost: number
  costThreshold: number
  /** What the cost is made of, dearest first. */
  parts: readonly CostPart[]
  total: 'none' | 'metadata' | 'count'
  /** How each relation of a filter or a sort was answered, and why. */
  relations: readonly Readonly<{
    through: string
    collection: string
    form: RelationChoice['form']
    why: string
  }>[]
  /** What is populated, as `populate` would name it; of deep populate, the tree that was made. */
  populate: PopulateTree
  pipelines: readonly Readonly<Record<string, unknown>>[]
}>

type Explaining = Readonly<{
  registry: Registry
  costThreshold: number
  /** What the plan's cost was reckoned with. */
  factsOf: FactsOf | undefined
  signal: AbortSignal | undefined
  /** Bounds what the read takes from the database; undefined = nothing is too much. */
  meter: Meter | undefined
}>

/**
 * Runs a plan on this thread and tells of it. The pipelines are those that were run: a populated level
 * is asked for by the references that the level above it holds.
 */
export async function explainRead(
  plan: ReadPlan,
  db: Db,
  mode: 'plan' | 'execution',
  { registry, costThreshold, factsOf, signal, meter }: Explaining,
): Promise<Explanation> {
  const budget = startBudget(plan.timeoutMs)
  const { reader, reads } = recordReads(createReader(db, budget, { signal, meter }))
  const { choices } = await executeRead(plan, reader)
  const bounds = { budget, signal }
  const pipelines = await explainPipelines(db, reads, mode === 'execution', bounds)
  return {
    lane: laneOf(plan.cost, costThreshold),
    cost: Math.round(plan.cost),
    costThreshold,
    parts: costParts(plan, factsOf),
    total: plan.pagination?.total ?? 'none',
    relations: choices.map((choice) => ({
      through: choice.through,
      collection: choice.collection,
      form: choice.form,
      why: reasonOf(choice),
    })),
    populate: describePopulate(plan.node),
    pipelines: pipelines.map((pipeline) => describe(pipeline, registry)),
  }
}

function reasonOf({ purpose, keys, maxKeys }: RelationChoice): string {
  if (maxKeys === null && keys === null) return 'each draft that may be modified is compared'
  if (maxKeys === null) return `${keys} found among those that the page refers to`
  const use = {
    filter: 'asked for by name',
    sort: 'put in order beforehand',
    group: 'read beforehand',
  }[purpose]
  return `${keys ?? `more than ${maxKeys}`} found; up to ${maxKeys} are ${use}`
}

function describe(explained: ExplainedPipeline, registry: Registry): Record<string, unknown> {
  const {
    purpose,
    collection,
    pipeline,
    natural,
    rows,
    milliseconds,
    stages,
    indexes,
    statistics,
  } = explained
  const advice = adviceFor(explained, registry)
  return {
    purpose,
    collection,
    rows,
    milliseconds,
    stages,
    indexes,
    ...(natural === true ? { hint: { $natural: 1 } } : {}),
    ...(advice === null ? {} : { advice }),
    // BSON values (`$date`, `$numberDecimal`) as MongoDB's tools write them.
    pipeline: BSON.EJSON.serialize(pipeline, { relaxed: true }),
    ...(statistics === null
      ? {}
      : { statistics: BSON.EJSON.serialize(statistics, { relaxed: true }) }),
  }
}

function adviceFor(explained: ExplainedPipeline, registry: Registry): string | null {
  const type = [...registry.contentTypes.values()].find(
    (candidate) =>
      collectionOf(candidate, 'published') === explained.collection ||
      collectionOf(candidate, 'draft') === explained.collection,
  )
  return type === undefined ? null : adviseIndex(type, explained)
}
