import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { withLease } from '../../engine/database/with-lease.js'
import { removeReferencesTo } from '../../engine/repair.js'
import type { Registry } from '../../engine/schema/registry.js'
import { finishDeletes } from './finish-deletes.js'
import type { Lost, Presence } from './presence.js'
import type { RunOptions } from './run-repair.js'
import { explanations, runRepair, TooManyFindings } from './run-repair.js'
import type { Noted, UnderwayWrites } from './underway-writes.js'
import { findNoted, forgetNoted } from './underway-writes.js'
import { ownCommand } from '../settings/own-command.js'

export type Repairer = Readonly<{
  /** Lets a repair that runs stop where it is. What is still to be repaired is left to another process or the next start. */
  stop: () => Promise<void>
  figures: () => RepairFigures
}>

type RepairFigures = Readonly<{
  isRunning: boolean
  /** What was found and mended since the start, by kind. */
  found: ReadonlyMap<string, number>
  /** How often it could not be finished. */
  failures: number
}>

export type RepairParts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  /** This process among those over the database. */
  presence: Presence
  /** What its writes touch. */
  writes: UnderwayWrites
  /** How long after the end of a write another may still take steps that was planned before it ended. */
  lingerMs: number
  /** Whether no other process can run over this database. */
  alone: boolean
  /** How long a process that stops looks at what it noted itself, in milliseconds; default 2,000. */
  lastLookMs?: number
  /** How often it looks, in milliseconds; default 1,000. */
  everyMs?: number
  /** Told after content was changed. */
  changed: () => void
  /** Called when a repair takes the registry. Returns what to call when the repair has ended. */
  knowing?: (() => () => void) | undefined
  /** Told when it is found that a process over this database ended without saying so. */
  interrupted?: (() => void) | undefined
}>

/** Fewer than that many writes are under way at once; more findings have another cause, which a person should see. */
const maxFindings = 1_000
/** More notes than that are left to the next start by a process that stops. */
const maxLastNotes = 1_000
const usualEveryMs = 1_000
const afterFailureMs = 10_000
/** Every so many times it also asks whether another process ended. */
const timesBetweenLost = 5

/**
 * Repairs what writes left behind that were cut off (docs/storage.md, "Where a repair looks"): those of processes
 * over this database that ended without saying so, at the start and as long as it runs; those of this process that
 * failed half way; and what two writes may leave that were right each by itself. It reads what such writes said that
 * they were about to touch, and after a program that did not say so all content. It runs beside the service, in the
 * background: readers pass over leftovers, and no write minds them.
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
  /** Those after which there was too much to find. */
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
      const is = row.repaired > 0 ? 'Repaired' : 'Found'
      log.warn({ repair: kind, ...row }, `${is}: ${explanations[kind]}`)
    }
    return report.reduce((sum, row) => sum + row.found, 0)
  }
  /**
   * Removes references to what was deleted without a warning. They are no damage: a delete is answered before they are
   * removed, and a write that ran beside it may have added one.
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
    // A write of another process may have been under way beside one of those.
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
    // Who finds it held leaves it to the one that holds it.
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
      // Where nobody else can run, those that ended are those that are there at the start.
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
    // Without a goodbye others, or the next start, look at what is left.
    if (areUnderWay) return presence.stop()
    if (noted.length > 0 && !(alone && (await lookLast(noted)))) return presence.retire()
    await presence.leave()
  }
  /** @returns whether all of it was looked at; whoever stops the process does not wait for more than a moment */
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

/** Another process looks after those that ended. */
class Busy extends Error {}
