import { randomUUID } from 'node:crypto'
import type { Document, Filter } from 'mongodb'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'
import { writeConcern } from '../../engine/database/durability.js'
import { notDone } from '../../engine/errors.js'
import type { Services } from '../services.js'
import { filesIn } from './files-in.js'
import type { Providers } from './storage-provider.js'
import type { VariantRecord } from './variants/variant-store.js'
import { withLock, type Check } from './with-lock.js'

/** Stored names of a file and its smaller versions, and their provider. */
export type ContentNames = Readonly<{ hash: string; provider: string; names: readonly string[] }>

/** Content that is being stored and has no entry yet. */
export type PendingUpload = Awaited<ReturnType<PendingContents['begin']>>

/**
 * Records of content that may have no entry, each kept until the content has an entry or is removed
 * (docs/internals/storage.md, "Files").
 */
export type PendingContents = ReturnType<typeof openPendingContents>

/**
 * A record of content. `_id` is the hash. `over` means that the content is being removed, so its writer, `by`, must
 * stop. Superseded content has no writer.
 */
type ContentRecord = {
  _id: string
  provider: string
  names: readonly string[]
  due: Date
  over?: true
  by?: string
}

type Parts = Readonly<{
  providers: Providers
  /** Whether only this process can use the database. */
  singleProcess: boolean
  now?: () => number
  /** How long a request waits for the removal of content. */
  withinMs?: number
}>

/** Time without renewal after which content counts as abandoned. */
const begunMs = 60 * 60_000
const renewMs = begunMs / 4
/**
 * A due record whose content an entry still refers to is deleted after this time. Until then, a request may be about to
 * replace the content.
 */
const namedMs = 10 * 60_000
const atOnce = 100
/** Default of `withinMs`. */
export const removalMs = 3_000
/** After a timeout of a store, requests leave removals to sweeps for this long. */
const restMs = 30_000

export function openPendingContents(
  { db, log, registry, settings }: Pick<Services, 'db' | 'log' | 'registry' | 'settings'>,
  { providers, singleProcess, now = () => performance.now(), withinMs = removalMs }: Parts,
) {
  const records = db.collection<ContentRecord>('_contents')
  const variants = db.collection<VariantRecord>('_variants')

  const save = async (filter: Filter<ContentRecord>, update: Document[], isLast: boolean) => {
    const options = { upsert: true, ...(await writeConcern(db, isLast)) }
    await records.updateOne(filter, update, options).catch((error: unknown) => {
      throw isDuplicateKey(error) ? notDone('The content of the file is being deleted') : error
    })
  }
  /**
   * Removes content and its variants, or throws. Deletes the record last, so that an interrupted removal is repeated.
   */
  const removeNow = async (content: ContentNames, signal?: AbortSignal) => {
    const { hash, provider, names } = content
    const store = providers.byName(provider)
    if (store === undefined) throw new Error(`There is no provider "${provider}"`)
    for (const name of names) await store.remove(name, signal)
    for (const variant of await variants.find({ of: hash }).toArray()) {
      await providers.byName(variant.provider)?.remove(variant._id, signal)
      await variants.deleteOne({ _id: variant._id })
    }
    // Match the provider too, because the record may be a new one with the same hash.
    await records.deleteOne({ _id: hash, provider })
  }
  const remove = async (content: ContentNames, signal?: AbortSignal): Promise<boolean> => {
    try {
      await removeNow(content, signal)
      return true
    } catch (err) {
      log.warn({ err, file: content.hash }, 'The content of a file is not deleted yet')
      return false
    }
  }

  const restingUntil = new Map<string, number>()
  /** Removes content while a client waits. If the store is slow, the record remains for a sweep. */
  const removeSoon = async (content: ContentNames) => {
    if (now() < (restingUntil.get(content.provider) ?? -Infinity)) return
    const signal = AbortSignal.timeout(withinMs)
    const isDone = await remove(content, signal)
    if (!isDone && signal.aborted) restingUntil.set(content.provider, now() + restMs)
  }

  /** Returns `<provider> <hash>` of due contents to which an entry refers. */
  const namedOf = async (due: readonly ContentRecord[]): Promise<ReadonlySet<string>> => {
    const named = filesIn<Omit<ContentNames, 'names'>>(db, registry()).find(
      { hash: { $in: due.map(({ _id }) => _id) } },
      { projection: { _id: 0, hash: 1, provider: 1 } },
    )
    return new Set(await named.map(({ hash, provider }) => `${provider} ${hash}`).toArray())
  }
  const known = { provider: { $in: providers.all.map(({ name }) => name) } }
  const sweepBatch = async (due: readonly ContentRecord[]): Promise<number> => {
    const hashes = { _id: { $in: due.map(({ _id }) => _id) } }
    // From now on, no entry can be created for these contents. Records renewed meanwhile are no longer due.
    await records.updateMany({ ...hashes, ...isDue }, { $set: { over: true } })
    const over = await records.find({ ...hashes, over: true }).toArray()
    const named = await namedOf(over)
    let count = 0
    for (const { _id, provider, names } of over) {
      // An entry still refers to this content. A request may have called `supersede` and not changed the entry yet.
      if (named.has(`${provider} ${_id}`))
        await records.deleteOne({ _id, over: true, ...isLongDue })
      else if (await remove({ hash: _id, provider, names })) count += 1
    }
    return count
  }
  const sweepAll = async (check: Check): Promise<number> => {
    let count = 0
    let last = ''
    for (;;) {
      const query = { _id: { $gt: last }, ...known, ...isDue }
      const due = await records.find(query).sort({ _id: 1 }).limit(atOnce).toArray()
      const end = due.at(-1)
      if (end === undefined) return count
      await check()
      count += await sweepBatch(due)
      last = end._id
    }
  }

  return {
    /**
     * Call this before the first byte is stored. Throws `unavailable` while content with this hash is being removed.
     */
    begin: async (content: ContentNames) => {
      const by = randomUUID()
      const update = [{ $set: { ...recordOf(content, begunMs), by } }, { $unset: 'over' }]
      // Content of an `over` record is being removed. The record must be on disk before the content, so write it
      // durably.
      await save({ _id: content.hash, over: { $ne: true } }, update, true)
      return holdContent(content, by)
    },
    /** Call this before an entry stops referring to the content. */
    supersede: async (content: ContentNames): Promise<void> => {
      const record = recordOf(content, settings['upload.keepReplacedMs'])
      await save({ _id: content.hash }, [{ $set: record }, { $unset: ['over', 'by'] }], false)
    },
    /**
     * Removes content. Call this when no entry refers to it. Takes at most `withinMs`, then leaves the removal to a
     * sweep.
     */
    remove: removeSoon,
    /** Removes due content without an entry. Returns the number of removed contents. */
    sweep: async (): Promise<number> => {
      const lost = (err: unknown) => log.warn({ err }, 'Another instance deletes orphaned content')
      const another = new Error('Another process sweeps')
      const busy = () => another
      const lock = { db, _id: 'sweeping-contents', singleProcess, tries: 0, lost, busy }
      return withLock(lock, sweepAll).catch((error: unknown) => {
        if (error === another) return 0
        throw error
      })
    },
  }

  function holdContent(content: ContentNames, by: string) {
    let renewedAt = now()
    let isOver = false
    const renew = async (): Promise<boolean> => {
      const at = now()
      const mine = { _id: content.hash, by, over: { $ne: true } } as const
      const { matchedCount } = await records.updateOne(mine, [{ $set: { due: dueIn(begunMs) } }])
      if (matchedCount > 0) renewedAt = at
      return matchedCount > 0
    }
    const warn = (err: unknown) =>
      log.warn({ err, file: content.hash }, 'The record of file content was not written')
    const timer = setInterval(() => void renew().catch(warn), renewMs).unref()
    /** Stops renewing the record. Returns whether this was the first call. */
    const end = (): boolean => {
      clearInterval(timer)
      const isFirst = !isOver
      isOver = true
      return isFirst
    }
    return {
      /** Call this before the entry is written. Throws `unavailable` if the content counts as abandoned. */
      hold: async (): Promise<void> => {
        if (now() - renewedAt < 2 * renewMs || (await renew())) return
        throw notDone('The upload took too long and was aborted')
      },
      /** Call this when the entry exists. */
      settle: async (): Promise<void> => {
        if (end()) await records.deleteOne({ _id: content.hash, by }).catch(warn)
      },
      /** Call this if no entry will be created. Takes at most `withinMs`, then leaves the content to a sweep. */
      discard: async (): Promise<void> => {
        if (end()) await removeSoon(content)
      },
      /** Call this if it is unknown whether the entry exists. If it does not, a sweep removes the content. */
      leave: () => void end(),
    }
  }
}

const dueIn = (ms: number) => ({ $add: ['$$NOW', ms] })
const recordOf = ({ provider, names }: ContentNames, ms: number) => ({
  provider,
  names: { $literal: [...names] },
  due: dueIn(ms),
})
const isDue = { $expr: { $lt: ['$due', '$$NOW'] } }
const isLongDue = { $expr: { $lt: ['$due', dueIn(-namedMs)] } }
