import type { Db } from 'mongodb'
import { BSON } from 'mongodb'
import { adviseIndex } from './advise-index.js'
import type { ExplainedPipeline } from './execute/explain-pipelines.js'
import { explainPipelines, recordReads } from './execute/explain-pipelines.js'
import { executeRead } from './execute/execute-read.js'
import { createReader } from './execute/reader.js'
import type { ReadPlan } from './plan/read-plan.js'
import type { Registry } from './schema/registry.js'
import { collectionOf } from './schema/content-type.js'

/** How a read is, or would be, executed: what `explain=true` answers instead of the data. */
export type Explanation = Readonly<{
  lane: 'inline' | 'pool'
  /** Estimated entries touched, and the setting from which a plan runs in the pool. */
  cost: number
  costThreshold: number
  total: 'none' | 'metadata' | 'count'
  pipelines: readonly Readonly<Record<string, unknown>>[]
}>

/**
 * Runs a plan on this thread and tells of it. The pipelines are those that were run: a populated level
 * is asked for by the references that the level above it holds.
 */
export async function explainRead(
  plan: ReadPlan,
  db: Db,
  registry: Registry,
  mode: 'plan' | 'execution',
  costThreshold: number,
  signal?: AbortSignal,
): Promise<Explanation> {
  const { reader, reads } = recordReads(createReader(db, plan.timeoutMs, { signal }))
  await executeRead(plan, reader)
  const pipelines = await explainPipelines(db, reads, mode === 'execution')
  return {
    lane: plan.cost < costThreshold ? 'inline' : 'pool',
    cost: plan.cost,
    costThreshold,
    total: plan.pagination?.total ?? 'none',
    pipelines: pipelines.map((pipeline) => describe(pipeline, registry)),
  }
}

function describe(explained: ExplainedPipeline, registry: Registry): Record<string, unknown> {
  const { pipeline, statistics, ...rest } = explained
  const advice = adviceFor(explained, registry)
  return {
    ...rest,
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
