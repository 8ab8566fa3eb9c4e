import type { Collection, Db } from 'mongodb'
import type { Touched } from '../../engine/repair.js'
import type { UnderwayLog } from '../../engine/write.js'
import { underway } from '../../engine/database/own-collections.js'

/**
 * Journal of this process's writes: what they are about to touch, or have touched recently (docs/storage.md, "Where a
 * repair looks").
 */
export type UnderwayWrites = Readonly<{
  /** Call it when a write begins. */
  begin: () => UnderwayWrite
  /** Returns the entries to check: of writes that were cut off, and of those that ended a while ago. */
  due: () => readonly Noted[]
  /** Returns the entries of ended deletes that may still be referenced. They are never `due`. */
  deleted: () => readonly Noted[]
  /** Records that nothing references these any more. */
  unreferred: (noted: readonly Noted[]) => void
  /** @param tell called when a delete has ended */
  onDeleted: (tell: () => void) => void
  /** Returns the entries to check before the process ends, and whether in-flight writes may add further ones. */
  left: () => Readonly<{ noted: readonly Noted[]; areUnderWay: boolean }>
  /**
   * Removes checked entries. An entry of a write that ended just now becomes due again, unless nobody else writes any
   * more.
   */
  looked: (noted: readonly Noted[], isAll?: boolean) => Promise<void>
}>

type UnderwayWrite = Readonly<{
  log: UnderwayLog
  /** Call it when it has ended. @param isCutOff whether it failed for a reason other than the client's request */
  ended: (isCutOff: boolean) => void
}>

/** What one write touched, with the id of its stored entry. */
export type Noted = Readonly<{ _id: string }> & Touched

type Pending = {
  readonly noted: Noted
  readonly endedAt: number
  lookAt: number
  /** Whether it was deleted and may still be referenced. */
  isReferred: boolean
}

/** A lost database is usually back by then. */
const usualAfterCutOffMs = 2_000

/** Most entries that one command deletes, and that a repair gets at a time. */
const maxNoted = 1_000

/**
 * @param process the id of this process (`Presence`); without blanks
 * @param lingerMs how long after the end of a write another one may still take steps that it planned before
 * @param afterCutOffMs how long after its interruption a write is due
 */
export function openUnderwayWrites(
  db: Db,
  process: string,
  lingerMs: number,
  afterCutOffMs = usualAfterCutOffMs,
): UnderwayWrites {
  const pending = new Map<string, Pending>()
  let count = 0
  let open = 0
  let tellDeleted = (): void => undefined
  const now = () => performance.now()
  return {
    begin: () => {
      const own: Noted[] = []
      return {
        log: {
          add: (touched) => {
            const _id = `${process} ${(count += 1)}`
            if (own.push({ _id, ...touched }) === 1) open += 1
            return _id
          },
        },
        ended: (isCutOff) => {
          if (own.length > 0) open -= 1
          const endedAt = now()
          const lookAt = endedAt + (isCutOff ? afterCutOffMs : lingerMs)
          for (const noted of own) {
            const isReferred = noted.deleted === true
            pending.set(noted._id, { noted, endedAt, lookAt, isReferred })
          }
          if (own.some(({ deleted }) => deleted === true)) tellDeleted()
        },
      }
    },
    due: () => {
      const due: Noted[] = []
      for (const { noted, lookAt, isReferred } of pending.values())
        if (!isReferred && lookAt <= now() && due.push(noted) === maxNoted) break
      return due
    },
    deleted: () => {
      const deleted: Noted[] = []
      for (const { noted, isReferred } of pending.values())
        if (isReferred && deleted.push(noted) === maxNoted) break
      return deleted
    },
    unreferred: (noted) => {
      for (const { _id } of noted) {
        const one = pending.get(_id)
        if (one !== undefined) one.isReferred = false
      }
    },
    onDeleted: (tell) => {
      tellDeleted = tell
    },
    left: () => ({
      noted: [...pending.values()].map(({ noted }) => noted),
      areUnderWay: open > 0,
    }),
    looked: async (noted, isAll = false) => {
      const over: string[] = []
      for (const { _id } of noted) {
        const one = pending.get(_id)
        if (one === undefined) continue
        if (!isAll && one.lookAt < one.endedAt + lingerMs) one.lookAt = one.endedAt + lingerMs
        else over.push(_id)
      }
      await forget(db, over)
      for (const _id of over) pending.delete(_id)
    },
  }
}

/** Reads the entries of an ended process, in lists of at most 1,000. */
export async function* findNoted(db: Db, process: string): AsyncGenerator<readonly Noted[]> {
  const { $gte, $lt } = ofProcess(process)._id
  for (let after: string | undefined = $gte; after !== undefined;) {
    const noted: readonly Noted[] = await collectionOf(db)
      .find({ _id: { $gt: after, $lt } })
      .sort({ _id: 1 })
      .limit(maxNoted)
      .toArray()
    if (noted.length > 0) yield noted
    after = noted.length < maxNoted ? undefined : noted.at(-1)?._id
  }
}

/** Deletes the entries of a process. */
export async function forgetNoted(db: Db, process: string): Promise<void> {
  await collectionOf(db).deleteMany({ ...ofProcess(process) })
}

async function forget(db: Db, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += maxNoted)
    await collectionOf(db).deleteMany({ _id: { $in: ids.slice(at, at + maxNoted) } })
}

const collectionOf = (db: Db): Collection<Noted> => db.collection<Noted>(underway)

/** An id is the process, a blank and a number. In ASCII, `!` follows the blank. */
const ofProcess = (process: string) => ({ _id: { $gte: `${process} `, $lt: `${process}!` } })
