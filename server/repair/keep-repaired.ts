import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { withLease } from '../../engine/database/with-lease.js'
import { removeReferencesTo } from '../../engine/repair.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { Lost, Heartbeat } from './heartbeat.js'
import { type RunOptions, explainFinding, runRepair, TooManyFindings } from './run-repair.js'
import {
  type JournalEntry,
  type ProcessJournal,
  findEntries,
  removeEntries,
} from './process-journal.js'
import { ownCommand } from '../settings/own-command.js'

type Parts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  /** Journal of this process's writes, including deletes. */
  writes: ProcessJournal
  signal: AbortSignal
}>

/** Pause before a retry after a database failure, in milliseconds. */
const pauseMs = 2_000

/**
 * Removes references to deleted documents after the response (docs/internals/storage.md, "Relations"). If the process
 * ends earlier, its journal still lists the deleted documents.
 * @returns a function that waits for a running removal; call it after `signal` has aborted
 */
function finishDeletes({ log, writes, signal, ...parts }: Parts): () => Promise<void> {
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  const finish = async (): Promise<void> => {
    const { db, registry } = parts
    for (let entries = writes.deleted(); entries.length > 0; entries = writes.deleted()) {
      await removeReferencesTo({ db, registry: registry(), signal }, entries)
      writes.unreferred(entries)
    }
  }
  const run = (): void => {
    if (signal.aborted) return
    running ??= finish()
      .catch((err: unknown) => {
        if (signal.aborted) return
        log.warn({ err }, 'References to deleted entries are removed later')
        retry = setTimeout(run, pauseMs).unref()
      })
      .finally(() => (running = undefined))
  }
  writes.onDeleted(run)
  return async () => {
    clearTimeout(retry)
    await running
  }
}

export type Repairer = Readonly<{
  /** Stops a running repair. Another process, or this one after its next start, finishes it. */
  stop: () => Promise<void>
  figures: () => RepairFigures
}>

type RepairFigures = Readonly<{
  isRunning: boolean
  /** Inconsistencies repaired since the start, by kind. */
  found: ReadonlyMap<string, number>
  failures: number
}>

export type RepairParts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  heartbeat: Heartbeat
  writes: ProcessJournal
  /**
   * For this many milliseconds after a write has ended, a concurrent write may still act on data that it read earlier.
   */
  lingerMs: number
  /** Whether only this process can use the database. */
  singleProcess: boolean
  /** How long a stopping process may check its own journal; default 2,000. */
  finalCheckMs?: number
  /** Interval of checks; default 1,000. */
  everyMs?: number
  /** Called when a repair begins to use the registry. Returns a function that is called when the repair ends. */
  pinRegistry?: (() => () => void) | undefined
  /** Called when a process is found that ended without a graceful shutdown. */
  interrupted?: (() => void) | undefined
}>

/**
 * More inconsistencies than interrupted writes can cause. If a repair finds more, it is aborted, because a person
 * should examine the cause.
 */
const maxFindings = 1_000
/** Maximum journal entries that a stopping process checks. If it has more, the next start checks all of them. */
const maxLastNotes = 1_000
const usualEveryMs = 1_000
const afterFailureMs = 10_000
/** Every fifth check includes a search for lost processes. */
const timesBetweenLost = 5

/**
 * Repairs inconsistencies. Their causes are killed processes, failed writes, and concurrent writes, even if these
 * succeed (docs/internals/storage.md, "Records of writes in flight"). Checks what the journals of lost processes list;
 * for a lost process without a journal, checks all content. Runs in the background, because reads skip inconsistencies
 * and writes tolerate them.
 */
export function startRepairer(parts: RepairParts): Repairer {
  const { db, log, heartbeat, writes, lingerMs, singleProcess, finalCheckMs = 2_000 } = parts
  const { everyMs = usualEveryMs } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  let times = 0
  let notBefore = 0
  const repaired = new Map<string, number>()
  let failures = 0
  let repairs = 0
  /** Lost processes whose repair was aborted for too many findings. */
  const refused = new Set<string>()

  const repair = async (options: Partial<RunOptions>): Promise<number> => {
    const { registry } = parts
    const known = parts.pinRegistry?.()
    const given = { db, registry: registry(), repairs: true }
    repairs += 1
    const report = await runRepair({ ...given, ...options }).finally(() => {
      repairs -= 1
      known?.()
    })
    for (const { kind, ...row } of report) {
      repaired.set(kind, (repaired.get(kind) ?? 0) + row.repaired)
      const isRepaired = row.repaired > 0
      const explained = explainFinding(kind, isRepaired)
      log.warn({ repair: kind, ...row }, `${isRepaired ? 'Repaired' : 'Found'}: ${explained}`)
    }
    return report.reduce((sum, row) => sum + row.found, 0)
  }
  /**
   * Repairs what journal entries list. Logs no warning for references to deleted documents: a delete responds before it
   * removes them, and a concurrent write may have added one.
   */
  const repairEntries = async (
    affected: readonly JournalEntry[],
    until = signal,
  ): Promise<number> => {
    await removeReferencesTo({ db, registry: parts.registry(), signal: until }, affected)
    return repair({ affected, signal: until })
  }
  const repairLost = async (lost: Lost): Promise<number> => {
    let found = 0
    if (lost.notes === true)
      for await (const entries of findEntries(db, lost._id)) found += await repairEntries(entries)
    else if (!lost.isHandled) found = await repair({ maxFindings, signal })
    // A write of the lost process may have been concurrent with another, so check again later.
    if (!singleProcess && !lost.isHandled) await heartbeat.markHandled(lost)
    else if (await heartbeat.forget(lost)) await removeEntries(db, lost._id)
    return found
  }
  const repairAllLost = async (): Promise<void> => {
    const lost = (await heartbeat.findLost(lingerMs)).filter(({ _id }) => !refused.has(_id))
    const isNew = lost.some(({ isHandled }) => !isHandled)
    const start = performance.now()
    if (isNew) parts.interrupted?.()
    if (isNew)
      log.info({ lost: lost.length }, 'Looking for inconsistencies that interrupted writes left')
    let found = 0
    for (const one of lost)
      try {
        found += await repairLost(one)
      } catch (error) {
        if (!(error instanceof TooManyFindings)) throw error
        refused.add(one._id)
        log.error(
          `${error.message}. Stop all writes to this database, and run ${ownCommand('repair')}`,
        )
        return
      }
    const milliseconds = Math.round(performance.now() - start)
    if (isNew) log.info({ found, milliseconds }, 'The content is consistent')
  }
  const repairLostInTurn = async (): Promise<void> => {
    const lost = (await heartbeat.findLost(lingerMs)).filter(({ _id }) => !refused.has(_id))
    if (lost.length === 0) return
    // Leave the repair to another process that holds the lease.
    const lease = {
      db,
      collection: '_settings',
      _id: 'repairing',
      singleProcess,
      lost: () => undefined,
    }
    const leave = (): never => {
      throw new Busy()
    }
    await withLease(lease, repairAllLost, leave).catch((error: unknown) => {
      if (!(error instanceof Busy)) throw error
    })
  }
  const repairOwn = async (): Promise<void> => {
    for (let entries = writes.due(); entries.length > 0; entries = writes.due()) {
      await repairEntries(entries)
      await writes.remove(entries)
    }
  }
  const check = async (): Promise<void> => {
    if (performance.now() < notBefore) return
    // Do not check during a conversion, because a partly converted entry looks like an interrupted write.
    if (parts.registry().locked !== undefined) return
    try {
      // If no other process can use the database, lost processes are only found at the start.
      if (singleProcess ? times === 0 : times % timesBetweenLost === 0) await repairLostInTurn()
      times += 1
      await repairOwn()
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      notBefore = performance.now() + afterFailureMs
      log.warn({ err: error }, 'The repair failed, and will run again')
    }
  }
  const inTurn = (): Promise<void> => (running ??= check().finally(() => (running = undefined)))
  const leave = async (): Promise<void> => {
    const { entries, areUnderWay } = writes.left()
    // If journal entries remain unchecked, do not end the heartbeat gracefully, so that another process or the next
    // start checks them.
    if (areUnderWay) return heartbeat.stop()
    if (entries.length > 0 && !(singleProcess && (await checkOwnJournal(entries))))
      return heartbeat.retire()
    await heartbeat.leave()
  }
  /** Checks this process's journal for a limited time, because the shutdown waits. Returns whether all was checked. */
  const checkOwnJournal = async (entries: readonly JournalEntry[]): Promise<boolean> => {
    if (entries.length > maxLastNotes) return false
    const limit = AbortSignal.timeout(finalCheckMs)
    try {
      await repairEntries(entries, limit)
    } catch (error) {
      if (limit.aborted) return false
      throw error
    }
    await writes.remove(entries, true)
    return true
  }

  const deletesFinished = finishDeletes({ ...parts, signal })
  const timer = setInterval(() => void inTurn(), everyMs)
  timer.unref()
  void inTurn()
  return {
    figures: () => ({ isRunning: repairs > 0, found: repaired, failures }),
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await Promise.all([running, deletesFinished()])
      await leave().catch((error: unknown) => {
        heartbeat.stop()
        throw error
      })
    },
  }
}

/** Thrown if another process repairs the writes of lost processes. */
class Busy extends Error {}
