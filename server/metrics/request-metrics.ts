import type { CommandObserver } from '../../engine/database/sent-commands.js'
import { isSlow } from '../http/observe/slow-requests.js'
import type { RequestObserver } from '../http/observe/watch-requests.js'
import { createCount, createDurations, type Count, type Durations } from './tally.js'
import type { TalliedName } from './metrics-table.js'

/** Counts and durations of requests and database commands. */
export type RequestMetrics = ReturnType<typeof createRequestMetrics>

/**
 * Number of requests or commands that are collected and then counted together. Counting each one immediately takes
 * several times as long, because code that runs only every half millisecond drops out of the processor's caches.
 */
const inRow = 64

/** Methods that are counted by name. Others count as `other`, because clients may send any text as a method. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Creates the metrics that are counted when a request or a database command ends.
 * @param slowMs setting `log.slowRequestMs`; 0: no request counts as slow
 */
export function createRequestMetrics(slowMs: number) {
  const requests = createCount()
  const aborted = createCount()
  const slow = createCount()
  const failures = createCount()
  const requestDurations = createDurations()
  const stageDurations = createDurations()
  const commandDurations = createDurations()
  const countRequest: RequestObserver = (seen) => {
    const { method: sentMethod, route, status, isComplete, from, to, timeline } = seen
    const method = methods.has(sentMethod) ? sentMethod : 'other'
    const { pattern, type = '' } = route ?? { pattern: 'unmatched' }
    if (isComplete) requests.add(method, pattern, type, String(status))
    else aborted.add()
    requestDurations.add((to - from) / 1000, method, pattern)
    for (const stage of timeline.stages)
      stageDurations.add((Math.min(stage.to ?? to, to) - stage.from) / 1000, stage.name)
    if (slowMs > 0 && isSlow(seen, slowMs)) slow.add()
  }
  const countCommand: CommandObserver = ({ kind, from, to = from, failed }) => {
    commandDurations.add((to - from) / 1000, kind)
    if (failed) failures.add(kind)
  }
  const rowOfRequests = inRows(countRequest)
  const rowOfCommands = inRows(countCommand)
  return {
    counts: new Map<TalliedName, Count>([
      ['quire_http_requests_total', requests],
      ['quire_http_requests_aborted_total', aborted],
      ['quire_slow_requests_total', slow],
      ['quire_mongodb_command_failures_total', failures],
    ]),
    durations: new Map<TalliedName, Durations>([
      ['quire_http_request_duration_seconds', requestDurations],
      ['quire_request_stage_duration_seconds', stageDurations],
      ['quire_mongodb_command_duration_seconds', commandDurations],
    ]),
    onRequest: rowOfRequests.note,
    onCommand: rowOfCommands.note,
    /** Counts the requests and commands collected so far. Call this before reading counts. */
    catchUp: (): void => {
      rowOfRequests.catchUp()
      rowOfCommands.catchUp()
    },
  }
}

function inRows<T>(count: (noted: T) => void) {
  let noted: T[] = []
  const catchUp = () => {
    const row = noted
    noted = []
    for (const each of row) count(each)
  }
  return {
    note: (each: T): void => {
      if (noted.push(each) >= inRow) catchUp()
    },
    catchUp,
  }
}
