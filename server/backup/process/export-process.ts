import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fail, notDone } from '../../../engine/errors.js'
import { steadyNow } from '../../../engine/steady-now.js'
import { archivePipe, type ExportJob, type ExportWord } from './export-job.js'

/** A process of its own that writes one archive. */
export type ExportProcess = ReturnType<typeof startExportProcess>

/** Starts it. */
export function startExportProcess(job: ExportJob) {
  const child = fork(new URL('./export-worker.js', import.meta.url), {
    // Options of the service do not mean it; as in the command, garbage is collected early.
    execArgv: ['--heap-growing-percent=50'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  })
  // Also where it never came to be, which is an error.
  const gone = once(child, 'exit').catch(() => undefined)
  const words = new Set<ExportWord['is']>()
  let lastWord = steadyNow()
  let failure: Error | undefined
  let tell: () => void = () => undefined
  const fails = (error: Error) => {
    failure ??= error
    tell()
  }
  child.on('message', (word: ExportWord) => {
    const error = errorOf(word)
    words.add(word.is)
    lastWord = steadyNow()
    if (error === undefined) tell()
    else fails(error)
  })
  child.on('error', fails)
  child.once('close', (code, signal) => {
    if (!words.has('done')) fails(new Error(`The export's process ended with ${signal ?? code}`))
  })
  const said = (word: ExportWord['is']): Promise<void> =>
    new Promise((resolve, reject) => {
      tell = () => {
        if (failure !== undefined) reject(failure)
        else if (words.has(word)) resolve()
      }
      tell()
    })
  const send = (message: ExportJob | 'read') => {
    // Of one that is gone `said` tells.
    if (child.connected) child.send(message, () => undefined)
  }
  const pipe = child.stdio[archivePipe] as Readable | null | undefined
  pipe?.on('error', fails)
  // Where nobody listens when it ends, what is in the pipe is thrown away.
  pipe?.on('readable', () => undefined)
  send(job)
  return {
    /** Resolves when it may be told to read. Throws what the client is to be told. */
    ready: () => said('ready'),
    /** Has it read what the database holds; resolves when it has. Throws what the client is to be told. */
    read: (): Promise<void> => {
      lastWord = steadyNow()
      send('read')
      return said('read')
    },
    /** For how many milliseconds it has said nothing. While it reads it says something every second. */
    silentMs: () => steadyNow() - lastWord,
    /** The archive, to its end. Throws where there is none. */
    archive: async function* (): AsyncGenerator<Uint8Array> {
      if (pipe !== null && pipe !== undefined) yield* pipe as AsyncIterable<Uint8Array>
      await said('done')
    },
    /** Ends it where it is; resolves when it is gone. */
    end: async (): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      pipe?.destroy()
      await gone
    },
  }
}

function errorOf(word: ExportWord): Error | undefined {
  switch (word.is) {
    case 'no-room':
      return noRoomFor()
    case 'refused':
      return later(word.message)
    case 'error':
      return new Error(word.message)
    default:
      return undefined
  }
}

/** The 503 of an export that may be asked for again in half a minute. */
export const later = (message: string): Error =>
  fail('unavailable', message, {}, { 'Retry-After': '30' })

/** What is said where the disk has no room for what is kept. */
export const noRoomFor = (): Error =>
  notDone('There is no room in DATA_DIR for what is exported, which is kept there for a while', 30)
