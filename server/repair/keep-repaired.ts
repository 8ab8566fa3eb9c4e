import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { withLease } from '../../engine/database/with-lease.js'
import { removeReferencesTo } from '../../engine/repair.js'
import type { Registry } from '../../engine/schema/registry.js'
import { finishDeletes } from './finish-deletes.js'
import type { Lost, Presence } from './presence.js'
import type { RunOptions } from './run-repair.js'
import { explainFinding, runRepair, TooManyFindings } from './run-repair.js'
import type { Noted, UnderwayWrites } from './underway-writes.js'
import { findNoted, forgetNoted } from './underway-writes.js'
import { ownCommand } from '../settings/own-command.js'

export type Repairer = Readonly<{
  /** Interrupts a running repair. The rest is left to another process or the next start. */
  stop: () => Promise<void>
  figures: () => RepairFigures
}>

type RepairFigures = Readonly<{
  isRunning: boolean
  /** Repaired findings since the start, by kind. */
  found: ReadonlyMap<string, number>
  /** How often a repair failed. */
  failures: number
}>

export type RepairParts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  /** Heartbeat of this process. */
  presence: Presence
  /** Journal of this process's writes. */
  writes: UnderwayWrites
  /** How long after the end of a write another one may still take steps that it planned before, in milliseconds. */
  lingerMs: number
  /** Whether no other process can use this database. */
  alone: boolean
  /** How long a stopping process checks its own journal, in milliseconds; default 2,000. */
  lastLookMs?: number
  /** Interval of checks in milliseconds; default 1,000. */
  everyMs?: number
  /** Called after content was changed. */
  changed: () => void
  /** Called when a repair takes the registry. Returns what to call when the repair has ended. */
  knowing?: (() => () => void) | undefined
  /** Called when a process over this database was found that ended without a graceful shutdown. */
  interrupted?: (() => void) | undefined
}>

/** Fewer writes than this are in flight at once. More findings have another cause, which a person should see. */
const maxFindings = 1_000
/** Journal entries beyond which a stopping process leaves the work to the next start. */
const maxLastNotes = 1_000
const usualEveryMs = 1_000
const afterFailureMs = 10_000
/** Number of checks between two searches for lost processes. */
const timesBetweenLost = 5

/**
 * Repairs the remains of interrupted writes (docs/storage.md, "Where a repair looks"): of processes over this database
 * that ended without a graceful shutdown, at the start and while it runs; of failed writes of this process; and what
 * two concurrent writes may leave although each was correct. It reads the journals of such writes. After a program
 * without a journal, it checks all content. It runs in the background: readers skip such remains, and no write is
 * disturbed by them.
 */
export function keepRepaired(parts: RepairParts): Repairer {
  const { db, log, presence, writes, lingerMs, alone, lastLookMs = 2_000 } = parts
  const { everyMs = usualEveryMs } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  let times = 0
  let notBefore = 0
  const mended = new Map<string, number>()
  let failures = 0
  let repairs = 0
  /** Lost processes after which there was too much to find. */
  const refused = new Set<string>()

  const repair = async (options: Partial<RunOptions>): Promise<number> => {
    const { registry, changed } = parts
    const known = parts.knowing?.()
    const given = { db, registry: registry(), mends: true }
    repairs += 1
    const report = await runRepair({ ...given, ...options }).finally(() => {
      repairs -= 1
      known?.()
    })
    if (report.length > 0) changed()
    for (const { kind, ...row } of report) {
      mended.set(kind, (mended.get(kind) ?? 0) + row.repaired)
      const isRepaired = row.repaired > 0
      const explained = explainFinding(kind, isRepaired)
      log.warn({ repair: kind, ...row }, `${isRepaired ? 'Repaired' : 'Found'}: ${explained}`)
    }
    return report.reduce((sum, row) => sum + row.found, 0)
  }
  /**
   * Repairs what journal entries name. References to deleted documents are removed without a warning, because they are
   * no damage: a delete responds before they are removed, and a concurrent write may have added one.
   */
  const repairNoted = async (touched: readonly Noted[], until = signal): Promise<number> => {
    await removeReferencesTo({ db, registry: parts.registry(), signal: until }, touched)
    return repair({ touched, signal: until })
  }
  const lookAfter = async (lost: Lost): Promise<number> => {
    let found = 0
    if (lost.notes === true)
      for await (const touched of findNoted(db, lost._id)) found += await repairNoted(touched)
    else if (!lost.isLooked) found = await repair({ maxFindings, signal })
    // A write of another process may have been concurrent with one of those.
    if (!alone && !lost.isLooked) await presence.looked(lost)
    else if (await presence.forget(lost)) await forgetNoted(db, lost._id)
    return found
  }
  const lookAfterAll = async (): Promise<void> => {
    const lost = (await presence.findLost(lingerMs)).filter(({ _id }) => !refused.has(_id))
    const isNew = lost.some(({ isLooked }) => !isLooked)
    const start = performance.now()
    if (isNew) parts.interrupted?.()
    if (isNew) log.info({ lost: lost.length }, 'Looking for what interrupted writes left behind')
    let found = 0
    for (const one of lost)
      try {
        found += await lookAfter(one)
      } catch (error) {
        if (!(error instanceof TooManyFindings)) throw error
        refused.add(one._id)
        log.error(
          `${error.message}; stop writing to this database and run: ${ownCommand('repair')}`,
        )
        return
      }
    const milliseconds = Math.round(performance.now() - start)
    if (isNew) log.info({ found, milliseconds }, 'The content is in order')
  }
  const lookAfterLost = async (): Promise<void> => {
    const lost = (await presence.findLost(lingerMs)).filter(({ _id }) => !refused.has(_id))
    if (lost.length === 0) return
    // If another process holds the lease, leave it to that one.
    const lease = { db, collection: '_settings', _id: 'repairing', alone, lost: () => undefined }
    const leave = (): never => {
      throw new Busy()
    }
    await withLease(lease, lookAfterAll, leave).catch((error: unknown) => {
      if (!(error instanceof Busy)) throw error
    })
  }
  const lookAtOwn = async (): Promise<void> => {
    for (let touched = writes.due(); touched.length > 0; touched = writes.due()) {
      await repairNoted(touched)
      await writes.looked(touched)
    }
  }
  const look = async (): Promise<void> => {
    if (performance.now() < notBefore) return
    // A partly converted entry looks like the remains of an interrupted write.
    if (parts.registry().locked !== undefined) return
    try {
      // If nobody else can use the database, all lost processes exist at the start.
      if (alone ? times === 0 : times % timesBetweenLost === 0) await lookAfterLost()
      times += 1
      await lookAtOwn()
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      notBefore = performance.now() + afterFailureMs
      log.warn({ err: error }, 'The repair was not finished, and is tried again')
    }
  }
  const inTurn = (): Promise<void> => (running ??= look().finally(() => (running = undefined)))
  const leave = async (): Promise<void> => {
    const { noted, areUnderWay } = writes.left()
    // Without a graceful shutdown, other processes or the next start check the rest.
    if (areUnderWay) return presence.stop()
    if (noted.length > 0 && !(alone && (await lookLast(noted)))) return presence.retire()
    await presence.leave()
  }
  /**
   * @returns whether everything was checked; the time is limited, because the shutdown waits for it
   */
  const lookLast = async (noted: readonly Noted[]): Promise<boolean> => {
    if (noted.length > maxLastNotes) return false
    const limit = AbortSignal.timeout(lastLookMs)
    try {
      await repairNoted(noted, limit)
    } catch (error) {
      if (limit.aborted) return false
      throw error
    }
    await writes.looked(noted, true)
    return true
  }

  const deletesFinished = finishDeletes({ ...parts, signal })
  const timer = setInterval(() => void inTurn(), everyMs)
  timer.unref()
  void inTurn()
  return {
    figures: () => ({ isRunning: repairs > 0, found: mended, failures }),
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await Promise.all([running, deletesFinished()])
      await leave().catch((error: unknown) => {
        presence.stop()
        throw error
      })
    },
  }
}

/** Thrown if another process handles the lost ones. */
class Busy extends Error {}
