import type { Logger } from 'pino'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import type { SentCommand, StageName, Timeline } from '../../../engine/timeline.js'
import { stageTimes, type RequestObserver, type SeenRequest } from './watch-requests.js'

export type SlowRequestOptions = Readonly<{
  log: Logger
  /** The setting `log.slowRequestMs`. */
  slowMs: number
  /** Maximum number of log lines per minute. The default is about as many as a person can read. */
  perMinute?: number
  /** Summarizes the plan of a read, without values from the request. */
  sketch: (plan: object) => object
  now?: () => number
}>

/** Maximum number of database commands to log for one request. The longest ones are logged. */
const maxCommands = 10

/**
 * Logs each request that takes longer than `slowMs`, with the duration of each stage. Omits the query string and filter
 * values, which may be personal data. After `perMinute` lines in a minute, slow requests are only counted, so that
 * logging does not slow requests down. The next line contains their number.
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

/** Stages whose duration depends on the client or on the size of the uploaded files. */
const ofClient: ReadonlySet<StageName> = new Set(['receive', 'files', 'send'])

/**
 * Returns whether a request took longer than `slowMs`, not counting time that depends on the client. Compares the total
 * time first, because that suffices for most requests.
 */
export const isSlow = (seen: SeenRequest, slowMs: number): boolean =>
  seen.to - seen.from > slowMs && ownMs(seen) > slowMs

/** Returns the duration of a request in milliseconds, without the stages in `ofClient`. */
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
