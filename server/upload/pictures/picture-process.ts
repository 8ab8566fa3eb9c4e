import { fork } from 'node:child_process'
import type { PictureAnswer, PictureJob } from './picture-job.js'

/** A process of its own that draws one picture at a time. */
export type PictureProcess = Readonly<{
  /** Throws `ProcessLost` where the process dies at it or is ended, also while it had nothing to do. */
  draw: (job: PictureJob) => Promise<PictureAnswer>
  end: () => void
}>

/** What a process says of a job: its answer, or the text of what went wrong that is not the picture's fault. */
export type PictureReply = Readonly<{ answer: PictureAnswer } | { error: string }>

/** A process that died, or that was ended. */
export class ProcessLost extends Error {}

/** The C library keeps less memory with fewer arenas, and gives back what is larger than a few rows of a picture. */
const memory = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Starts a process that runs `worker`; it does not keep the service from ending, and ends with it. */
export function startPictureProcess(worker: URL): PictureProcess {
  const child = fork(worker, {
    // It gets no secret of the service.
    env: memory,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const lost = new Promise<never>((_resolve, reject) => {
    child.on('error', (cause) => reject(new ProcessLost(cause.message, { cause })))
    child.on('exit', (code, signal) => reject(new ProcessLost(`It ended with ${signal ?? code}`)))
  })
  lost.catch(() => undefined)
  child.unref()
  child.channel?.unref()
  return {
    draw: async (job) => {
      // While it draws, the service is not done.
      child.channel?.ref()
      try {
        const replied = new Promise<PictureReply>((resolve) => child.once('message', resolve))
        // Of one that is gone `lost` tells.
        child.send(job, () => undefined)
        const reply = await Promise.race([replied, lost])
        if ('error' in reply) throw new Error(reply.error)
        return reply.answer
      } finally {
        child.channel?.unref()
      }
    },
    end: () => void child.kill('SIGKILL'),
  }
}
