import type { Db } from 'mongodb'
import type { AgreedDraft, AgreedDrafts } from '../../engine/write.js'
import { takeOffMarks } from '../../engine/write.js'

/**
 * Removes the `_modified` mark of drafts that equal their published version, shortly after the drafts were published.
 */
export type MarkRemover = Readonly<{
  agreed: AgreedDrafts
  /** Removes the remaining marks immediately, and stops. */
  stop: () => Promise<void>
}>

/**
 * Default interval of removals in milliseconds. It is long enough that a busy service sends one command for many
 * drafts, and short enough that an idle service soon removes its last marks.
 */
const usualEveryMs = 1_000
/** Maximum number of drafts per command. A full batch is sent immediately. */
const most = 500

/**
 * Creates a `MarkRemover`, which does not retry a failed removal: a superfluous mark only costs a comparison when
 * modified drafts are queried (docs/internals/storage.md, "Modified drafts").
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
