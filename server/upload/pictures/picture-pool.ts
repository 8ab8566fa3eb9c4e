import { notDone } from '../../../engine/errors.js'
import type { PictureAnswer, PictureJob } from './picture-job.js'
import { ProcessLost, startPictureProcess, type PictureProcess } from './picture-process.js'
import { createPictureSlots } from './picture-slots.js'

type PicturePoolOptions = Readonly<{
  /** Maximum number of processes (`upload.pictures.parallel`). Each draws one picture at a time. */
  parallel: number
  /** Maximum number of queued jobs; default 100. */
  queueLimit?: number
  /** Time limit for one picture, in ms. The default is longer than drawing an intact picture takes. */
  timeoutMs?: number
  /** Called when a process has died or was killed, but not when an idle one ends. */
  onDeath: (error: unknown) => void
  worker?: URL
  /** Time after which idle processes end; default half a minute. */
  idleMs?: number
}>

export type PicturePool = ReturnType<typeof createPicturePool>

/**
 * Two tries may crash a process because of the picture. One more is for a process that died earlier or failed to start.
 */
const maxTries = 3

/**
 * Creates a pool of processes that decode, resize and encode pictures. A picture with which two processes die counts as
 * damaged.
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

  /** Returns an idle process, or starts one. Throws `ProcessLost` if none can be started. */
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
  /** Draws a picture. If the process dies, tries again with another. */
  const draw = async (job: PictureJob): Promise<PictureAnswer> => {
    let deaths = 0
    for (let tries = 0; tries < maxTries; tries += 1)
      try {
        return await attempt(job)
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error
        onDeath(error)
        if (error.hadBegun) deaths += 1
        // The process died before the job, so other idle ones may be dead too.
        else endFree()
        if (deaths === 2) return { is: 'damaged' }
      }
    throw notDone('No process for resizing pictures could be started')
  }
  return {
    /** Returns the numbers of running jobs, of queued jobs, and of processes that died since the start. */
    figures: () => ({ ...slots.figures(), deaths: lost }),
    /**
     * Runs a job when a process is free. Throws `unavailable`, with nothing stored, if the queue is full or the job
     * takes too long. Throws the reason of `signal` if it aborts while the job is queued.
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
    /** Ends all processes. Later jobs reject with `unavailable`. */
    destroy: (): void => {
      isOver = true
      clearTimeout(idle)
      endFree()
      for (const process of busy) process.end()
    },
  }
}
