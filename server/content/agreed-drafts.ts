import type { Db } from 'mongodb'
import type { AgreedDraft, AgreedDrafts } from '../../engine/write.js'
import { takeOffMarks } from '../../engine/write.js'

/** Removes the marks of drafts that agree with the published version, shortly after publishing. */
export type MarkRemover = Readonly<{
  agreed: AgreedDrafts
  /** Removes the remaining marks, and stops. */
  stop: () => Promise<void>
}>

/** A busy service then sends one command for many drafts, and an idle one soon has none left. */
const usualEveryMs = 1_000
/** Most drafts per command. A full batch is sent at once. */
const most = 500

/**
 * A failed removal is not retried: an extra mark only costs a comparison when modified drafts are queried
 * (docs/storage.md, "Modified drafts").
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
