import type { Collection, Db } from 'mongodb'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import {
  batchesOfFiles,
  type FileDocument,
} from '../../server/upload/maintenance/file-documents.js'
import { namesOf } from '../../server/upload/store-content.js'
import type { UnsettledContents } from '../../server/upload/unsettled-contents.js'

/** Takes all files of the media library away, with their content. It may be repeated. */
export async function clearFiles(
  db: Db,
  registry: Registry,
  contents: UnsettledContents,
): Promise<void> {
  const files: Collection<FileDocument> = db.collection(
    typeOf(registry, builtIn.file).collectionName,
  )
  for await (const batch of batchesOfFiles(files))
    for (const file of batch) {
      // Whoever is killed between these leaves a record by which the content is found.
      await contents.supersede(namesOf(file))
      await files.deleteOne({ _id: file._id })
      await contents.remove(namesOf(file))
    }
}
