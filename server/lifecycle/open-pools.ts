import type { Db } from 'mongodb'
import { versionsOf } from '../../engine/database/collection-versions.js'
import { topologyOf } from '../../engine/database/durability.js'
import type { LiveCounts } from '../../engine/database/live-counts.js'
import { openLiveCounts } from '../../engine/database/open-live-counts.js'
import { servedClock } from '../../engine/database/watch-servers.js'
import { notDone } from '../../engine/errors.js'
import type { Executor } from '../../engine/read.js'
import type { Admission } from '../../workers/admission.js'
import { createExecutor, inlineRunner, pooledRunner } from '../../workers/executor.js'
import { createTotalMemory } from '../../workers/known-totals.js'
import { createPatternPool, type PatternPool } from '../../workers/pattern-pool.js'
import type { PatternPoolOptions } from '../../workers/pattern-pool.js'
import { queueBySize } from '../../workers/run-in-queue.js'
import { createPool, type Pool, type PoolOptions } from '../../workers/pool.js'
import type { OutputBuffers } from '../http/response/output-buffers.js'
import type { Settings } from '../settings/settings.js'
import { createPicturePool, type PicturePool } from '../upload/pictures/picture-pool.js'
import { findLeftOut } from './left-out.js'
import type { ServiceOptions } from './service-options.js'

/** Common options of pools. A pool starts threads or processes on demand and replaces those that die. */
type Around = Pick<ServiceOptions, 'log' | 'closing' | 'report' | 'observe'>

/** Opens the worker pool for heavy queries. */
export function openPool(
  settings: Settings,
  parts: Pick<PoolOptions, 'uri' | 'admission' | 'worker'>,
  around: Around,
): Pool {
  const pool = createPool({
    ...parts,
    observe: around.observe,
    threads: settings['pool.threads'],
    queueLimit: settings['pool.queueLimit'],
    onDeath: onDeath(around, 'worker thread', 'A worker thread died', 'heavy query'),
  })
  around.closing.add('The worker pool', pool.destroy)
  return pool
}

/** Below this cost (that of a thousand entries), a total is counted, even if its value is known from memory. */
const countFromCost = 50

type ReadParts = Readonly<{
  db: Db
  uri: string
  singleProcess: boolean
  admission: Admission
  outputBuffers: OutputBuffers
}>

/**
 * Opens the executor of reads and its worker pool. The pool runs expensive reads; cheap ones run on the main thread.
 */
export async function openExecutor(
  settings: Settings,
  { db, uri, singleProcess, admission, outputBuffers }: ReadParts,
  around: Around,
): Promise<Readonly<{ executor: Executor; pool: Pool; counts: LiveCounts | undefined }>> {
  const pool = openPool(settings, { uri, admission }, around)
  const counts = await openLiveCounts(db, { singleProcess })
  if (counts !== undefined) around.closing.add('The counts of collections', counts.stop)
  const isReplicaSet = (await topologyOf(db)) === 'replica-set'
  const costThreshold = settings['pool.costThreshold']
  const inlineQueue = queueBySize(admission, {
    small: 'cheap',
    large: 'larger',
    slots: settings['api.rest.maxInlineReads'],
    largeCost: costThreshold / 10,
    overflows: true,
  })
  const executor = createExecutor(
    { inline: inlineRunner(db, inlineQueue), pooled: pooledRunner(pool), costThreshold },
    {
      checkOutputBuffer: async (bytes) => {
        await outputBuffers.update(bytes)
        outputBuffers.check(bytes)
      },
      // In a replica set, do not remember totals, because another instance may write at any time. Elsewhere, remember
      // them, because counting each time costs too much.
      totals: isReplicaSet ? undefined : createTotalMemory(versionsOf(db.client)),
      known: counts === undefined ? undefined : { counts, fromCost: countFromCost },
      clock: servedClock(db.client),
      lateness: admission.lateness,
    },
  )
  return { executor, pool, counts }
}

/** Opens the thread for patterns that need backtracking, which may be slow. `thread`: options for tests. */
export function openPatternPool(
  settings: Settings,
  around: Around,
  thread: Pick<PatternPoolOptions, 'worker' | 'graceMs'> = {},
): PatternPool {
  const message = 'The thread for patterns died'
  const pool = createPatternPool({
    ...thread,
    timeoutMs: settings['patterns.timeoutMs'],
    queueLimit: settings['patterns.queueLimit'],
    onDeath: onDeath(around, 'pattern thread', message, 'check'),
  })
  around.closing.add('The thread for patterns', pool.destroy)
  return pool
}

/** Opens the processes that resize images. */
export function openPictures(settings: Settings, around: Around): PicturePool {
  const message = 'A process that resizes pictures died'
  const pool = createPicturePool({
    parallel: settings['upload.pictures.parallel'],
    onDeath: onDeath(around, 'picture process', message, 'picture'),
  })
  around.closing.add('The processes that resize pictures', pool.destroy)
  if (!findLeftOut().some(({ name }) => name === 'sharp')) return pool
  const refuse = () => Promise.reject(notDone('This service cannot resize pictures', 3_600))
  return { ...pool, make: refuse }
}

const onDeath =
  ({ log, report }: Around, place: string, message: string, next: string) =>
  (error: unknown): void => {
    log.error({ err: error }, `${message}. The next ${next} starts another`)
    report({ error, in: place, message })
  }
