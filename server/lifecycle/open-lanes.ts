import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { versionsOf } from '../../engine/database/collection-versions.js'
import type { CommandObserver } from '../../engine/database/sent-commands.js'
import type { LiveCounts } from '../../engine/database/live-counts.js'
import type { Executor } from '../../engine/read.js'
import type { Admission } from '../../workers/admission.js'
import { createAdmission } from '../../workers/admission.js'
import { admittedLanes } from '../../workers/admitted-lanes.js'
import { laneExecutor } from '../../workers/executor.js'
import { sampleLoopDelay } from '../../workers/loop-delay.js'
import type { PatternPool, PatternPoolOptions } from '../../workers/pattern-pool.js'
import { createPatternPool } from '../../workers/pattern-pool.js'
import { createPool, type Pool } from '../../workers/pool.js'
import type { Unsent } from '../http/unsent.js'
import type { ReportFault } from '../reporting/fault.js'
import type { Config } from '../settings/config.js'
import type { Closing } from './closing.js'

/** Whom the lanes tell of what they do, and what closes them. */
type Around = Readonly<{
  log: Logger
  report: ReportFault
  closing: Closing
  /** Told of every command that a thread sends. */
  observe?: CommandObserver | undefined
}>

/** Who may wait, as the event loop and the settings allow. */
export function openAdmission({ settings }: Pick<Config, 'settings'>, closing: Closing): Admission {
  const delay = sampleLoopDelay()
  closing.add('The sampling of the event loop', () => Promise.resolve(delay.stop()))
  return createAdmission({
    maxQueued: settings['http.maxQueued'],
    maxQueuedBytes: settings['http.maxBodyMemory'] / 4,
    lateness: delay.ms,
  })
}

/** The thread for patterns that need backtracking; `thread`: where it is another than the service's own. */
export function openPatternPool(
  { settings }: Pick<Config, 'settings'>,
  { log, closing, report }: Around,
  thread: Pick<PatternPoolOptions, 'worker' | 'graceMs'> = {},
): PatternPool {
  const pool = createPatternPool({
    ...thread,
    timeoutMs: settings['patterns.timeoutMs'],
    queueLimit: settings['patterns.queueLimit'],
    onDeath: (error) => {
      const says = 'The thread for patterns was lost'
      log.error({ err: error }, `${says}; the next check starts another`)
      report({ error, in: 'pattern thread', says })
    },
  })
  closing.add('The thread for patterns', () => pool.destroy())
  return pool
}

/** The worker pool for heavy queries; `worker`: where its threads run another than the service's own. */
export function openPool(
  { settings }: Pick<Config, 'settings'>,
  parts: Readonly<{ uri: string; admission: Admission; worker?: URL }>,
  { log, closing, report, observe }: Around,
): Pool {
  const pool = createPool({
    ...parts,
    observe,
    threads: settings['pool.threads'],
    queueLimit: settings['pool.queueLimit'],
    onDeath: (error) => {
      const says = 'A worker thread died'
      log.error({ err: error }, `${says}; the next heavy query starts another`)
      report({ error, in: 'worker thread', says })
    },
  })
  closing.add('The worker pool', () => pool.destroy())
  return pool
}

type ExecutorParts = Readonly<{
  db: Db
  pool: Pool
  admission: Admission
  unsent: Unsent
  counts: LiveCounts | undefined
}>

/** Counting a thousand entries, by estimate: fewer are counted in no time. */
const fromCost = 50

/** What runs each read in the lane that its cost asks for. */
export function openExecutor(
  { settings }: Config,
  { db, pool, admission, unsent, counts }: ExecutorParts,
): Executor {
  return laneExecutor(
    admittedLanes({
      db,
      pool,
      admission,
      costThreshold: settings['pool.costThreshold'],
      maxInlineReads: settings['api.rest.maxInlineReads'],
    }),
    async (bytes) => {
      await unsent.update(bytes)
      unsent.check(bytes)
    },
    versionsOf(db.client),
    counts === undefined ? undefined : { counts, fromCost },
  )
}
