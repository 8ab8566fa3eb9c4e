import type { Collection, Db } from 'mongodb'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { FileDocument } from '../../server/upload/maintenance/file-documents.js'
import { adoptStore } from '../../server/upload/own-store.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import {
  openUnsettledContents,
  type UnsettledContents,
} from '../../server/upload/unsettled-contents.js'
import { withContent } from '../with-database.js'
import { withStores } from './with-stores.js'

/** What a command about media works with. */
export type Media = Readonly<{
  db: Db
  registry: Registry
  files: Collection<FileDocument>
  providers: Providers
  contents: UnsettledContents
  /** Whether no other process can run over this database. */
  alone: boolean
}>

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

/** Records that the files of the database are in this folder of uploads, whichever was recorded before. */
export async function adoptFolder({ db, providers }: Media): Promise<boolean> {
  for (const store of providers.all)
    if (store.marker !== undefined) {
      await adoptStore(db, store)
      console.log(`The files of the database are in ${store.marker.where} from now on.`)
    }
  return true
}
