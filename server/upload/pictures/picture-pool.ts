import { notDone } from '../../../engine/errors.js'
import type { PictureAnswer, PictureJob } from './picture-job.js'
import { ProcessLost, startPictureProcess, type PictureProcess } from './picture-process.js'
import { createPictureSlots } from './picture-slots.js'

type PicturePoolOptions = Readonly<{
  /** Maximum number of processes. Each draws one picture at a time (`upload.pictures.parallel`). */
  parallel: number
  /** Maximum number of pictures in the queue; default 100. */
  queueLimit?: number
  /** Time limit for drawing one picture, in ms. The default is longer than any intact picture takes. */
  timeoutMs?: number
  /** Called when a process has died or was killed, except when idle processes are ended. */
  onDeath: (error: unknown) => void
  /** Script that the processes run; default `picture-worker.js`. */
  worker?: URL
  /** Time in ms after which idle processes end; default half a minute. */
  idleMs?: number
}>

export type PicturePool = ReturnType<typeof createPicturePool>

/**
 * Maximum number of processes that try to draw a picture. Two of them may crash because of the picture, and one may
 * have died earlier or failed to start.
 */
const maxTries = 3

/**
 * Creates a pool of processes that decode, resize and encode pictures. Processes are started on demand, ended when
 * idle, and replaced if they die. If two processes die while they process the same picture, it counts as damaged.
 */
export function createPicturePool(options: PicturePoolOptions) {
  const { timeoutMs = 120_000, idleMs = 30_000 } = options
  let lost = 0
  const onDeath = (error: unknown) => {
    lost += 1
    options.onDeath(error)
  }
  const worker = options.worker ?? new URL('./picture-worker.js', import.meta.url)
  const free = new Set<PictureProcess>()
  const busy = new Set<PictureProcess>()
  const slots = createPictureSlots(options)
  let idle: NodeJS.Timeout | undefined
  let isOver = false

  /** Returns an idle process, or starts a new one. Throws `ProcessLost` if none can be started. */
  const takeProcess = (): PictureProcess => {
    for (const process of free) {
      free.delete(process)
      return process
    }
    const started = startPictureProcess(worker, () => free.delete(started))
    return started
  }
  const leaveFree = (process: PictureProcess) => {
    if (process.isAlive()) free.add(process)
  }
  const endFree = () => {
    for (const process of free) process.end()
    free.clear()
  }
  const attempt = async (job: PictureJob): Promise<PictureAnswer> => {
    if (isOver) throw notDone('The service stops')
    const process = takeProcess()
    busy.add(process)
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      process.end()
    }, timeoutMs)
    try {
      const answer = await process.draw(job)
      leaveFree(process)
      return answer
    } catch (error) {
      if (!(error instanceof ProcessLost)) {
        leaveFree(process)
        throw error
      }
      if (isOver) throw notDone('The service stops')
      if (!isLate) throw error
      onDeath(error)
      throw notDone('Resizing the picture took too long')
    } finally {
      clearTimeout(late)
      busy.delete(process)
    }
  }
  /** Draws a picture. If the process dies, tries again with another process. */
  const draw = async (job: PictureJob): Promise<PictureAnswer> => {
    let deaths = 0
    for (let tries = 0; tries < maxTries; tries += 1)
      try {
        return await attempt(job)
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error
        onDeath(error)
        if (error.hadBegun) deaths += 1
        // The process died before it began the job. The other idle processes may have died too, so do not use them.
        else endFree()
        if (deaths === 2) return { is: 'damaged' }
      }
    throw notDone('No process for resizing pictures could be started')
  }
  return {
    /** Returns the number of running jobs, of queued jobs, and of processes that have died since the start. */
    figures: () => ({ ...slots.figures(), deaths: lost }),
    /**
     * Runs a job. Throws `unavailable` if the queue is full or the job takes too long; nothing was stored then. If
     * `signal` aborts while the job is queued, throws the signal's reason.
     */
    make: async (job: PictureJob, signal?: AbortSignal): Promise<PictureAnswer> => {
      const leave = await slots.take(signal)
      clearTimeout(idle)
      try {
        return await draw(job)
      } finally {
        leave()
        clearTimeout(idle)
        if (busy.size === 0) idle = setTimeout(endFree, idleMs).unref()
      }
    },
    /** Ends all processes. After that, jobs reject with `unavailable`. */
    destroy: (): void => {
      isOver = true
      clearTimeout(idle)
      endFree()
      for (const process of busy) process.end()
    },
  }
}
