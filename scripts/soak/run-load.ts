import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Sends a request to the next service. Rejects if the answer has none of these statuses. */
export type Ask = (
  kind: string,
  statuses: readonly number[],
  path: string,
  init?: RequestInit,
) => Promise<Readonly<{ status: number; headers: Headers; text: string }>>

/** What a client does, in one request or several; it leaves nothing behind. */
export type Story = (ask: Ask) => Promise<unknown>

/** A service gives itself less time than this. */
const timeoutMs = 60_000
/** A worker waits no longer for its turn. */
const maxPauseMs = 500

export const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

/**
 * Runs stories of the mix, `concurrency` at a time, so that `rate` requests are sent a second.
 * @param mix stories, each as often as it is to run beside the others
 */
export function startLoad(
  urls: readonly string[],
  mix: readonly Story[],
  { concurrency, rate }: Readonly<{ concurrency: number; rate: number }>,
) {
  let times = createHistogram()
  let kinds: Record<string, number> = {}
  let errors: string[] = []
  let sent = 0
  let due = performance.now()
  let isOver = false

  const ask: Ask = async (kind, statuses, path, init) => {
    const begun = performance.now()
    // Requests that could not be sent in time are not sent in a burst later on.
    due = Math.max(due + 1000 / rate, begun - maxPauseMs)
    const url = `${urls[sent++ % urls.length]}${path}`
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
      const { status, headers } = answer
      const text = await answer.text()
      if (!statuses.includes(status)) throw new Error(`${status} ${text.slice(0, 300)}`)
      times.record(Math.max(1, Math.round((performance.now() - begun) * 1000)))
      kinds[kind] = (kinds[kind] ?? 0) + 1
      return { status, headers, text }
    } catch (cause) {
      throw new Error(`${kind}: ${init?.method ?? 'GET'} ${url}: ${String(cause)}`, { cause })
    }
  }
  const work = async (): Promise<void> => {
    while (!isOver) {
      const restMs = due - performance.now()
      // Not all workers at once.
      if (restMs > 0) await sleep(Math.min(restMs, maxPauseMs) * (0.5 + Math.random()))
      else
        await any(mix)(ask).catch(
          (error) => void errors.push(`${new Date().toISOString()} ${String(error)}`),
        )
    }
  }
  const over = Promise.all(Array.from({ length: concurrency }, work))
  return {
    /** What came since it was called last. */
    take: () => {
      const [p50, p99] = [times.percentile(50) / 1000, times.percentile(99) / 1000]
      const taken = { requests: times.count, errors, p50, p99, kinds }
      ;[times, kinds, errors] = [createHistogram(), {}, []]
      return taken
    },
    /** Resolves when the stories that have begun are over. */
    end: async () => {
      isOver = true
      await over
    },
  }
}
