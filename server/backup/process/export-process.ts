import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fail, notDone } from '../../../engine/errors.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { archivePipe, type ExportJob, type ExportMessage } from './export-job.js'

/** A process that writes one archive. */
export type ExportProcess = ReturnType<typeof startExportProcess>

/** Starts a process that writes one archive. */
export function startExportProcess(job: ExportJob) {
  const child = fork(new URL('./export-worker.js', import.meta.url), {
    // Do not inherit the service's Node options. The flag makes V8 collect garbage early, as in `quire export`.
    execArgv: ['--heap-growing-percent=50'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  })
  // Resolves even if the process failed to start.
  const gone = once(child, 'exit').catch(() => undefined)
  const words = new Set<ExportMessage['is']>()
  let lastWord = monotonicNow()
  let failure: Error | undefined
  let notify: () => void = () => undefined
  const fails = (error: Error) => {
    failure ??= error
    notify()
  }
  child.on('message', (word: ExportMessage) => {
    const error = errorOf(word)
    words.add(word.is)
    lastWord = monotonicNow()
    if (error === undefined) notify()
    else fails(error)
  })
  child.on('error', fails)
  child.once('close', (code, signal) => {
    if (!words.has('done')) fails(new Error(`The export's process ended with ${signal ?? code}`))
  })
  const received = (word: ExportMessage['is']): Promise<void> =>
    new Promise((resolve, reject) => {
      notify = () => {
        if (failure !== undefined) reject(failure)
        else if (words.has(word)) resolve()
      }
      notify()
    })
  const send = (message: ExportJob | 'read') => {
    // Ignore errors of sending: if the process has ended, `received` rejects.
    if (child.connected) child.send(message, () => undefined)
  }
  const pipe = child.stdio[archivePipe] as Readable | null | undefined
  pipe?.on('error', fails)
  // Without a listener, bytes still in the pipe when the process ends would be lost.
  pipe?.on('readable', () => undefined)
  send(job)
  return {
    /** Resolves when the process is ready. Rejects with an error for the client. */
    ready: () => received('ready'),
    /** Resolves when all documents have been read. Rejects with an error for the client. */
    read: (): Promise<void> => {
      lastWord = monotonicNow()
      send('read')
      return received('read')
    },
    /** Returns the time since the last message in ms. Messages come every second while the process reads. */
    silentMs: () => monotonicNow() - lastWord,
    /** Throws if the process could not complete the archive. */
    archive: async function* (): AsyncGenerator<Uint8Array> {
      if (pipe !== null && pipe !== undefined) yield* pipe as AsyncIterable<Uint8Array>
      await received('done')
    },
    end: async (): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      pipe?.destroy()
      await gone
    },
  }
}

function errorOf(word: ExportMessage): Error | undefined {
  switch (word.is) {
    case 'no-room':
      return diskFullError()
    case 'refused':
      return later(word.message)
    case 'error':
      return new Error(word.message)
    default:
      return undefined
  }
}

/** Returns a 503 that asks clients to retry in half a minute. */
export const later = (message: string): Error =>
  fail('unavailable', message, {}, { 'Retry-After': '30' })

/** Returns the error for a disk without space for temporary files. */
export const diskFullError = (): Error =>
  notDone('There is not enough disk space in DATA_DIR for the temporary files of the export', 30)
