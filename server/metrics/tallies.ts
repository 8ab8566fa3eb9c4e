import type { CommandObserver } from '../../engine/database/sent-commands.js'
import { ownMs } from '../http/slow-requests.js'
import type { RequestObserver } from '../http/watch-requests.js'
import { createCount, createDurations, type Count, type Durations } from './tally.js'
import type { TalliedName } from './metrics-table.js'

/** What is counted while requests and commands are answered. */
export type Tallies = Readonly<{
  counts: ReadonlyMap<TalliedName, Count>
  durations: ReadonlyMap<TalliedName, Durations>
  onRequest: RequestObserver
  onCommand: CommandObserver
}>

/** Any text can be sent as a method. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** @param slowMs `log.slowRequestMs`; 0 = none is slow */
export function createTallies(slowMs: number): Tallies {
  const requests = createCount()
  const aborted = createCount()
  const slow = createCount()
  const failures = createCount()
  const requestDurations = createDurations()
  const stageDurations = createDurations()
  const commandDurations = createDurations()
  return {
    counts: new Map([
      ['quire_http_requests_total', requests],
      ['quire_http_requests_aborted_total', aborted],
      ['quire_slow_requests_total', slow],
      ['quire_mongodb_command_failures_total', failures],
    ]),
    durations: new Map([
      ['quire_http_request_duration_seconds', requestDurations],
      ['quire_request_stage_duration_seconds', stageDurations],
      ['quire_mongodb_command_duration_seconds', commandDurations],
    ]),
    onRequest: (seen) => {
      const { method: asked, route, status, isComplete, from, to, timeline } = seen
      const method = methods.has(asked) ? asked : 'other'
      const { pattern, type = '' } = route ?? { pattern: 'unmatched' }
      if (isComplete) requests.add(method, pattern, type, String(status))
      else aborted.add()
      requestDurations.add((to - from) / 1000, method, pattern)
      for (const stage of timeline.stages)
        stageDurations.add(((stage.to ?? to) - stage.from) / 1000, stage.name)
      if (slowMs > 0 && ownMs(seen) > slowMs) slow.add()
    },
    onCommand: ({ kind, from, to = from, failed }) => {
      commandDurations.add((to - from) / 1000, kind)
      if (failed) failures.add(kind)
    },
  }
}
