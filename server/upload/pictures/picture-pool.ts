import { notDone } from '../../../engine/errors.js'
import type { PictureAnswer, PictureJob } from './picture-job.js'
import { ProcessLost, startPictureProcess, type PictureProcess } from './picture-process.js'
import { createPlaces } from './places.js'

type PicturePoolOptions = Readonly<{
  /** Processes at most; one draws one picture at a time (`upload.pictures.parallel`). */
  parallel: number
  /** Pictures that may wait for one; default 100. */
  queueLimit?: number
  /** How long one picture may take, in ms; default: longer than any intact one takes. */
  timeoutMs?: number
  /** Told of a process that died or was ended. */
  onDeath: (error: unknown) => void
  /** What the processes run; default `picture-worker.js`. */
  worker?: URL
  /** After how long without work they end, in ms; default half a minute. */
  idleMs?: number
}>

export type PicturePool = ReturnType<typeof createPicturePool>

/** A picture's processes: two that it may end, and one that was gone or did not start. */
const maxTries = 3

/**
 * The processes that draw pictures: started when there are some, ended when there were none for a while, and replaced
 * where they die. A picture that two had begun when they died is taken for damaged.
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
  const places = createPlaces(options)
  let idle: NodeJS.Timeout | undefined
  let isOver = false

  /** One that is free, else a new one. Throws `ProcessLost`. */
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
      throw notDone('The picture took too long')
    } finally {
      clearTimeout(late)
      busy.delete(process)
    }
  }
  /** Tries it with further processes where one is lost. */
  const draw = async (job: PictureJob): Promise<PictureAnswer> => {
    let deaths = 0
    for (let tries = 0; tries < maxTries; tries += 1)
      try {
        return await attempt(job)
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error
        onDeath(error)
        if (error.hadBegun) deaths += 1
        // It was killed while it had nothing to do, and perhaps not alone.
        else endFree()
        if (deaths === 2) return { is: 'damaged' }
      }
    throw notDone('No process that draws pictures could be started')
  }
  return {
    /** Pictures that are drawn, and that wait for it; and how many processes have died since the start. */
    figures: () => ({ ...places.figures(), deaths: lost }),
    /**
     * Throws `unavailable` where too many wait or it takes too long, and nothing was stored then; the reason of `signal`
     * where that comes while it waits.
     */
    make: async (job: PictureJob, signal?: AbortSignal): Promise<PictureAnswer> => {
      const leave = await places.take(signal)
      clearTimeout(idle)
      try {
        return await draw(job)
      } finally {
        leave()
        clearTimeout(idle)
        if (busy.size === 0) idle = setTimeout(endFree, idleMs).unref()
      }
    },
    /** Ends the processes; who still waits is answered `unavailable`. */
    destroy: (): void => {
      isOver = true
      clearTimeout(idle)
      endFree()
      for (const process of busy) process.end()
    },
  }
}
