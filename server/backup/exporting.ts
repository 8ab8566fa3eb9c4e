import { join } from 'node:path'
import type { ApiError } from '../../engine/errors.js'
import type { HoldableLine } from '../../workers/admission.js'
import { makeTempFolderBelow } from '../database/temp-folder.js'
import type { Config } from '../settings/config.js'
import { ownVersion } from '../settings/own-version.js'
import { s3OptionsOf } from '../upload/providers/s3-options.js'
import type { ExportJob } from './process/export-job.js'
import {
  later,
  noRoomFor,
  startExportProcess,
  type ExportProcess,
} from './process/export-process.js'

type Parts = Pick<ExportJob, 'uri' | 'alone'> &
  Readonly<{
    /** In which writes wait for their turn. */
    writes: HoldableLine
    /** What writes are refused with where there is no room. */
    refusal: (() => ApiError | undefined) | undefined
  }>

/** Exports of a service, one at a time. */
export type Exporting = ReturnType<typeof createExporting>

/** A process that exports says something every second, on a busy machine later. */
const leastSilentMs = 5000
/** How often it is looked at whether it may go on, in milliseconds. */
const lookEveryMs = 250

/**
 * Where nobody else has the database, writes wait while it is read, so that what is read is of one moment. What writes
 * beside requests does not break it: logging in by a provider creates a user, alone, and a mail changes its code; a
 * repair was noted before, which the manifest says (`unfinished`); indexes, sweeps and heartbeats are no content.
 */
export function createExporting(
  { settings, s3Credentials, dataDir, apiTokenSalt }: Config,
  { writes, refusal, ...database }: Parts,
) {
  const queryMs = settings['api.rest.queryTimeoutMs']
  // Whoever waits gives up after the whole of it.
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
  let endUnderway: (() => Promise<void>) | undefined
  return {
    /**
     * An archive as it is made; what the database holds was read when this resolves, and no write waits any more.
     * Whoever does not read it to its end aborts `signal`, or leaves the generator.
     * @throws ApiError where another is under way, there is no room, writes do not end, or nothing is read any more
     */
    begin: async (
      what: Pick<ExportJob, 'form' | 'asked' | 'live'>,
      signal: AbortSignal,
    ): Promise<AsyncGenerator<Uint8Array>> => {
      if (endUnderway !== undefined)
        throw later('Another export of this service is under way: ask again when it has ended')
      const stop = new AbortController()
      let close: () => Promise<void> = () => Promise.resolve()
      let ended: Promise<void> | undefined
      const end = (): Promise<void> =>
        (ended ??= (async () => {
          stop.abort()
          await close().finally(() => (endUnderway = undefined))
        })())
      endUnderway = end
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
    /** Ends what is under way. */
    stop: async () => endUnderway?.(),
  }

  async function whileHeld(stopped: AbortSignal, read: () => Promise<void>): Promise<void> {
    if (!database.alone) return read()
    const tooLong = AbortSignal.timeout(holdWithinMs)
    const release = await writes
      .hold(AbortSignal.any([stopped, tooLong]))
      .catch((error: unknown) => {
        throw tooLong.aborted
          ? later('The writes that are under way do not end: ask again later')
          : error
      })
    try {
      await read()
    } finally {
      release()
    }
  }

  /** Ends it where nothing is heard of it for too long, and where the database needs the room: it is on the same disk. */
  async function whileItGoesOn(
    { end, silentMs }: ExportProcess,
    step: () => Promise<void>,
    withinMs = Infinity,
  ): Promise<void> {
    let why: Error | undefined
    const timer = setInterval(() => {
      if (why !== undefined) return
      if (refusal?.() !== undefined) why = noRoomFor()
      else if (silentMs() > withinMs)
        why = later('The database does not answer the export: ask again later')
      if (why !== undefined) void end()
    }, lookEveryMs)
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
