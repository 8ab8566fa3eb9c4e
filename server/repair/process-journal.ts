import type { Collection, Db } from 'mongodb'
import type { AffectedData } from '../../engine/repair.js'
import type { InFlightWrite } from '../../engine/write.js'
import { journalCollection } from '../../engine/database/own-collections.js'

/**
 * Data that this process's writes are about to change, or have changed recently (docs/internals/storage.md, "Records of
 * writes in flight").
 */
export type ProcessJournal = Readonly<{
  /** Opens the journal of a write that begins. */
  begin: () => InFlightWrite
  /** Returns the entries of writes that were interrupted, or that ended some time ago. */
  due: () => readonly JournalEntry[]
  /** Returns entries of finished deletes whose documents may still be referenced. `due` omits them. */
  deleted: () => readonly JournalEntry[]
  /** Records that the documents of entries are no longer referenced. */
  unreferred: (entries: readonly JournalEntry[]) => void
  onDeleted: (notify: () => void) => void
  /** Returns the entries to check before the process ends, and whether writes in flight may add more. */
  left: () => Readonly<{ entries: readonly JournalEntry[]; areUnderWay: boolean }>
  /**
   * Removes checked entries. Those of recent writes become due once more, because a concurrent write may still run.
   * @param isAll removes recent entries too; only if nothing else writes to the database
   */
  remove: (entries: readonly JournalEntry[], isAll?: boolean) => Promise<void>
}>

/** The data that one write affects, and the id of its journal entry. */
export type JournalEntry = Readonly<{ _id: string }> & AffectedData

type Pending = {
  readonly entry: JournalEntry
  readonly endedAt: number
  dueAt: number
  /** Whether the document was deleted and may still be referenced. */
  isReferred: boolean
}

/** Usual time until a lost database connection is restored. */
const usualAfterCutOffMs = 2_000

/** Maximum number of entries per delete command and per repair. */
const maxEntries = 1_000

/**
 * Creates the journal of a process.
 * @param process its id (`Heartbeat`), without spaces
 * @param lingerMs for this many milliseconds after a write has ended, a concurrent write may still act on data that it
 * read earlier
 * @param afterCutOffMs time until the entries of an interrupted write are due
 */
export function openProcessJournal(
  db: Db,
  process: string,
  lingerMs: number,
  afterCutOffMs = usualAfterCutOffMs,
): ProcessJournal {
  const pending = new Map<string, Pending>()
  let count = 0
  let open = 0
  let notifyDeleted = (): void => undefined
  const now = () => performance.now()
  return {
    begin: () => {
      const own: JournalEntry[] = []
      return {
        journal: {
          add: (affected) => {
            const _id = `${process} ${(count += 1)}`
            if (own.push({ _id, ...affected }) === 1) open += 1
            return _id
          },
        },
        ended: (isCutOff) => {
          if (own.length > 0) open -= 1
          const endedAt = now()
          const dueAt = endedAt + (isCutOff ? afterCutOffMs : lingerMs)
          for (const entry of own) {
            const isReferred = entry.deleted === true
            pending.set(entry._id, { entry, endedAt, dueAt, isReferred })
          }
          if (own.some(({ deleted }) => deleted === true)) notifyDeleted()
        },
      }
    },
    due: () => {
      const due: JournalEntry[] = []
      for (const { entry, dueAt, isReferred } of pending.values())
        if (!isReferred && dueAt <= now() && due.push(entry) === maxEntries) break
      return due
    },
    deleted: () => {
      const deleted: JournalEntry[] = []
      for (const { entry, isReferred } of pending.values())
        if (isReferred && deleted.push(entry) === maxEntries) break
      return deleted
    },
    unreferred: (entries) => {
      for (const { _id } of entries) {
        const one = pending.get(_id)
        if (one !== undefined) one.isReferred = false
      }
    },
    onDeleted: (notify) => {
      notifyDeleted = notify
    },
    left: () => ({
      entries: [...pending.values()].map(({ entry }) => entry),
      areUnderWay: open > 0,
    }),
    remove: async (entries, isAll = false) => {
      const over: string[] = []
      for (const { _id } of entries) {
        const one = pending.get(_id)
        if (one === undefined) continue
        if (!isAll && one.dueAt < one.endedAt + lingerMs) one.dueAt = one.endedAt + lingerMs
        else over.push(_id)
      }
      await forget(db, over)
      for (const _id of over) pending.delete(_id)
    },
  }
}

/** Reads the entries of an ended process, in batches of at most 1,000. */
export async function* findEntries(
  db: Db,
  process: string,
): AsyncGenerator<readonly JournalEntry[]> {
  const { $gte, $lt } = ofProcess(process)._id
  for (let after: string | undefined = $gte; after !== undefined;) {
    const entries: readonly JournalEntry[] = await collectionOf(db)
      .find({ _id: { $gt: after, $lt } })
      .sort({ _id: 1 })
      .limit(maxEntries)
      .toArray()
    if (entries.length > 0) yield entries
    after = entries.length < maxEntries ? undefined : entries.at(-1)?._id
  }
}

/** Deletes the entries of a process. */
export async function removeEntries(db: Db, process: string): Promise<void> {
  await collectionOf(db).deleteMany({ ...ofProcess(process) })
}

async function forget(db: Db, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += maxEntries)
    await collectionOf(db).deleteMany({ _id: { $in: ids.slice(at, at + maxEntries) } })
}

const collectionOf = (db: Db): Collection<JournalEntry> =>
  db.collection<JournalEntry>(journalCollection)

/** Ids are `<process> <number>`, and `!` follows the space in ASCII. */
const ofProcess = (process: string) => ({ _id: { $gte: `${process} `, $lt: `${process}!` } })
