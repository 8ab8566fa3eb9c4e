import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../../engine/database/durability.js'
import type { Providers, StorageProvider } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import { allFiles, type CheckParts, type FileDocument } from './file-documents.js'
import { checkOwnStore } from '../own-store.js'

type RecordsParts = CheckParts<RecordFinding>

/**
 * A problem with the content of an entry. For `bytes-elsewhere` and `unknown-provider`, nothing is removed, because the
 * content may still exist.
 */
type RecordFinding = Readonly<{
  kind: 'record-without-bytes' | 'version-without-bytes' | 'bytes-elsewhere' | 'unknown-provider'
  /** Name of the stored content. */
  name: string
  documentId: string
  /** The provider that the file's entry names. */
  provider: string
  /** The provider that has the content instead. */
  elsewhere?: string
}>

/**
 * Finds files and versions whose content no provider has. If `removes` is set, deletes them, unless changed meanwhile.
 * Throws if a provider is unreachable, or has none of its files: its folder may be wrong or a volume not mounted.
 */
export async function checkRecords(parts: RecordsParts): Promise<void> {
  const isInPlace = createInPlace(parts.db, parts.files)
  for await (const file of allFiles(parts.files)) await checkRecord(file, parts, isInPlace)
}

async function checkRecord(
  file: FileDocument,
  parts: RecordsParts,
  isInPlace: InPlace,
): Promise<void> {
  const { db, files, providers, removes, found } = parts
  const { _id, hash, provider, documentId } = file
  const [main = ''] = namesOf(file).names
  const store = providers.byName(provider)
  const of = { documentId, provider }
  if (store === undefined) return found({ kind: 'unknown-provider', name: main, ...of })
  const guard = { _id, hash, provider }
  /** Returns whether the content exists; undefined if the file was replaced, moved or deleted meanwhile. */
  const stat = async (name: string): Promise<'there' | 'gone' | undefined> => {
    if ((await store.stat(name)) !== undefined) return 'there'
    await isInPlace(store)
    const elsewhere = await findElsewhere(name, store, providers)
    if ((await files.findOne(guard, { projection: { _id: 1 } })) === null) return undefined
    if (elsewhere === undefined) return 'gone'
    found({ kind: 'bytes-elsewhere', name, ...of, elsewhere })
    return 'there'
  }
  const seen = await stat(main)
  if (seen === 'gone') {
    if (removes) await files.deleteOne(guard, await writeConcern(db, true))
    found({ kind: 'record-without-bytes', name: main, ...of })
  }
  if (seen !== 'there') return
  for (const [key, version] of Object.entries(file.formats ?? {})) {
    const name = `${version.hash}${version.ext}`
    const state = await stat(name)
    if (state === undefined) return
    if (state === 'there') continue
    if (removes) {
      const change = { $unset: { [`formats.${key}`]: '' as const }, $inc: { _revision: 1 } }
      await files.updateOne(guard, change, await writeConcern(db, true))
    }
    found({ kind: 'version-without-bytes', name, ...of })
  }
}

async function findElsewhere(
  name: string,
  store: StorageProvider,
  { all }: Providers,
): Promise<string | undefined> {
  for (const other of all)
    if (other !== store && (await other.stat(name)) !== undefined) return other.name
  return undefined
}

type InPlace = ReturnType<typeof createInPlace>

/**
 * Returns a function that throws if a provider belongs to another database or has none of its files. Call it each time
 * before content is reported as missing, because volumes can be unmounted.
 */
function createInPlace(db: Db, files: Collection<FileDocument>) {
  const witnesses = new Map<string, string>()
  const findWitness = async (store: StorageProvider): Promise<string | undefined> => {
    for await (const file of allFiles(files, { provider: store.name })) {
      const [name = ''] = namesOf(file).names
      if ((await store.stat(name)) !== undefined) return name
    }
    return undefined
  }
  return async (store: StorageProvider): Promise<void> => {
    await checkOwnStore(db, store)
    const known = witnesses.get(store.name)
    if (known !== undefined && (await store.stat(known)) !== undefined) return
    const found = await findWitness(store)
    if (found === undefined)
      throw new Error(
        `None of the files that the database records in ${store.name} exists there. Perhaps ${whereTo[store.name]}. The check stopped, and removed no records of these files.`,
      )
    witnesses.set(store.name, found)
  }
}

const whereTo: Readonly<Record<StorageProvider['name'], string>> = {
  local: 'DATA_DIR is wrong, or a volume is not mounted',
  gridfs: 'it is the wrong database',
  s3: 'upload.s3.bucket or upload.s3.prefix is wrong',
}
