import { hash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { ClientSession, Db } from 'mongodb'
import { isSnapshotGone, snapshotGone } from '../engine/errors/database-errors.js'
import { executeRead } from '../engine/read/execute/execute-read.js'
import { createReader } from '../engine/read/execute/reader.js'
import { tooManyEntries } from '../engine/read/execute/execute-populate.js'
import type { ReadAnswer } from '../engine/read/execute/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { ReadResult } from '../engine/read/compile/read-result.js'
import { revisionOf } from '../engine/read/stored/stored-fields.js'
import { shownDocuments } from '../engine/read/answer/shown-documents.js'
import { shapeRead } from '../engine/read/answer/shape-read.js'
import type { Timeline } from '../engine/timeline.js'
import { inStage, inStageNow } from '../engine/timeline.js'
import type { Budget } from '../engine/read/execute/budget.js'
import type { ReadMeter } from './meter.js'
import { BeyondInline, createMeter } from './meter.js'

export type RunOptions = Readonly<{
  budget: Budget
  signal?: AbortSignal | undefined
  total?: number | undefined
  /** If the measured cost exceeds this limit, `BeyondInline` is thrown. Default: no limit. */
  maxCost?: number | undefined
  /** The requested document as BSON, if a write has just stored it, so that it is not read. */
  written?: Uint8Array | undefined
  timeline?: Timeline | undefined
}>

/** Compiles, executes and serializes a plan. Returns null if the requested document does not exist. */
export async function runRead(
  plan: ReadPlan,
  db: Db,
  options: RunOptions,
): Promise<ReadAnswer | null> {
  // All commands of a populated level listen to the signal at once. Node would warn about more than ten listeners.
  if (options.signal !== undefined) setMaxListeners(0, options.signal)
  return plan.snapshot === true
    ? inSnapshot(db, (session) => readOnce(plan, db, options, session))
    : readOnce(plan, db, options)
}

/** If the database no longer has the snapshot, repeats the read in a newer one. */
async function inSnapshot<T>(db: Db, read: (session: ClientSession) => Promise<T>): Promise<T> {
  const readAsOfNow = (): Promise<T> => db.client.withSession({ snapshot: true }, read)
  try {
    return await readAsOfNow().catch((error: unknown) => {
      if (isSnapshotGone(error)) return readAsOfNow()
      throw error
    })
  } catch (error) {
    throw isSnapshotGone(error) ? snapshotGone() : error
  }
}

async function readOnce(
  plan: ReadPlan,
  db: Db,
  { budget, signal, total, maxCost, written, timeline }: RunOptions,
  session?: ClientSession,
): Promise<ReadAnswer | null> {
  const meter = createMeter(plan, maxCost)
  const reader = createReader(db, budget, {
    signal,
    meter,
    fromPrimary: plan.fromPrimary,
    session,
    timeline,
  })
  let counted = total
  const onTotal = (found: number): void => void (counted = found)
  try {
    const result = await inStage(timeline, 'execute', () =>
      executeRead(plan, reader, { total, onTotal, page: pageOf(written) }),
    )
    return inStageNow(timeline, 'shape', () => answerOf(plan, result, meter))
  } catch (error) {
    if (error instanceof BeyondInline) error.total = counted
    throw error
  }
}

function answerOf(plan: ReadPlan, result: ReadResult, meter: ReadMeter): ReadAnswer | null {
  const tooMany = (relation: string): Error => tooManyEntries(relation, plan.maxPopulatedEntries)
  const { shownUpTo } = plan
  const awaited = new Set<string>()
  const bytes = shapeRead(plan, result, {
    tooMany,
    ...meter.answer(),
    awaited: shownUpTo === undefined ? undefined : ({ link }) => awaited.add(link.collection),
  })
  if (bytes === null) return null
  const [first] = result.documents
  const revision = plan.answer === 'one' && first !== undefined ? revisionOf(first) : null
  const shown = shownUpTo === undefined ? {} : { shown: shownDocuments(result, shownUpTo, awaited) }
  return { bytes, revision, hash: hash('sha1', bytes, 'base64url'), total: result.total, ...shown }
}

const pageOf = (written: Uint8Array | undefined): readonly Buffer[] | undefined =>
  written === undefined
    ? undefined
    : [Buffer.from(written.buffer, written.byteOffset, written.byteLength)]
