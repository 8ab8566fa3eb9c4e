import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Collection, Db } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import type { SentContent } from '../../http/route.js'
import type { PicturePool } from '../pictures/picture-pool.js'
import type { PictureSlots } from '../pictures/picture-slots.js'
import type { VariantOrder } from '../pictures/picture-job.js'
import { typeOfFormat } from '../pictures/type-of-format.js'
import { findContent } from '../serve-route.js'
import { tooManyPixels, type StoredPicture } from './plan-variant.js'
import type { Providers } from '../storage-provider.js'

/** The members of a file's entry that variants need. */
export type FileRecord = Readonly<{
  hash: string
  ext: string
  mime: string
  width: number | null
  height: number | null
  focalPoint?: StoredPicture['focalPoint']
}>

/** A picture of which variants can be drawn. */
export type VariantOf = Pick<FileRecord, 'hash' | 'ext'> & StoredPicture

type Variant = Readonly<{ name: string; content: SentContent }>

/** A record by which a variant is removed with its picture. `_id` is the stored name, `of` the hash of the picture. */
export type VariantRecord = {
  _id: string
  of: string
  provider: string
  /** The picture when the variant was drawn; its entry may have changed since. */
  picture: StoredPicture
  /** Crops that differ only in the focal point have the same value; null if nothing is cropped. */
  cropOf: string | null
  keptAt: Date
}

export type VariantParts = Readonly<{
  db: Db
  providers: Providers
  entries: () => Collection<FileRecord>
  makePictures: PicturePool['make']
  /** Limits how many variants are fetched, drawn and stored at once. */
  slots: PictureSlots
  /** The setting `upload.pictures.maxPixels`. */
  maxPixels: number
  /** Folder for temporary files that no other program uses. */
  directory: string
}>

/** Opens the store of variants, which are drawn on first request and kept as long as their picture. */
export function openVariantStore(parts: VariantParts) {
  const { db, providers, entries, makePictures, slots, maxPixels, directory } = parts
  const records = db.collection<VariantRecord>('_variants')
  const draw = createSharedWork()

  const make = async (name: string, of: VariantOf, order: VariantOrder, signal: AbortSignal) => {
    // Wait for a slot before fetching anything, because anybody may send such requests.
    const leave = await slots.take(signal)
    const folder = join(directory, randomUUID())
    try {
      await mkdir(folder, { mode: 0o700 })
      const original = await findContent(providers, `${of.hash}${of.ext}`)
      const source = await original?.open()
      if (source === undefined) throw fail('not-found')
      const path = join(folder, 'original')
      await pipeline(source, createWriteStream(path), { signal })
      const answer = await makePictures({ path, maxPixels, order }, signal)
      if (answer.is === 'too-large') throw tooManyPixels(answer.pixels, maxPixels)
      if (answer.is !== 'picture') throw notAPicture()
      await keep(name, of, createReadStream(answer.original.path), order)
    } finally {
      leave()
      await rm(folder, { recursive: true, force: true })
    }
    const made = await findContent(providers, name)
    if (made === undefined) throw fail('not-found')
    return made
  }
  /** Stores a variant. Writes its record first, so that the variant is certainly removed with its picture. */
  const keep = async (
    name: string,
    { hash, mime, width, height, focalPoint = null }: VariantOf,
    content: ReturnType<typeof createReadStream>,
    order: VariantOrder,
  ): Promise<void> => {
    const { chosen } = providers
    const picture = { mime, width, height, focalPoint }
    const cropOf = order.crop === undefined ? null : cropKey(order)
    const record = { of: hash, provider: chosen.name, picture, cropOf, keptAt: new Date() }
    await records.updateOne({ _id: name }, { $set: record }, { upsert: true })
    await chosen.put(name, content, typeOfFormat[order.format])
    // If the picture was deleted before the record existed, nothing else would remove the variant.
    if ((await entries().findOne({ hash }, { projection: { _id: 1 } })) === null) {
      await chosen.remove(name)
      await records.deleteOne({ _id: name })
    } else if (cropOf !== null) await removePreviousCrops(name, hash, cropOf)
  }
  /**
   * Removes crops around previous focal points. If that fails, they are removed with the next stored variant or with
   * the picture.
   */
  const removePreviousCrops = async (name: string, of: string, cropOf: string) => {
    try {
      for await (const { _id, provider } of records.find({ of, cropOf, _id: { $ne: name } })) {
        await providers.byName(provider)?.remove(_id)
        await records.deleteOne({ _id })
      }
    } catch {
      // The content may still exist, so its record remains, by which it is removed later.
    }
  }

  return {
    /**
     * Returns a variant. If it is missing, draws it, once for all concurrent requests; stops when all of them have
     * aborted. Throws `not-found` if the picture no longer exists, `validation` if it cannot be drawn, and
     * `unavailable` if the queue is full.
     */
    find: async (of: VariantOf, order: VariantOrder, signal: AbortSignal): Promise<Variant> => {
      const name = variantName(of.hash, order)
      const content =
        (await findContent(providers, name)) ??
        (await draw(name, signal, (over) => make(name, of, order, over)))
      return { name, content }
    },
    /** Returns a stored variant of a picture that no longer has an entry. */
    findKept: async (
      hash: string,
      plan: (picture: StoredPicture) => VariantOrder,
    ): Promise<Variant | undefined> => {
      const newest = records
        .find({ of: hash, picture: { $exists: true } })
        .sort({ keptAt: -1 })
        .limit(maxPrevious)
      const pictures = await newest.map(({ picture }) => picture).toArray()
      // These descriptions of the picture differ at most in the focal point.
      const names = new Set(pictures.map((picture) => variantName(hash, plan(picture))))
      const one = await records.findOne({ _id: { $in: [...names] } }, { sort: { keptAt: -1 } })
      const content = one === null ? undefined : await findContent(providers, one._id)
      return one === null || content === undefined ? undefined : { name: one._id, content }
    },
  }
}

/** Maximum number of stored variants whose focal points are tried. */
const maxPrevious = 100

export const notAPicture = () => fail('validation', 'Only pictures have other sizes and formats')

const cropKey = ({ format, quality, size, crop }: VariantOrder): string =>
  JSON.stringify([format, quality, size.width, size.height, crop?.width, crop?.height])

/** Returns the name of a variant. The hyphen distinguishes it from names of files. */
function variantName(hash: string, order: VariantOrder): string {
  const digits = createHash('sha256').update(JSON.stringify(order)).digest('hex').slice(0, 16)
  return `variant-${digits}_${hash}${typeOfFormat[order.format].ext}`
}

type Work = (signal: AbortSignal) => Promise<SentContent>
type Running = { waiters: number; over: AbortController; done: Promise<SentContent> }

/** Shares running work among concurrent requests with the same key. Aborts it when all of them have aborted. */
function createSharedWork() {
  const running = new Map<string, Running>()

  const start = (key: string, work: Work): Running => {
    const over = new AbortController()
    const started = {
      waiters: 0,
      over,
      done: work(over.signal).finally(() => forget(key, started)),
    }
    running.set(key, started)
    return started
  }
  const forget = (key: string, one: Running) => {
    if (running.get(key) === one) running.delete(key)
  }

  /**
   * Waits for the work with this key, and starts it if necessary.
   * @param work gets a signal that aborts when no request waits any more
   */
  return async (key: string, signal: AbortSignal, work: Work): Promise<SentContent> => {
    signal.throwIfAborted()
    const shared = running.get(key) ?? start(key, work)
    shared.waiters += 1
    const leave = () => {
      shared.waiters -= 1
      if (shared.waiters > 0) return
      // Forget the aborted work, so that a later request starts it again.
      forget(key, shared)
      shared.over.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await shared.done
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
