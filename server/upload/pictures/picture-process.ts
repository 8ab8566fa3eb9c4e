import { fork, type ChildProcess } from 'node:child_process'
import { notDone } from '../../../engine/errors.js'
import type { PictureAnswer, PictureJob } from './picture-job.js'

/** A process of its own that draws one picture at a time. */
export type PictureProcess = ReturnType<typeof startPictureProcess>

/**
 * What a process says of a job: first that it has it, then its answer, or the text of what went wrong that is not the
 * picture's fault.
 */
export type PictureReply = Readonly<
  | { is: 'begun' }
  | { is: 'answer'; answer: PictureAnswer }
  | { is: 'error'; error: string }
  | { is: 'no-room' }
>

/** A process that died, that was ended, or that never started. */
export class ProcessLost extends Error {
  /** Whether it had a job, so the picture may be the cause. */
  hadBegun = false
}

/** The C library keeps less memory with fewer arenas, and gives back what is larger than a few rows of a picture. */
const memory = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/**
 * Starts a process that runs `worker`; it does not keep the service from ending, and ends with it. `onEnd` is told
 * when it is gone, also where it never came to be. Throws `ProcessLost` where the system gives none.
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
    /**
     * Throws `ProcessLost` where the process dies at it or is ended, also while it had nothing to do, and `unavailable`
     * where there is no room for what it draws.
     */
    draw: async (job: PictureJob): Promise<PictureAnswer> => {
      let hasBegun = false
      let take: (reply: PictureReply) => void = () => undefined
      // While it draws, the service is not done.
      child.channel?.ref()
      try {
        const replied = new Promise<Exclude<PictureReply, { is: 'begun' }>>((resolve) => {
          take = (reply) => {
            if (reply.is === 'begun') hasBegun = true
            else resolve(reply)
          }
          child.on('message', take)
        })
        // Of one that is gone, or was never there, `lost` tells.
        if (child.connected) child.send(job, () => undefined)
        const reply = await Promise.race([replied, lost])
        if (reply.is === 'no-room') throw notDone('There is no room left to draw pictures', 10)
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
      // It gets no secret of the service.
      env: memory,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  } catch (cause) {
    // Of EAGAIN an event tells, ENOMEM is thrown.
    throw new ProcessLost((cause as Error).message, { cause })
  }
}
