import type { Logger } from 'pino'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import type { SentCommand, StageName, Timeline } from '../../../engine/timeline.js'
import { stageTimes, type RequestObserver, type SeenRequest } from './watch-requests.js'

export type SlowRequestOptions = Readonly<{
  log: Logger
  /** `log.slowRequestMs`. */
  slowMs: number
  /** Maximum number of lines per minute. Default: as many as a person reads. */
  perMinute?: number
  /** Summarizes the plan of a read, without the request's values. */
  sketch: (plan: object) => object
  now?: () => number
}>

/** Maximum number of commands of a request that are logged individually. The longest ones are chosen. */
const maxCommands = 10

/**
 * Logs each request that takes longer than `slowMs`, with the time of each stage. The line has no query string and no
 * filter values, which may be personal data. Beyond `perMinute` lines, only the number of omitted lines is logged, so
 * that logging does not slow requests down.
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

/** Stages whose duration depends on the client or on the size of its files. */
const ofClient: ReadonlySet<StageName> = new Set(['receive', 'files', 'send'])

/**
 * Returns whether a request took longer than `slowMs`, not counting the time that depends on its client. The total is
 * compared first, because most requests are short.
 */
export const isSlow = (seen: SeenRequest, slowMs: number): boolean =>
  seen.to - seen.from > slowMs && ownMs(seen) > slowMs

/** Returns the duration of a request in milliseconds, without the stages that depend on its client. */
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
