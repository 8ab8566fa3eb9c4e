import type { Collection, Db } from 'mongodb'
import type { Providers } from '../storage-provider.js'
import type { StoredFile } from '../store-content.js'

/** The members of a file's entry that describe its content. */
export type FileDocument = StoredFile &
  Readonly<{ _id: number; documentId: string; name: string; mime: string; _revision: number }>

/** Dependencies of a check of the media library. */
export type CheckParts<Finding> = Readonly<{
  db: Db
  files: Collection<FileDocument>
  providers: Providers
  removes: boolean
  found: (finding: Finding) => void
}>

/** Files per batch, so that memory use does not grow with the library. */
const batchSize = 200

/** Iterates over files by record id, including those added meanwhile. */
export async function* allFiles(
  files: Collection<FileDocument>,
  query: object = {},
): AsyncGenerator<FileDocument> {
  const projection = { documentId: 1, name: 1, mime: 1, hash: 1, ext: 1, provider: 1, formats: 1 }
  let last = -1
  for (;;) {
    const batch = await files
      .find({ ...query, _id: { $gt: last } }, { projection })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray()
    const end = batch.at(-1)
    if (end === undefined) return
    yield* batch
    last = end._id
  }
}
