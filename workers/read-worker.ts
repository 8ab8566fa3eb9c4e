import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { startBudget } from '../engine/read/execute/budget.js'
import { createClient } from '../engine/database/client.js'
import { servedClock } from '../engine/database/watch-servers.js'
import { ApiError, fail } from '../engine/errors.js'
import type { ReadReply, ReadTask, WorkerSetup } from './messages.js'
import { createTimeline } from '../engine/timeline.js'
import { runRead } from './run-read.js'

// Each thread has its own client, because a client decodes in its thread, and decoding is most of the work.
const { uri } = workerData as WorkerSetup
const client = createClient(uri, {
  // The embedded engine recognizes workers by this name, and gives priority to short reads of the main thread.
  appName: 'quire worker',
  maxPoolSize: 4,
})

/** Called by Piscina. Returns the response as bytes that are transferred, or an error as plain data. */
export default async function readInWorker(task: ReadTask): Promise<ReadReply> {
  const { plan, total, leftMs, isTimed, waiting } = task
  const timeline = isTimed ? createTimeline() : undefined
  const budget = startBudget(plan.timeoutMs, servedClock(client), leftMs)
  const stop = new AbortController()
  const { signal } = stop
  waiting.once('close', () => stop.abort())
  try {
    const answer = await runRead(plan, client.db(), { total, budget, signal, timeline })
    if (answer === null) return { kind: 'none', timeline }
    return moved({ kind: 'answer', ...answer, timeline }, answer.bytes)
  } catch (error) {
    return { kind: 'error', error: describe(error), timeline }
  } finally {
    waiting.close()
  }
}

/** Lets Piscina transfer the bytes of a reply instead of copying them. */
function moved(reply: ReadReply, bytes: Uint8Array): ReadReply {
  const transferable = { [transferableSymbol]: [bytes.buffer], [valueSymbol]: reply }
  return move(transferable) as unknown as ReadReply
}

function describe(error: unknown): ReturnType<ApiError['toMessage']> {
  return (error instanceof ApiError ? error : fail('internal')).toMessage()
}
