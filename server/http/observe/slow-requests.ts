import type { Logger } from 'pino'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import type { SentCommand, StageName, Timeline } from '../../../engine/timeline.js'
import { stageTimes, type RequestObserver, type SeenRequest } from './watch-requests.js'

export type SlowRequestOptions = Readonly<{
  log: Logger
  slowMs: number
  perMinute?: number
  /** Summarizes the plan of a read, without values from the request. */
  sketch: (plan: object) => object
  now?: () => number
}>

/** Maximum number of database commands to log for one request; the longest are logged. */
const maxCommands = 10

/**
 * Logs requests that take longer than `slowMs`, without query string and filter values, which may be personal data.
 * After `perMinute` lines in a minute, only counts them; the next line reports the count.
 */
export function logSlowRequests({
  log,
  slowMs,
  perMinute = 20,
  sketch,
  now = monotonicNow,
}: SlowRequestOptions): RequestObserver {
  let minuteBegan = -Infinity
  let logged = 0
  let untold = 0
  return (seen) => {
    if (!isSlow(seen, slowMs)) return
    const ms = ownMs(seen)
    if (now() - minuteBegan >= 60_000) {
      minuteBegan = now()
      logged = 0
    }
    if (logged >= perMinute) {
      untold += 1
      return
    }
    logged += 1
    const { id, traceId, method, path, route, status, timeline } = seen
    const { plan } = timeline
    log.warn(
      {
        event: 'slow-request',
        reqId: id,
        req: { method, path },
        res: { status },
        traceId,
        route: route?.pattern,
        milliseconds: Math.round(ms),
        stages: Object.fromEntries(
          [...stageTimes(timeline.stages, seen.to)].map(([name, took]) => [name, rounded(took)]),
        ),
        ...commandsOf(timeline, seen.to),
        plan: plan && sketch(plan),
        untold: untold || undefined,
      },
      `${method} ${path} took ${Math.round(ms)} ms`,
    )
    untold = 0
  }
}

/** Stages whose duration depends on the client or on the size of uploaded files. */
const ofClient: ReadonlySet<StageName> = new Set(['receive', 'files', 'send'])

/**
 * Returns whether a request took longer than `slowMs`, not counting the time that depends on the client. Compares the
 * total time first, because most requests are fast anyway.
 */
export const isSlow = (seen: SeenRequest, slowMs: number): boolean =>
  seen.to - seen.from > slowMs && ownMs(seen) > slowMs

function ownMs({ from, to, timeline }: SeenRequest): number {
  let ms = to - from
  for (const stage of timeline.stages)
    if (ofClient.has(stage.name)) ms -= (stage.to ?? to) - stage.from
  return ms
}

function commandsOf({ commands, moreCommands }: Timeline, over: number): object {
  const msOf = ({ from, to = over }: SentCommand): number => to - from
  const longest = commands.toSorted((one, other) => msOf(other) - msOf(one)).slice(0, maxCommands)
  return {
    commandCount: commands.length + moreCommands,
    commands: longest.map((command) => ({
      kind: command.kind,
      collection: command.collection,
      ms: rounded(msOf(command)),
      unanswered: command.to === undefined || undefined,
      failed: command.failed || undefined,
    })),
  }
}

const rounded = (ms: number): number => Number(ms.toFixed(1))
