import type { Db } from 'mongodb'
import type { AgreedDraft, AgreedDrafts } from '../../engine/write.js'
import { takeOffMarks } from '../../engine/write.js'

/** Takes the marks off drafts that agree with what is published, a while after they were published. */
export type MarkRemover = Readonly<{
  agreed: AgreedDrafts
  /** Takes off what is left, and ends. */
  stop: () => Promise<void>
}>

/** So that a busy service sends a command for many, and one that rests soon has none left. */
const usualEveryMs = 1_000
/** What one command takes off; more of them do not wait. */
const most = 500

/**
 * One that fails is forgotten: a mark too many costs whoever asks for what is modified a look (docs/storage.md,
 * "Modified drafts").
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
