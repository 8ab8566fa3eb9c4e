import type { Collection, Db } from 'mongodb'
import type { Providers, StorageProvider } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import type { FileDocument } from './file-documents.js'

export type BytesParts = Readonly<{
  db: Db
  files: Collection<FileDocument>
  providers: Providers
  removes: boolean
  found: (finding: BytesFinding) => void
}>

export type BytesFinding = Readonly<{
  kind: 'bytes-without-record'
  name: string
  provider: string
  /** In bytes. */
  size: number
}>

/** What is younger may be on its way into an entry. */
const youngMs = 60 * 60_000
const atOnce = 500

/**
 * Finds stored content that is older than an hour and that no file names, nor the record of one that is begun or
 * superseded, nor that of a variant; with `removes` it goes.
 */
export async function checkBytes(parts: BytesParts): Promise<void> {
  for (const store of parts.providers.all) {
    let batch: Stored[] = []
    for await (const one of store.list()) {
      if (Date.now() - one.modifiedAt.getTime() > youngMs) batch.push(one)
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
  const known = await namedOf(store, batch, parts)
  for (const { name, size } of batch) {
    if (known.has(name)) continue
    if (parts.removes) await store.remove(name)
    parts.found({ kind: 'bytes-without-record', name, provider: store.name, size })
  }
}

/** Names among these that somebody names. */
async function namedOf(
  { name: provider }: StorageProvider,
  batch: readonly Stored[],
  { db, files }: BytesParts,
): Promise<ReadonlySet<string>> {
  const names = batch.map(({ name }) => name)
  const hashes = [...new Set(names.flatMap(hashesIn))]
  const projection = { hash: 1, ext: 1, provider: 1, formats: 1 }
  const variants = db.collection<{ _id: string }>('_variants')
  const begun = db.collection<{ _id: string; names: readonly string[] }>('_contents')
  // What is begun first: what it names is named by an entry when it is not there any more.
  const pending = await begun.find({ _id: { $in: hashes } }).toArray()
  const [named, drawn] = await Promise.all([
    files.find({ provider, hash: { $in: hashes } }, { projection }).toArray(),
    variants.find({ _id: { $in: names } }, { projection: { _id: 1 } }).toArray(),
  ])
  return new Set([
    ...pending.flatMap((record) => record.names),
    ...named.flatMap((file) => namesOf(file).names),
    ...drawn.map(({ _id }) => _id),
  ])
}

/** The hashes that a stored name may be of: `small_cat_1a2b3c4d5e.png` is a file's, or a version of one's. */
function hashesIn(name: string): readonly string[] {
  const [stem = ''] = name.split('.')
  const words = stem.split('_')
  return words.map((_, at) => words.slice(at).join('_'))
}
