import { builtIn, typeOf } from '../../engine/schema/registry.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { FileDocument } from '../../server/upload/maintenance/file-documents.js'
import { openUnsettledContents } from '../../server/upload/unsettled-contents.js'
import { withContent } from '../with-database.js'
import type { Media } from './media.js'
import { withStores } from './with-stores.js'

/** Opens the media library of the database that the service would use, for one command. */
export async function overMedia<T>(run: (media: Media) => Promise<T>): Promise<T> {
  return withContent('media', { notes: false }, async (content) => {
    const { db, log, registry, alone } = content
    return withStores(content, async (providers) => {
      const collection = collectionOf(typeOf(registry, builtIn.file), 'published')
      const files = db.collection<FileDocument>(collection)
      const { settings } = content.config
      const contents = openUnsettledContents(
        { db, log, settings, registry: () => registry },
        { providers, alone },
      )
      return run({ db, registry, files, providers, contents, alone })
    })
  })
}
