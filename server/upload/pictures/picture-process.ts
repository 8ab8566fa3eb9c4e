import { fork, type ChildProcess } from 'node:child_process'
import { notDone } from '../../../engine/errors.js'
import type { PictureAnswer, PictureJob } from './picture-job.js'

/** A process that draws one picture at a time. */
export type PictureProcess = ReturnType<typeof startPictureProcess>

/**
 * A message from the process: first `begun`, then the result. `error` is an error that the picture did not cause,
 * `no-room` a full disk.
 */
export type PictureReply = Readonly<
  | { is: 'begun' }
  | { is: 'answer'; answer: PictureAnswer }
  | { is: 'error'; error: string }
  | { is: 'no-room' }
>

/** Thrown if a process died, was killed, or never started. */
export class ProcessLost extends Error {
  /** Whether the process had begun a job; then the picture may be the cause. */
  hadBegun = false
}

/** Makes malloc use few arenas, and return freed blocks to the system if they exceed a few rows of a picture. */
const memory = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/**
 * Starts a process that runs `worker`, without keeping the service running. Calls `onEnd` when the process has ended or
 * failed to start. Throws `ProcessLost` if the system cannot start it.
 */
export function startPictureProcess(worker: URL, onEnd: () => void) {
  const child = startChild(worker)
  let isAlive = true
  const lost = new Promise<never>((_resolve, reject) => {
    const end = (message: string, cause?: unknown) => {
      isAlive = false
      reject(new ProcessLost(message, { cause }))
      onEnd()
    }
    child.on('error', (cause) => end(cause.message, cause))
    child.on('exit', (code, signal) => end(`It ended with ${signal ?? code}`))
  })
  lost.catch(() => undefined)
  child.unref()
  child.channel?.unref()
  return {
    /** Draws a picture. Throws `ProcessLost` if the process dies or has died, and `unavailable` if the disk is full. */
    draw: async (job: PictureJob): Promise<PictureAnswer> => {
      let hasBegun = false
      let take: (reply: PictureReply) => void = () => undefined
      // Keep the service running while the process draws.
      child.channel?.ref()
      try {
        const replied = new Promise<Exclude<PictureReply, { is: 'begun' }>>((resolve) => {
          take = (reply) => {
            if (reply.is === 'begun') hasBegun = true
            else resolve(reply)
          }
          child.on('message', take)
        })
        // If the process has ended or never started, nothing can be sent, and `lost` rejects.
        if (child.connected) child.send(job, () => undefined)
        const reply = await Promise.race([replied, lost])
        if (reply.is === 'no-room')
          throw notDone('There is no disk space left to resize pictures', 10)
        if (reply.is === 'error') throw new Error(reply.error)
        return reply.answer
      } catch (error) {
        if (error instanceof ProcessLost) error.hadBegun = hasBegun
        throw error
      } finally {
        child.off('message', take)
        child.channel?.unref()
      }
    },
    isAlive: () => isAlive,
    end: () => void child.kill('SIGKILL'),
  }
}

function startChild(worker: URL): ChildProcess {
  try {
    return fork(worker, {
      // Do not pass on the service's own environment, which contains secrets.
      env: memory,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  } catch (cause) {
    // `fork` emits some errors, such as EAGAIN, and throws others, such as ENOMEM.
    throw new ProcessLost((cause as Error).message, { cause })
  }
}
