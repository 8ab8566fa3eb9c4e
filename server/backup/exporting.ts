import { join } from 'node:path'
import type { ApiError } from '../../engine/errors.js'
import type { PausableQueue } from '../../workers/admission.js'
import { makeTempFolderBelow } from '../database/temp-folder.js'
import type { Config } from '../settings/config.js'
import { ownVersion } from '../settings/own-version.js'
import { s3OptionsOf } from '../upload/providers/s3-options.js'
import type { ExportJob } from './process/export-job.js'
import {
  later,
  diskFullError,
  startExportProcess,
  type ExportProcess,
} from './process/export-process.js'

type Parts = Pick<ExportJob, 'uri' | 'singleProcess'> &
  Readonly<{
    writes: PausableQueue
    /** Returns the error that write requests get if the disk is full; undefined if there is space. */
    refusal: (() => ApiError | undefined) | undefined
  }>

/** Runs exports of a service, one at a time. */
export type Exporting = ReturnType<typeof createExporting>

/**
 * Minimum time of silence, in ms, after which an exporting process counts as stuck. The process reports every second,
 * but may be delayed on a busy machine.
 */
const leastSilentMs = 5000
const pollIntervalMs = 250

/**
 * Creates the exports of a service. If no other process uses the database, write requests wait while it is read, so
 * that the archive shows a single point in time. Other writes need not wait, because they change only a single user
 * (logins, mailed codes), are mentioned in the manifest (repairs, as `unfinished`) or do not change content (indexes,
 * cleanups, heartbeats).
 */
export function createExporting(
  { settings, s3Credentials, dataDir, apiTokenSalt }: Config,
  { writes, refusal, ...database }: Parts,
) {
  const queryMs = settings['api.rest.queryTimeoutMs']
  // Wait for at most half of the query timeout: queued requests give up after the whole timeout.
  const holdWithinMs = Math.min(settings['api.rest.writeTimeoutMs'], queryMs / 2)
  const silentWithinMs = Math.max(queryMs, leastSilentMs)
  const about = {
    ...database,
    quire: ownVersion(),
    hasTokenSalt: apiTokenSalt !== undefined,
    chosen: settings['upload.provider'],
    uploads: join(dataDir, 'uploads'),
    s3: s3OptionsOf(settings, s3Credentials),
  }
  let endCurrent: (() => Promise<void>) | undefined
  return {
    /**
     * Starts an export. Resolves with the archive's bytes when all documents have been read. A caller that stops early
     * must abort `signal` or close the generator. Throws ApiError if another export runs, the disk is full, running
     * writes do not end, or reading is stuck.
     */
    begin: async (
      what: Pick<ExportJob, 'form' | 'asked' | 'live'>,
      signal: AbortSignal,
    ): Promise<AsyncGenerator<Uint8Array>> => {
      if (endCurrent !== undefined)
        throw later('Another export of this service is in progress. Try again when it has ended')
      const stop = new AbortController()
      let close: () => Promise<void> = () => Promise.resolve()
      let ended: Promise<void> | undefined
      const end = (): Promise<void> =>
        (ended ??= (async () => {
          stop.abort()
          await close().finally(() => (endCurrent = undefined))
        })())
      endCurrent = end
      const onGone = () => void end().catch(() => undefined)
      signal.addEventListener('abort', onGone, { once: true })
      try {
        signal.throwIfAborted()
        const full = refusal?.()
        if (full !== undefined) throw full
        const folder = await makeTempFolderBelow(dataDir)
        close = () => folder.remove()
        if (stop.signal.aborted) await close()
        stop.signal.throwIfAborted()
        const child = startExportProcess({ ...about, ...what, folder: folder.path })
        close = async () => {
          await child.end()
          await folder.remove()
        }
        await whileItGoesOn(child, child.ready)
        await whileHeld(stop.signal, () => whileItGoesOn(child, child.read, silentWithinMs))
        return archiveOf(child.archive(), end)
      } catch (error) {
        await end()
        throw error
      }
    },
    stop: async () => endCurrent?.(),
  }

  async function whileHeld(stopped: AbortSignal, read: () => Promise<void>): Promise<void> {
    if (!database.singleProcess) return read()
    const tooLong = AbortSignal.timeout(holdWithinMs)
    const release = await writes
      .hold(AbortSignal.any([stopped, tooLong]))
      .catch((error: unknown) => {
        throw tooLong.aborted ? later('Writes in progress do not end. Try again later') : error
      })
    try {
      await read()
    } finally {
      release()
    }
  }

  /** Kills the exporting process if it is silent for `withinMs`, or the disk is full: the database needs the space. */
  async function whileItGoesOn(
    { end, silentMs }: ExportProcess,
    step: () => Promise<void>,
    withinMs = Infinity,
  ): Promise<void> {
    let why: Error | undefined
    const timer = setInterval(() => {
      if (why !== undefined) return
      if (refusal?.() !== undefined) why = diskFullError()
      else if (silentMs() > withinMs)
        why = later('The database does not respond to the export. Try again later')
      if (why !== undefined) void end()
    }, pollIntervalMs)
    try {
      await step()
    } catch (error) {
      throw why ?? error
    } finally {
      clearInterval(timer)
    }
  }
}

async function* archiveOf(
  pieces: AsyncGenerator<Uint8Array>,
  end: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } finally {
    await end()
  }
}
