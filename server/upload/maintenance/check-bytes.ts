import type { Db } from 'mongodb'
import { isGivenName } from '../file-name.js'
import { checkOwnStore } from '../own-store.js'
import type { StorageProvider } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import type { VariantRecord } from '../variants/variant-store.js'
import type { CheckParts } from './file-documents.js'

type BytesParts = CheckParts<
  Readonly<{
    name: string
    provider: string
    size: number
    isRemoved: boolean
  }>
>

/** Minimum age of orphans. More recent content may still get an entry. */
const youngMs = 60 * 60_000
const atOnce = 500

/**
 * Finds orphaned content, and deletes it if `removes` is set. Content is orphaned if it is older than an hour, and no
 * file, `_contents` record or variant in use names it. Keeps copies that the file's own provider lacks, and names that
 * Quire did not create. Keeps everything if the database has no files, because it may be the wrong database. Throws if
 * a provider's folder belongs to another database.
 */
export async function checkBytes(given: BytesParts): Promise<void> {
  const isEmpty = (await given.files.findOne({}, { projection: { _id: 1 } })) === null
  const parts = { ...given, removes: given.removes && !isEmpty }
  for (const store of parts.providers.all) {
    let batch: Stored[] = []
    for await (const one of store.list()) {
      const isOld = Date.now() - one.modifiedAt.getTime() > youngMs
      if (isOld && isGivenName(one.name)) batch.push(one)
      if (batch.length < atOnce) continue
      await checkBatch(store, batch, parts)
      batch = []
    }
    await checkBatch(store, batch, parts)
  }
}

type Stored = Readonly<{ name: string; size: number }>

async function checkBatch(
  store: StorageProvider,
  batch: readonly Stored[],
  parts: BytesParts,
): Promise<void> {
  if (batch.length === 0) return
  await checkOwnStore(parts.db, store)
  const known = await namedOf(store, batch, parts)
  for (const { name, size } of batch) {
    if (known.has(name)) continue
    if (parts.removes) {
      await store.remove(name)
      await variantsIn(parts.db).deleteOne({ _id: name, provider: store.name })
    }
    parts.found({ name, provider: store.name, size, isRemoved: parts.removes })
  }
}

/** Returns the names of a batch that are in use. */
async function namedOf(
  store: StorageProvider,
  batch: readonly Stored[],
  { db, files, providers }: BytesParts,
): Promise<ReadonlySet<string>> {
  const names = batch.map(({ name }) => name)
  const hashes = [...new Set(names.flatMap(hashesIn))]
  const projection = { hash: 1, ext: 1, provider: 1, formats: 1 }
  const begun = db.collection<{ _id: string; names: readonly string[] }>('_contents')
  // Read the records of unfinished uploads and superseded content before and after the entries: an upload has a record
  // until its entry exists, and superseded content gets one before its entry changes.
  const before = await begun.find({ _id: { $in: hashes } }).toArray()
  const [named, drawn] = await Promise.all([
    files.find({ hash: { $in: hashes } }, { projection }).toArray(),
    variantsIn(db)
      .find({ _id: { $in: names } })
      .toArray(),
  ])
  const pending = [...before, ...(await begun.find({ _id: { $in: hashes } }).toArray())]
  // A variant can outlive its picture, because a process can be killed before it notices that the picture was deleted.
  // So variants are in use only if their picture is.
  const living = new Set([...named.map(({ hash }) => hash), ...pending.map(({ _id }) => _id)])
  const stored = new Set(names)
  const kept: string[] = []
  for (const file of named)
    for (const name of namesOf(file).names)
      // Keep a copy of content that belongs to another provider only if that provider lacks it.
      if (
        file.provider === store.name ||
        (stored.has(name) && !(await providers.byName(file.provider)?.stat(name)))
      )
        kept.push(name)
  return new Set([
    ...kept,
    ...pending.flatMap((record) => record.names),
    ...drawn.filter(({ of }) => living.has(of)).map(({ _id }) => _id),
  ])
}

const variantsIn = (db: Db) => db.collection<VariantRecord>('_variants')

/** `small_cat_1a2b3c4d5e.png` may be the file with that hash, or a version of `cat_1a2b3c4d5e`. */
function hashesIn(name: string): readonly string[] {
  const [stem = ''] = name.split('.')
  const words = stem.split('_')
  return words.map((_, at) => words.slice(at).join('_'))
}
