import type { Budget } from '../engine/read/run/budget.js'
import type { ApiError } from '../engine/errors.js'
import { fail } from '../engine/errors.js'
import { tookTooLong } from '../engine/errors/database-errors.js'
import { createHolds } from './holds.js'
import { createServiceTimes, priceClass } from './service-times.js'
import { TurnQueue } from './turn-queue.js'
import type { Asker, RoomNames, WaitingRoom } from './waiting-room.js'
import { createWaitingRoom } from './waiting-room.js'
import { steadyNow } from '../engine/steady-now.js'
import type { Timeline } from '../engine/timeline.js'

/** One request for a place. */
export type Asked = Budget &
  Readonly<{
    /** In the unit of a plan's cost; cheap ones go first. */
    cost: number
    /** Absent: the service itself, for what was let in before, such as the answer of a write. It is never refused. */
    asker?: Asker | undefined
    /** Leaves the line when it is aborted: `enter` rejects with its reason. */
    signal?: AbortSignal | undefined
    /** Told how long it waited. */
    timeline?: Timeline | undefined
  }>

/** To be called when what had the place is done; calls after the first do nothing. */
export type Leave = () => void

/** So many tasks run at a time; the others wait, cheap ones first, within the bounds of the admission. */
export type Line = Readonly<{
  /**
   * The place, at once where there is one, or when its turn comes.
   * Throws, or rejects with, 503 and `Retry-After` where a bound is reached or its turn cannot come in time.
   */
  enter: (asked: Asked) => Leave | Promise<Leave>
}>

/** A line that can be held. */
export type HoldableLine = Line &
  Readonly<{
    /**
     * Lets nothing begin any more, and resolves when what was under way has ended; what is asked for meanwhile waits,
     * as long as it would for others. What is returned lets it go on; calls after the first do nothing.
     * Rejects with the reason of `until`, when that is aborted before: then all goes on.
     */
    hold: (until: AbortSignal) => Promise<() => void>
  }>

type LineOptions = Readonly<{
  name: string
  /** How many run at a time. */
  places: number
  /** How many of all waiting requests may wait here; default: no limit of its own. */
  maxWaiting?: RoomNames & Readonly<{ limit: number }>
  /** Whether what has no asker runs beside the others instead of going before them; default false. */
  overflows?: boolean
  /**
   * Whether what has a place may still be waiting for what runs it: how long it has had the place then tells
   * nothing of how long it takes. Default: never.
   */
  isStarting?: () => boolean
}>

/** What a line did and does, counted by the line itself. */
export type LineFigures = Readonly<{
  name: string
  running: number
  waiting: number
  /** Since the start. */
  admitted: number
  refused: number
  /** Left before their turn came: their time was over, or their client gone. */
  expired: number
  /** Longest wait of a request that an estimate refused, in milliseconds. */
  longestRefusedMs: number
}>

/** Who may wait, and for how long: one set of bounds for all lines. */
export type Admission = Readonly<{
  line: (options: LineOptions) => HoldableLine
  figures: () => Readonly<{ waiting: number; waitingBytes: number; lines: readonly LineFigures[] }>
  /** How late the event loop is, in milliseconds. */
  lateness: () => number
  /** Refuses whose turn will not come after all, if they have just begun to wait. Called while something waits. */
  review: () => void
}>

export type AdmissionOptions = Readonly<{
  /** Of all lines together. */
  maxQueued: number
  maxQueuedBytes: number
  now?: () => number
  lateness?: () => number
}>

/** An estimate refuses no request that has waited for longer, in milliseconds. */
const maxRefusedMs = 100

/** How often what waits is looked after, in milliseconds. */
const reviewMs = 50

/**
 * Bounds what waits for its turn: in number, in bytes, and by address. A request is refused when it comes, if by
 * estimate its turn comes too late. The estimate adds up the measured times of tasks like those before it; tasks that
 * were never measured do not count. As it may be wrong, a request may still be refused in its first 100 ms. Later it
 * keeps its place.
 */
export function createAdmission({
  maxQueued,
  maxQueuedBytes,
  now = steadyNow,
  lateness = () => 0,
}: AdmissionOptions): Admission {
  const room = createWaitingRoom({ maxQueued, maxQueuedBytes })
  const lines: OpenLine[] = []
  let timer: NodeJS.Timeout | undefined
  const review = (): void => {
    for (const line of lines) line.review()
  }
  const lookAfter = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      review()
      if (room.count() > 0) lookAfter()
    }, reviewMs).unref()
  }
  return {
    line: (options) => {
      const line = openLine(options, { room, now, lateness, lookAfter })
      lines.push(line)
      return line
    },
    figures: () => ({
      waiting: room.count(),
      waitingBytes: room.bytes(),
      lines: lines.map((line) => line.figures()),
    }),
    lateness,
    review,
  }
}

type OpenLine = HoldableLine & Readonly<{ review: () => void; figures: () => LineFigures }>

type Around = Readonly<{
  room: WaitingRoom
  now: () => number
  lateness: () => number
  lookAfter: () => void
}>

type Entry = Readonly<{
  asked: Asked
  /** By which the entry has its turn: the least is next. */
  rank: number
  since: number
  start: (leave: Leave) => void
  reject: (error: Error) => void
}>

type Running = Readonly<{ cost: number; since: number }>

function openLine(
  { name, places, maxWaiting, overflows = false, isStarting = () => false }: LineOptions,
  { room, now, lateness, lookAfter }: Around,
): OpenLine {
  const times = createServiceTimes()
  const rooms = [room]
  if (maxWaiting !== undefined) {
    const own = { maxQueued: maxWaiting.limit, maxQueuedBytes: Infinity, named: maxWaiting }
    rooms.unshift(createWaitingRoom(own))
  }
  const leaveRooms = (entry: Entry): void => {
    for (const each of rooms) each.leave(entry)
  }
  const running = new Set<Running>()
  const queue = new TurnQueue<Entry>()
  const counts = { admitted: 0, refused: 0, expired: 0, longestRefusedMs: 0 }

  const begin = ({ cost, left, signal }: Asked): Leave => {
    const task = { cost, since: now() }
    running.add(task)
    counts.admitted += 1
    return () => {
      if (!running.delete(task)) return
      const ms = now() - task.since
      const isCutOff = left() <= 0 || signal?.aborted === true
      // What was cut off would have taken longer; where it says no more than that, it says nothing.
      if (!isCutOff || ms > times.of(cost)) times.note(cost, ms)
      callNext()
      if (running.size === 0) holds.becameIdle()
    }
  }

  const hasPlace = (): boolean => !holds.isHeld() && running.size < places

  const callNext = (): void => {
    while (hasPlace()) {
      const next = queue.shift()
      if (next === undefined) return
      leaveRooms(next)
      if (isTooLate(next.asked)) expire(next)
      else next.start(begin(next.asked))
    }
  }

  const holds = createHolds({ isIdle: () => running.size === 0, goOn: callNext })

  /** Whether it could not be done in what is left of its time, or hardly: the others need the place. */
  const isTooLate = ({ cost, left }: Asked): boolean => left() <= times.of(cost) / 2

  const remove = (entry: Entry): boolean => {
    const isWaiting = queue.remove(entry)
    if (isWaiting) leaveRooms(entry)
    return isWaiting
  }

  const expire = ({ asked, reject }: Entry): void => {
    counts.expired += 1
    reject(tookTooLong(asked.timeoutMs))
  }

  const refusal = (why: string, waitMs: number, queuedMs = 0): ApiError => {
    counts.refused += 1
    counts.longestRefusedMs = Math.max(counts.longestRefusedMs, queuedMs)
    const seconds = Math.min(30, Math.max(1, Math.ceil(waitMs / 1000)))
    return fail('unavailable', why, {}, { 'Retry-After': String(seconds) })
  }

  /** Estimates the milliseconds of a task, 0 if unknown. No task takes less time than the event loop is late. */
  const expected = (cost: number): number => times.of(cost) && Math.max(times.of(cost), lateness())

  /** Milliseconds until a place is free for the first that waits. */
  const untilFree = (): number => {
    const at = now()
    const isUntold = isStarting()
    let ms = 0
    for (const { cost, since } of running) {
      const elapsed = isUntold ? 0 : at - since
      // What has run for long is likely to run for as long again.
      ms += Math.max(expected(cost) - elapsed, elapsed)
    }
    return ms / places
  }

  /** How long it may stand in line: half of its time, and dear ones less where the event loop is late. */
  const patienceOf = ({ cost, left }: Asked): number => left() / 2 - lateness() * priceClass(cost)

  const waitFor = (asked: Asked): Promise<Leave> => {
    const rank = queue.rankOf(asked, now())
    if (asked.asker !== undefined) {
      let waitMs = untilFree()
      for (const before of queue.before(rank)) waitMs += expected(before.asked.cost) / places
      if (waitMs > patienceOf(asked)) throw refusal(tooBusy, waitMs)
      // The other half is for those who wait for a place in other lines.
      if (holds.isHeld() && room.isHalfTaken()) throw refusal(tooMany, waitMs)
      for (const each of rooms) {
        const full = each.refuses(asked.asker)
        if (full !== undefined) throw refusal(full, waitMs)
      }
    }
    asked.signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const { signal } = asked
      const settled = (): void => signal?.removeEventListener('abort', onGone)
      const entry: Entry = {
        asked,
        rank,
        since: now(),
        start: (leave) => {
          settled()
          resolve(leave)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      }
      const onGone = (): void => {
        if (!remove(entry)) return
        counts.expired += 1
        entry.reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onGone, { once: true })
      queue.add(entry)
      for (const each of rooms)
        each.enter(entry, asked.asker, (why) => {
          if (remove(entry)) entry.reject(refusal(why, 0))
        })
      lookAfter()
    })
  }

  return {
    enter: (asked) =>
      hasPlace() || (overflows && asked.asker === undefined) ? begin(asked) : waitFor(asked),
    hold: holds.hold,
    review: () => {
      const at = now()
      let waitMs = untilFree()
      for (const entry of [...queue.entries]) {
        const { asked, since } = entry
        const isNew = at - since <= maxRefusedMs && asked.asker !== undefined
        if (asked.left() <= 0) {
          if (remove(entry)) expire(entry)
        } else if (isNew && waitMs > patienceOf(asked)) {
          if (remove(entry)) entry.reject(refusal(tooBusy, waitMs, at - since))
        } else waitMs += expected(asked.cost) / places
      }
    },
    figures: () => ({ name, running: running.size, waiting: queue.entries.length, ...counts }),
  }
}

const tooMany = 'Too many requests are waiting for one that holds them up'
const tooBusy =
  'The service is too busy to answer the request within its time (api.rest.queryTimeoutMs)'
