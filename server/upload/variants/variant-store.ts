import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Collection, Db } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import type { SentContent } from '../../http/route.js'
import type { PicturePool } from '../pictures/picture-pool.js'
import type { VariantOrder } from '../pictures/picture-job.js'
import { typeOfFormat } from '../pictures/type-of-format.js'
import { findContent } from '../serve-route.js'
import { tooManyPixels, type StoredPicture } from './plan-variant.js'
import type { Providers } from '../storage-provider.js'

/** What a file's entry says of it. */
export type FileRecord = Readonly<{
  hash: string
  ext: string
  mime: string
  width: number | null
  height: number | null
  focalPoint?: StoredPicture['focalPoint']
}>

/** A picture of which there may be variants. */
export type VariantOf = Pick<FileRecord, 'hash' | 'ext'>

/** The variants of pictures: each is drawn when it is first asked for, and kept as long as the picture. */
export type VariantStore = Readonly<{
  /**
   * The name and the content of a variant. Drawn once, however many ask at the same time. Throws `not-found` where the
   * picture is gone, `validation` where it cannot be drawn, `unavailable` where too many are drawn.
   */
  find: (
    of: VariantOf,
    order: VariantOrder,
  ) => Promise<Readonly<{ name: string; content: SentContent }>>
}>

/** `_id` is the name under which it is stored, `of` the hash of its picture: it goes with that. */
type VariantRecord = { _id: string; of: string; provider: string }

type Parts = Readonly<{
  db: Db
  providers: Providers
  /** The entries of files. */
  entries: () => Collection<FileRecord>
  makePictures: PicturePool['make']
  /** `upload.pictures.maxPixels`. */
  maxPixels: number
  /** A private folder for what is being drawn. */
  directory: string
}>

export function openVariantStore(parts: Parts): VariantStore {
  const { db, providers, entries, makePictures, maxPixels, directory } = parts
  const records = db.collection<VariantRecord>('_variants')
  const drawing = new Map<string, Promise<SentContent>>()

  const make = async (name: string, of: VariantOf, order: VariantOrder): Promise<SentContent> => {
    const folder = join(directory, randomUUID())
    await mkdir(folder, { mode: 0o700 })
    try {
      const original = await findContent(providers, `${of.hash}${of.ext}`)
      const source = await original?.open()
      if (source === undefined) throw fail('not-found')
      const path = join(folder, 'original')
      await pipeline(source, createWriteStream(path))
      const answer = await makePictures({ path, maxPixels, order })
      if (answer.is === 'too-large') throw tooManyPixels(answer.pixels, maxPixels)
      if (answer.is !== 'picture') throw notAPicture()
      await keep(name, of, createReadStream(answer.original.path), order)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const made = await findContent(providers, name)
    if (made === undefined) throw fail('not-found')
    return made
  }
  /** The record is there before the first byte, so whatever is stored goes with the picture. */
  const keep = async (
    name: string,
    { hash }: VariantOf,
    content: ReturnType<typeof createReadStream>,
    { format }: VariantOrder,
  ): Promise<void> => {
    const { chosen } = providers
    const record = { of: hash, provider: chosen.name }
    await records.updateOne({ _id: name }, { $set: record }, { upsert: true })
    await chosen.put(name, content, typeOfFormat[format])
    // Who removed the picture meanwhile may have looked before.
    if ((await entries().findOne({ hash }, { projection: { _id: 1 } })) !== null) return
    await chosen.remove(name)
    await records.deleteOne({ _id: name })
  }

  return {
    find: async (of, order) => {
      const name = variantName(of, order)
      const kept = await findContent(providers, name)
      if (kept !== undefined) return { name, content: kept }
      const made = drawing.get(name) ?? make(name, of, order).finally(() => drawing.delete(name))
      drawing.set(name, made)
      return { name, content: await made }
    },
  }
}

export const notAPicture = () =>
  fail('validation', { message: 'Only of pictures there are other sizes and formats' })

/** No file is called so: in the names that this service makes there is no hyphen. What is drawn otherwise has another. */
function variantName({ hash }: VariantOf, order: VariantOrder): string {
  const digits = createHash('sha256').update(JSON.stringify(order)).digest('hex').slice(0, 16)
  return `variant-${digits}_${hash}${typeOfFormat[order.format].ext}`
}
