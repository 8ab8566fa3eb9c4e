import { randomUUID } from 'node:crypto'
import type { Document, Filter } from 'mongodb'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'
import { writeConcern } from '../../engine/database/durability.js'
import { notDone } from '../../engine/errors.js'
import type { Services } from '../lifecycle/services.js'
import { filesIn } from './files-in.js'
import type { Providers } from './storage-provider.js'
import type { VariantRecord } from './variants/variant-store.js'
import { withLock, type Check } from './with-lock.js'

/** The content of one file, with its smaller versions: under which names it is in which provider. */
export type ContentNames = Readonly<{ hash: string; provider: string; names: readonly string[] }>

/** Content that is being stored, and that no entry names yet. */
export type BegunContent = Awaited<ReturnType<UnsettledContents['begin']>>

/** What is stored and perhaps named by no entry: a record of it stands as long as that is so (docs/storage.md, "Files"). */
export type UnsettledContents = ReturnType<typeof openUnsettledContents>

/**
 * `_id` is the hash. `over`: it is being removed, and whoever still stores it is told. `by`: who stores it; the record
 * is no more theirs when it was superseded.
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
  /** Whether no other process can run over this database. */
  alone: boolean
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
  /** How long a client may wait until stored content is removed, in ms. */
  withinMs?: number
}>

/** Nobody stores it any more where it was not renewed for so long. */
const begunMs = 60 * 60_000
const renewMs = begunMs / 4
/** As long after it was due is a record kept of what an entry names: it may be about to be superseded. */
const namedMs = 10 * 60_000
const atOnce = 100
/** The default of `withinMs`. */
export const removalMs = 3_000
/** Of a store that did not do so in time, this long nobody who has a client waiting asks. */
const restMs = 30_000

export function openUnsettledContents(
  { db, log, registry, settings }: Pick<Services, 'db' | 'log' | 'registry' | 'settings'>,
  { providers, alone, now = () => performance.now(), withinMs = removalMs }: Parts,
) {
  const records = db.collection<ContentRecord>('_contents')
  const variants = db.collection<VariantRecord>('_variants')

  const save = async (filter: Filter<ContentRecord>, update: Document[], isLast: boolean) => {
    const options = { upsert: true, ...(await writeConcern(db, isLast)) }
    await records.updateOne(filter, update, options).catch((error: unknown) => {
      throw isDuplicateKey(error) ? notDone('What is there of the file is being removed') : error
    })
  }
  /** Throws where it cannot. The record goes last, so whoever is killed before has not forgotten anything. */
  const removeNow = async (content: ContentNames, signal?: AbortSignal) => {
    const { hash, provider, names } = content
    const store = providers.byName(provider)
    if (store === undefined) throw new Error(`There is no provider "${provider}"`)
    for (const name of names) await store.remove(name, signal)
    for (const variant of await variants.find({ of: hash }).toArray()) {
      await providers.byName(variant.provider)?.remove(variant._id, signal)
      await variants.deleteOne({ _id: variant._id })
    }
    // It may be of the same content elsewhere by now, which was superseded meanwhile.
    await records.deleteOne({ _id: hash, provider })
  }
  const remove = async (content: ContentNames, signal?: AbortSignal): Promise<boolean> => {
    try {
      await removeNow(content, signal)
      return true
    } catch (err) {
      log.warn({ err, file: content.hash }, 'The content of a file was not removed yet')
      return false
    }
  }

  const restingUntil = new Map<string, number>()
  /** For whom a client waits: the record stands, so nothing is lost where a store hangs. */
  const removeSoon = async (content: ContentNames) => {
    if (now() < (restingUntil.get(content.provider) ?? -Infinity)) return
    const signal = AbortSignal.timeout(withinMs)
    const isDone = await remove(content, signal)
    if (!isDone && signal.aborted) restingUntil.set(content.provider, now() + restMs)
  }

  /** Of these, which an entry names where they are. */
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
    // From now on nobody makes an entry of one; what was renewed meanwhile is no more due.
    await records.updateMany({ ...hashes, ...isDue }, { $set: { over: true } })
    const over = await records.find({ ...hashes, over: true }).toArray()
    const named = await namedOf(over)
    let count = 0
    for (const { _id, provider, names } of over) {
      // It may be named because it is superseded just now, and the entry is not written yet.
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
    /** Before its first byte is stored. Throws `unavailable` where what is there under its names is being removed. */
    begin: async (content: ContentNames) => {
      const by = randomUUID()
      const update = [{ $set: { ...recordOf(content, begunMs), by } }, { $unset: 'over' }]
      // Who has begun to remove it would go on. Bytes may be on another disk sooner than this is on the database's.
      await save({ _id: content.hash, over: { $ne: true } }, update, true)
      return holdContent(content, by)
    },
    /** Before an entry ceases to name it. */
    supersede: async (content: ContentNames): Promise<void> => {
      const record = recordOf(content, settings['upload.keepReplacedMs'])
      await save({ _id: content.hash }, [{ $set: record }, { $unset: ['over', 'by'] }], false)
    },
    /** When no entry names it any more: removes it within `withinMs`, or with a sweep if that fails. */
    remove: removeSoon,
    /** Removes what is due and named by no entry; answers how many contents there were. */
    sweep: async (): Promise<number> => {
      const lost = (err: unknown) => log.warn({ err }, 'The sweep is left to another')
      const another = new Error('Another process sweeps')
      const busy = () => another
      const lock = { db, _id: 'sweeping-contents', alone, tries: 0, lost, busy }
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
      log.warn({ err, file: content.hash }, 'What is known of a content was not written')
    const timer = setInterval(() => void renew().catch(warn), renewMs).unref()
    /** Whether nobody ended it before. */
    const end = (): boolean => {
      clearInterval(timer)
      const isFirst = !isOver
      isOver = true
      return isFirst
    }
    return {
      /** Call before the entry is written. Throws `unavailable` where the content was taken for abandoned. */
      hold: async (): Promise<void> => {
        if (now() - renewedAt < 2 * renewMs || (await renew())) return
        throw notDone('The upload took too long and was given up')
      },
      /** The entry is there. */
      settle: async (): Promise<void> => {
        if (end()) await records.deleteOne({ _id: content.hash, by }).catch(warn)
      },
      /** There will be no entry: removes what is stored, within `withinMs` or with a sweep. */
      discard: async (): Promise<void> => {
        if (end()) await removeSoon(content)
      },
      /** Nobody knows whether the entry is there: a sweep will. */
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
