import type { Collection } from 'mongodb'
import { filesIn } from '../../server/upload/files-in.js'
import type { FileDocument } from '../../server/upload/maintenance/file-documents.js'
import { adoptStore } from '../../server/upload/own-store.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import type { PendingContents } from '../../server/upload/pending-contents.js'
import { withContent, type OpenContent } from '../with-database.js'
import { openContents, withStores } from './with-stores.js'

type Media = OpenContent &
  Readonly<{
    files: Collection<FileDocument>
    providers: Providers
    contents: PendingContents
  }>

/** Opens the media library of the database that the service would use. */
export async function overMedia<T>(run: (media: Media) => Promise<T>): Promise<T> {
  return withContent('media', async (content) => {
    const { db, registry } = content
    return withStores(content, async (providers) => {
      const contents = openContents(content, registry, providers)
      const files = filesIn<FileDocument>(db, registry)
      return run({ ...content, files, providers, contents })
    })
  })
}

/** Records that this uploads folder contains the files of the database. */
export const adoptFolder = (): Promise<void> =>
  overMedia(async ({ db, providers }) => {
    for (const store of providers.all)
      if (store.marker !== undefined) {
        await adoptStore(db, store)
        console.log(`The files of this database are in ${store.marker.where} now.`)
      }
  })
