import type { Logger } from 'pino'
import type { UnsettledContents } from './unsettled-contents.js'

const everyMs = 5 * 60_000

/** Removes content that no entry names, now and every five minutes; the answer stops it, and waits for what runs. */
export function sweepContents(contents: UnsettledContents, log: Logger): () => Promise<void> {
  const sweep = async () => {
    try {
      const count = await contents.sweep()
      if (count > 0) log.info({ count }, 'Content that no file names was removed')
    } catch (err) {
      log.warn({ err }, 'Content that no file names could not be removed')
    }
  }
  let running = sweep()
  const timer = setInterval(() => {
    running = running.then(sweep)
  }, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
