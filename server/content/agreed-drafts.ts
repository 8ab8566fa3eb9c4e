import type { Db } from 'mongodb'
import type { AgreedDraft, AgreedDrafts } from '../../engine/write.js'
import { takeOffMarks } from '../../engine/write.js'

/** Removes the `_modified` mark of drafts that equal their published version, shortly after publication. */
export type MarkRemover = Readonly<{
  agreed: AgreedDrafts
  /** Removes the remaining marks immediately, and stops. */
  stop: () => Promise<void>
}>

/**
 * In milliseconds: long enough to collect many drafts for one command, short enough that the marks are removed soon.
 */
const usualEveryMs = 1_000
/** Maximum number of drafts per command. A full batch is sent immediately. */
const most = 500

/**
 * Collects drafts, and removes their marks in batches. Does not retry: a mark that stays only costs a comparison
 * (docs/internals/storage.md, "Modified drafts").
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
