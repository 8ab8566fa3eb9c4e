import type { Db } from 'mongodb'
import { BSON } from 'mongodb'
import { startBudget } from './read/execute/budget.js'
import { adviseIndex } from './explain/advise-index.js'
import { summarizePlan, type PlanSummary } from './explain/summarize-plan.js'
import type { ExplainedPipeline } from './explain/explain-pipelines.js'
import { explainPipelines, recordReads } from './explain/explain-pipelines.js'
import { executeRead } from './read/execute/execute-read.js'
import type { Meter } from './read/execute/reader.js'
import { createReader } from './read/execute/reader.js'
import type { FactsOf } from './read/cost/collection-facts.js'
import { costParts } from './read/cost/cost.js'
import type { ReadPlan } from './read/plan/read-plan.js'
import type { RelationChoice } from './read/compile/read-result.js'
import { typeOfCollection, type Registry } from './schema/registry.js'

export type { Meter }

/** The response to `explain=true`: how the read was executed. */
export type Explanation = Pick<PlanSummary, 'lane' | 'cost' | 'parts' | 'total' | 'populate'> &
  Readonly<{
    /** Plans with at least this cost run in the worker pool. */
    costThreshold: number
    /** How each relation in a filter or a sort was resolved, and the reason. */
    relations: readonly (Pick<RelationChoice, 'through' | 'collection' | 'form'> &
      Readonly<{ why: string }>)[]
    pipelines: readonly Readonly<Record<string, unknown>>[]
  }>

type Explaining = Readonly<{
  registry: Registry
  costThreshold: number
  /** Facts about collections, for the estimate of the plan's cost. */
  factsOf: FactsOf | undefined
  signal: AbortSignal | undefined
  /** Limits the documents and bytes read from the database; default: no limit. */
  meter: Meter | undefined
}>

/**
 * Runs a plan on this thread and explains its pipelines. The plan has to run, because the pipelines of a populated
 * level contain references that the level above returned.
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
  const { lane, cost, total, populate } = summarizePlan(plan, costThreshold, factsOf)
  return {
    lane,
    cost,
    costThreshold,
    parts: costParts(plan, factsOf),
    total,
    relations: choices.map((choice) => {
      const { through, collection, form } = choice
      return { through, collection, form, why: reasonOf(choice) }
    }),
    populate,
    pipelines: pipelines.map((pipeline) => describe(pipeline, registry)),
  }
}

function reasonOf({ purpose, keys, maxKeys }: RelationChoice): string {
  if (maxKeys === null && keys === null) return 'compares each draft that may be modified'
  if (maxKeys === null) return `${keys} found among those that the page refers to`
  const use = {
    filter: 'asked for by name',
    sort: 'put in order beforehand',
    group: 'read beforehand',
  }[purpose]
  return `${keys ?? `more than ${maxKeys}`} found; up to ${maxKeys} are ${use}`
}

function describe(explained: ExplainedPipeline, registry: Registry): Record<string, unknown> {
  const { pipeline, natural, statistics, ...rest } = explained
  const type = typeOfCollection(registry, explained.collection)
  const advice = type && adviseIndex(type, explained)
  return {
    ...rest,
    hint: natural && { $natural: 1 },
    ...(advice === undefined ? {} : { advice }),
    pipeline: asJson(pipeline),
    statistics: statistics && asJson(statistics),
  }
}

/** Converts BSON values to MongoDB's Extended JSON (`$date`, `$numberDecimal`). */
const asJson = (value: object): unknown => BSON.EJSON.serialize(value, { relaxed: true })
