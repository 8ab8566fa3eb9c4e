import { hash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { startBudget } from '../../engine/read/execute/budget.js'
import { explainRead } from '../../engine/explain.js'
import type { ReadAnswer, ReadPlan } from '../../engine/read.js'
import type { ReadRequest } from './documents.js'
import type { DocumentsParts } from './documents-parts.js'

/** Handles `explain`: waits for a slot, then returns the query plan instead of the data. */
export function explainPlan(
  parts: DocumentsParts,
  plan: ReadPlan,
  mode: 'plan' | 'execution',
  { signal, client, timeline }: ReadRequest,
): Promise<ReadAnswer> {
  const { timeoutMs, cost } = plan
  const run = (): Promise<ReadAnswer> => explainNow(parts, plan, mode, signal)
  const options = { cost, ...(client?.budget ?? startBudget(timeoutMs)), client, signal, timeline }
  return parts.inTurn === undefined ? run() : parts.inTurn(options, run)
}

async function explainNow(
  { db, registry, settings, factsOf, meterOf }: DocumentsParts,
  plan: ReadPlan,
  mode: 'plan' | 'execution',
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const costThreshold = settings['pool.costThreshold']
  // Each command of the read adds a listener to the signal; Node would warn about more than ten.
  if (signal !== undefined) setMaxListeners(0, signal)
  const data = await explainRead(plan, db, mode, {
    registry: registry(),
    costThreshold,
    factsOf,
    signal,
    meter: meterOf?.(plan),
  })
  const bytes = new TextEncoder().encode(JSON.stringify({ data, meta: {} }))
  return { bytes, revision: null, hash: hash('sha1', bytes, 'base64url'), total: null }
}
