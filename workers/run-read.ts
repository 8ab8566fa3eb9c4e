import { hash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Db } from 'mongodb'
import { executeRead } from '../engine/execute/execute-read.js'
import { createReader } from '../engine/execute/reader.js'
import { tooManyEntries } from '../engine/execute/execute-populate.js'
import type { ReadPlan } from '../engine/plan/read-plan.js'
import { revisionOf } from '../engine/stored/fields.js'
import { shapeRead } from '../engine/shape/shape-read.js'
import type { Budget } from './budget.js'

/** What an answer is made of; the same shape as the engine's `ReadAnswer`. */
export type RunAnswer = Readonly<{
  bytes: Uint8Array
  revision: number | null
  hash: string
  /** The list's total; null where it was not asked for. */
  total: number | null
}>

export type RunOptions = Readonly<{
  budget: Budget
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** The list's total, where it is known already. */
  total?: number | undefined
  /** The one document that is asked for, as it was stored just now. */
  written?: Uint8Array | undefined
}>

/**
 * compile → execute → shape → bytes: the part of a read that grows with its answer. The same function
 * runs on the main thread and in workers, so both lanes give the same bytes. Null: no such document.
 */
export async function runRead(
  plan: ReadPlan,
  db: Db,
  { budget, signal, total, written }: RunOptions,
): Promise<RunAnswer | null> {
  // Each command of a populated level listens, and there may be many.
  if (signal !== undefined) setMaxListeners(0, signal)
  const reader = createReader(db, budget.timeoutMs, { signal, deadline: budget.deadline })
  const result = await executeRead(plan, reader, { total, page: pageOf(written) })
  const bytes = shapeRead(plan, result, (relation) =>
    tooManyEntries(relation, plan.maxPopulatedEntries),
  )
  if (bytes === null) return null
  const [first] = result.documents
  const revision = plan.answer === 'one' && first !== undefined ? revisionOf(first) : null
  return { bytes, revision, hash: hash('sha1', bytes, 'base64url'), total: result.total }
}

const pageOf = (written: Uint8Array | undefined): readonly Buffer[] | undefined =>
  written === undefined
    ? undefined
    : [Buffer.from(written.buffer, written.byteOffset, written.byteLength)]
