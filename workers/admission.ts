import { EventEmitter, once } from 'node:events'
import type { Budget } from '../engine/read/execute/budget.js'
import type { ApiError } from '../engine/errors.js'
import { fail } from '../engine/errors.js'
import { tookTooLong } from '../engine/errors/database-errors.js'
import { createServiceTimes, costDecade, TurnQueue } from './turn-queue.js'
import type { QueueClient, CapacityNames, QueueCapacity } from './queue-capacity.js'
import { createQueueCapacity } from './queue-capacity.js'
import { monotonicNow } from '../engine/monotonic-now.js'
import type { Timeline } from '../engine/timeline.js'
import { inStage } from '../engine/timeline.js'

/** A request that needs a slot. */
export type AdmissionRequest = Budget &
  Readonly<{
    /** In the units of `ReadPlan.cost`. Cheaper requests are admitted first. */
    cost: number
    /**
     * Absent if the service itself makes the request, for example to read the response to a write. A request without a
     * client is never refused.
     */
    client?: QueueClient | undefined
    /** If the signal aborts, the request leaves the queue, and `enter` rejects with the signal's reason. */
    signal?: AbortSignal | undefined
    timeline?: Timeline | undefined
  }>

/** Frees the slot of a task that has ended. Further calls do nothing. */
export type Leave = () => void

/**
 * Runs a limited number of tasks at a time. Other requests wait; cheaper ones get a slot first. All queues of an
 * `Admission` share its limits.
 */
export type Queue = Readonly<{
  /**
   * Waits for a slot. Throws or rejects with a 503 and `Retry-After` if the queue is full or a slot would be free too
   * late.
   */
  enter: (request: AdmissionRequest) => Leave | Promise<Leave>
}>

/** A queue that can be paused. */
export type PausableQueue = Queue &
  Readonly<{
    /**
     * Pauses the queue. When all running tasks have ended, resolves to a function that resumes the queue; further calls
     * of it do nothing. New requests wait, within the usual limits. If `until` aborts before all tasks have ended,
     * resumes the queue and rejects with its reason.
     */
    hold: (until: AbortSignal) => Promise<() => void>
  }>

type QueueOptions = Readonly<{
  name: string
  slots: number
  /** Limit of waiting requests in this queue, in addition to the limits that all queues share. */
  maxWaiting?: CapacityNames & Readonly<{ limit: number }>
  /**
   * Whether requests of the service itself start even if no slot is free. By default, they wait at the front of the
   * queue.
   */
  overflows?: boolean
  /**
   * Whether a thread is starting, so that a task may wait for it and its elapsed time means nothing. Default: never.
   */
  isStarting?: () => boolean
}>

/** Measurements of a queue, for metrics. */
export type QueueFigures = Readonly<{
  name: string
  running: number
  waiting: number
  /** Numbers of requests since the process started. */
  admitted: number
  refused: number
  /** Requests that left the queue because their time had run out or their client had disconnected. */
  expired: number
  /** Longest wait of a request before it was refused, in milliseconds. */
  longestRefusedMs: number
}>

/** Decides which requests may wait for a slot, and for how long. */
export type Admission = Readonly<{
  queue: (options: QueueOptions) => PausableQueue
  figures: () => Readonly<{
    waiting: number
    waitingBytes: number
    queues: readonly QueueFigures[]
  }>
  /** Returns the delay of the event loop in milliseconds. */
  lateness: () => number
  /**
   * Refuses requests that have waited for at most 100 ms and are not expected to get a slot in time. Called
   * periodically.
   */
  review: () => void
}>

export type AdmissionOptions = Readonly<{
  /** Limits for all queues together: number of waiting requests, and bytes of memory that they use. */
  maxQueued: number
  maxQueuedBytes: number
  now?: () => number
  lateness?: () => number
}>

/** A request that has waited for more milliseconds is no longer refused because of an estimate. */
const maxRefusedMs = 100

const reviewMs = 50

/**
 * Creates an admission. It limits the number of waiting requests, their bytes, and the share of each address. It also
 * refuses requests that would get a slot too late, judging by the durations of similar tasks. Because this is only an
 * estimate, it can refuse a request on arrival and in the first 100 ms in the queue, but not later.
 */
export function createAdmission({
  maxQueued,
  maxQueuedBytes,
  now = monotonicNow,
  lateness = () => 0,
}: AdmissionOptions): Admission {
  const capacity = createQueueCapacity({ maxQueued, maxQueuedBytes })
  const queues: ReviewedQueue[] = []
  let timer: NodeJS.Timeout | undefined
  const review = (): void => queues.forEach((one) => one.review())
  const scheduleReview = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      review()
      if (capacity.count() > 0) scheduleReview()
    }, reviewMs).unref()
  }
  return {
    queue: (options) => {
      const queue = createQueue(options, { capacity, now, lateness, scheduleReview })
      queues.push(queue)
      return queue
    },
    figures: () => ({
      waiting: capacity.count(),
      waitingBytes: capacity.bytes(),
      queues: queues.map((one) => one.figures()),
    }),
    lateness,
    review,
  }
}

type ReviewedQueue = PausableQueue & Readonly<{ review: () => void; figures: () => QueueFigures }>

type QueueContext = Readonly<{
  capacity: QueueCapacity
  now: () => number
  lateness: () => number
  scheduleReview: () => void
}>

type Entry = Readonly<{
  request: AdmissionRequest
  /** The entry with the lowest rank is next. */
  rank: number
  since: number
  start: (leave: Leave) => void
  reject: (error: Error) => void
  /** Rejects the request with a 503. */
  evict: (why: string) => void
}>

type Running = Readonly<{ cost: number; since: number }>

function createQueue(
  { name, slots, maxWaiting, overflows = false, isStarting = () => false }: QueueOptions,
  { capacity, now, lateness, scheduleReview }: QueueContext,
): ReviewedQueue {
  const times = createServiceTimes()
  const capacities = [capacity]
  if (maxWaiting !== undefined) {
    const own = { maxQueued: maxWaiting.limit, maxQueuedBytes: Infinity, named: maxWaiting }
    capacities.unshift(createQueueCapacity(own))
  }
  const leaveCapacities = (entry: Entry): void => capacities.forEach((each) => each.leave(entry))
  const running = new Set<Running>()
  const queue = new TurnQueue<Entry>()
  const idle = new EventEmitter()
  let holds = 0
  const counts = { admitted: 0, refused: 0, expired: 0, longestRefusedMs: 0 }

  const begin = ({ cost, left, signal }: AdmissionRequest): Leave => {
    const task = { cost, since: now() }
    running.add(task)
    counts.admitted += 1
    return () => {
      if (!running.delete(task)) return
      const ms = now() - task.since
      const isCutOff = left() <= 0 || signal?.aborted === true
      // A task that was stopped early would have taken longer, so its duration is only recorded if it exceeds the
      // estimate.
      if (!isCutOff || ms > times.of(cost)) times.note(cost, ms)
      callNext()
      if (running.size === 0) idle.emit('idle')
    }
  }

  const hasFreeSlot = (): boolean => holds === 0 && running.size < slots

  const callNext = (): void => {
    while (hasFreeSlot()) {
      const next = queue.shift()
      if (next === undefined) return
      leaveCapacities(next)
      if (isTooLate(next.request)) expire(next)
      else next.start(begin(next.request))
    }
  }

  /**
   * Whether the remaining time of a request is at most half of what it needs. Then its slot should go to another
   * request.
   */
  const isTooLate = ({ cost, left }: AdmissionRequest): boolean => left() <= times.of(cost) / 2

  const remove = (entry: Entry): boolean => {
    const isWaiting = queue.remove(entry)
    if (isWaiting) leaveCapacities(entry)
    return isWaiting
  }

  const expire = ({ request, reject }: Entry): void => {
    counts.expired += 1
    reject(tookTooLong(request.timeoutMs))
  }

  const refusal = (why: string, waitMs: number, queuedMs = 0): ApiError => {
    counts.refused += 1
    counts.longestRefusedMs = Math.max(counts.longestRefusedMs, queuedMs)
    const seconds = Math.min(30, Math.max(1, Math.ceil(waitMs / 1000)))
    return fail('unavailable', why, {}, { 'Retry-After': String(seconds) })
  }

  /**
   * Estimates the duration of a task in milliseconds, as at least the delay of the event loop; 0 if no similar task was
   * measured.
   */
  const expected = (cost: number): number => times.of(cost) && Math.max(times.of(cost), lateness())

  /** Estimates after how many milliseconds the first request in the queue gets a slot. */
  const untilFree = (): number => {
    const at = now()
    const isUnmeasured = isStarting()
    let ms = 0
    for (const { cost, since } of running) {
      const elapsed = isUnmeasured ? 0 : at - since
      // Assumes that a task will run for at least as long as it has already run.
      ms += Math.max(expected(cost) - elapsed, elapsed)
    }
    return ms / slots
  }

  /**
   * Returns how many milliseconds a request may wait: half of its remaining time. If the event loop is delayed, less,
   * depending on the cost.
   */
  const maxWaitOf = ({ cost, left }: AdmissionRequest): number =>
    left() / 2 - lateness() * costDecade(cost)

  const waitFor = (request: AdmissionRequest): Promise<Leave> => {
    const rank = queue.rankOf(request, now())
    if (request.client !== undefined) {
      let waitMs = untilFree()
      for (const before of queue.before(rank)) waitMs += expected(before.request.cost) / slots
      if (waitMs > maxWaitOf(request)) throw refusal(tooBusy, waitMs)
      // While the queue is paused, at most half of the shared capacity may be filled.
      if (holds > 0 && capacity.isHalfTaken()) throw refusal(tooMany, waitMs)
      for (const each of capacities) {
        const full = each.refuses(request.client)
        if (full !== undefined) throw refusal(full, waitMs)
      }
    }
    const { signal } = request
    signal?.throwIfAborted()
    let onGone = (): void => undefined
    const turn = new Promise<Leave>((start, reject) => {
      const evict = (why: string): void => {
        if (remove(entry)) reject(refusal(why, 0))
      }
      const entry: Entry = { request, rank, since: now(), start, reject, evict }
      onGone = () => {
        if (!remove(entry)) return
        counts.expired += 1
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onGone, { once: true })
      queue.add(entry)
      for (const each of capacities) each.enter(entry)
      scheduleReview()
    }).finally(() => signal?.removeEventListener('abort', onGone))
    return inStage(request.timeline, 'wait', () => turn)
  }

  return {
    enter: (request) =>
      hasFreeSlot() || (overflows && request.client === undefined)
        ? begin(request)
        : waitFor(request),
    hold: async (until) => {
      until.throwIfAborted()
      holds += 1
      let isHeld = true
      const resume = (): void => {
        if (!isHeld) return
        isHeld = false
        holds -= 1
        callNext()
      }
      try {
        if (running.size > 0) await once(idle, 'idle', { signal: until })
        return resume
      } catch {
        resume()
        throw until.reason
      }
    },
    review: () => {
      const at = now()
      let waitMs = untilFree()
      for (const entry of [...queue.entries]) {
        const { request, since } = entry
        const isNew = at - since <= maxRefusedMs && request.client !== undefined
        if (request.left() <= 0) {
          if (remove(entry)) expire(entry)
        } else if (isNew && waitMs > maxWaitOf(request)) {
          if (remove(entry)) entry.reject(refusal(tooBusy, waitMs, at - since))
        } else waitMs += expected(request.cost) / slots
      }
    },
    figures: () => ({ name, running: running.size, waiting: queue.entries.length, ...counts }),
  }
}

const tooMany = 'Too many requests are waiting for a request that blocks them, such as an export'
const tooBusy = 'The service is too busy to handle the request in time (api.rest.queryTimeoutMs)'
