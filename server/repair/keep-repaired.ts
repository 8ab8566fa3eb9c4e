import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Registry } from '../../engine/schema/registry.js'
import type { Lost, Presence } from './presence.js'
import { silenceMs } from './presence.js'
import type { RepairReport } from './run-repair.js'
import { explanations, runRepair, TooManyFindings } from './run-repair.js'
import { steadyNow } from '../../engine/steady-now.js'

export type Repairer = Readonly<{
  /** To be called when a write failed for a reason that is not the client's: some of its steps may have been taken. */
  interrupted: () => void
  /** Lets a repair that runs stop where it is. What is still to be repaired is left to the next start. */
  stop: () => Promise<void>
}>

export type RepairParts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  /** Up to which format the database is carried over. */
  format: () => number
  /** This process among those over the database. */
  presence: Presence
  /** Told after content was changed. */
  changed: () => void
}>

/** Fewer than that many writes are under way at once; more findings have another cause, which a person should see. */
const maxFindings = 1_000
const afterInterruptionMs = 2_000
/** A fault that interrupts one write after the other does not have the content read all the time. */
const betweenRepairsMs = 60_000
const betweenAttemptsMs = 10_000

/**
 * Repairs what writes left behind that were cut off: at the start, if another process over this database
 * ended without saying so, and after a write of this process that failed half way, such as one that lost
 * the database. A start after a clean stop reads nothing but `_instances`, whatever the size of the
 * content. It runs beside the service, in the background: readers pass over leftovers, and no write
 * minds them.
 */
export async function keepRepaired(parts: RepairParts): Promise<Repairer> {
  const { db, log, registry, presence } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  let isDirty = false
  let repairedAt = -Infinity
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const later = (ms: number): void => {
    if (signal.aborted || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      running ??= work().finally(() => (running = undefined))
    }, ms)
    timer.unref()
  }
  const work = async (): Promise<void> => {
    try {
      const lost = await presence.findLost()
      if (lost.length > 0 || isDirty) await repair(lost)
    } catch (error) {
      isDirty = true
      if (signal.aborted) return
      if (error instanceof TooManyFindings)
        return log.error(`${error.message}; stop writing to this database and run: npm run repair`)
      log.warn({ err: error }, 'The repair was not finished, and is tried again')
      later(betweenAttemptsMs)
    }
  }
  const repair = async (lost: readonly Lost[]): Promise<void> => {
    isDirty = false
    const start = performance.now()
    log.info({ lost: lost.length }, 'Looking for what interrupted writes left behind')
    const options = {
      db,
      registry: registry(),
      format: parts.format(),
      mends: true,
      signal,
      maxFindings,
    }
    const report = await runRepair(options)
    parts.changed()
    await presence.forget(lost)
    repairedAt = steadyNow()
    tell(log, report, Math.round(performance.now() - start))
  }

  await startUp(presence, later)
  return {
    interrupted: () => {
      isDirty = true
      later(Math.max(afterInterruptionMs, repairedAt + betweenRepairsMs - steadyNow()))
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
      // Without a goodbye the next start looks for what is left.
      if (isDirty) presence.stop()
      else await presence.leave()
    },
  }
}

/** One that was heard of a moment ago may be gone: a service that was killed is started again at once. */
async function startUp(presence: Presence, later: (ms: number) => void): Promise<void> {
  if ((await presence.findLost()).length > 0) later(0)
  else if (await presence.hasRecent()) later(silenceMs + 1_000)
}

function tell(log: Logger, report: RepairReport, milliseconds: number): void {
  for (const { kind, ...row } of report)
    log.warn({ repair: kind, ...row }, `Repaired: ${explanations[kind]}`)
  const found = report.reduce((sum, row) => sum + row.found, 0)
  log.info({ found, milliseconds }, 'The content is in order')
}
