import type { Db } from 'mongodb'
import type { AgreedDraft, AgreedDrafts } from '../../engine/write.js'
import { takeOffMarks } from '../../engine/write.js'

/** Removes the marks of drafts that equal the published version, shortly after these were published. */
export type MarkRemover = Readonly<{
  agreed: AgreedDrafts
  /** Removes the marks that are still pending, and stops. */
  stop: () => Promise<void>
}>

/**
 * Interval in milliseconds. A busy service sends one command per interval for many drafts. An idle service removes its
 * last marks soon.
 */
const usualEveryMs = 1_000
/** Maximum number of drafts per command. A full batch is sent at once. */
const most = 500

/**
 * Creates a `MarkRemover`. It does not retry a failed removal: an extra mark only costs a comparison when modified
 * drafts are queried (docs/storage.md, "Modified drafts").
 */
export function removeMarks(db: Db, everyMs = usualEveryMs): MarkRemover {
  let pending: AgreedDraft[] = []
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const drafts = pending
    pending = []
    if (drafts.length > 0) last = last.then(() => takeOffMarks(db, drafts)).catch(() => undefined)
  }
  return {
    agreed: (draft) => {
      pending.push(draft)
      if (pending.length >= most) flush()
      else timer ??= setTimeout(flush, everyMs).unref()
    },
    stop: () => {
      flush()
      return last
    },
  }
}
