import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../../engine/database/durability.js'
import type { Providers } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import { batchesOfFiles, type FileDocument } from './file-documents.js'

export type RecordsParts = Readonly<{
  db: Db
  files: Collection<FileDocument>
  providers: Providers
  removes: boolean
  found: (finding: RecordFinding) => void
}>

/** `unknown-provider`: nobody can say whether its content is there, and nothing is removed. */
export type RecordFinding = Readonly<{
  kind: 'record-without-bytes' | 'version-without-bytes' | 'unknown-provider'
  /** Of the stored content. */
  name: string
  /** Of the file. */
  documentId: string
}>

/**
 * Finds files whose content is gone, and smaller versions whose content is. With `removes` the entry of the file
 * goes, guarded by the content that it named; references to it are found by `removeMissingTargets`. A provider that
 * does not answer ends the check: what cannot be seen is not gone.
 */
export async function checkRecords(parts: RecordsParts): Promise<void> {
  for await (const batch of batchesOfFiles(parts.files))
    for (const file of batch) await checkRecord(file, parts)
}

async function checkRecord(file: FileDocument, parts: RecordsParts): Promise<void> {
  const { db, files, providers, removes, found } = parts
  const { _id, hash, provider, documentId } = file
  const [main = ''] = namesOf(file).names
  const store = providers.byName(provider)
  if (store === undefined) return found({ kind: 'unknown-provider', name: main, documentId })
  const guard = { _id, hash, provider }
  if ((await store.stat(main)) === undefined) {
    // It may have been replaced, moved or deleted while it was looked for.
    if ((await files.findOne(guard, { projection: { _id: 1 } })) === null) return
    if (removes) await files.deleteOne(guard, await writeConcern(db, true))
    return found({ kind: 'record-without-bytes', name: main, documentId })
  }
  for (const [key, version] of Object.entries(file.formats ?? {})) {
    const name = `${version.hash}${version.ext}`
    if ((await store.stat(name)) !== undefined) continue
    if ((await files.findOne(guard, { projection: { _id: 1 } })) === null) return
    if (removes) {
      const change = { $unset: { [`formats.${key}`]: '' as const }, $inc: { _revision: 1 } }
      await files.updateOne(guard, change, await writeConcern(db, true))
    }
    found({ kind: 'version-without-bytes', name, documentId })
  }
}
