import { collectionOf } from '../../engine/schema/content-type.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import { makeTempFolder } from '../database/temp-folder.js'
import type { PicturePool } from '../upload/pictures/picture-pool.js'
import { createPlaces } from '../upload/pictures/places.js'
import type { ServingStep } from '../upload/serve-route.js'
import type { Providers } from '../upload/storage-provider.js'
import { serveVariant } from '../upload/variants/serve-variant.js'
import { openVariantStore, type FileRecord } from '../upload/variants/variant-store.js'
import type { Closing } from './closing.js'
import type { Services } from './services.js'

type Parts = Readonly<{
  dataDir: string
  /** `UPLOAD_SIGNING_KEY`. */
  key: string
  providers: Providers
  makePictures: PicturePool['make']
  closing: Closing
}>

/** What serves other sizes of pictures, with a folder of its own for what is being drawn. */
export async function openVariants(
  { db, registry, settings }: Pick<Services, 'db' | 'registry' | 'settings'>,
  { dataDir, key, providers, makePictures, closing }: Parts,
): Promise<ServingStep> {
  const { path: directory, remove } = await makeTempFolder(dataDir)
  closing.add('The folder of variants', remove)
  const entries = () =>
    db.collection<FileRecord>(collectionOf(typeOf(registry(), builtIn.file), 'published'))
  await db.collection('_variants').createIndex({ of: 1 })
  const variants = openVariantStore({
    db,
    providers,
    entries,
    makePictures,
    directory,
    places: createPlaces({ parallel: settings['upload.pictures.parallel'] }),
    maxPixels: settings['upload.pictures.maxPixels'],
  })
  return serveVariant({ settings, key, entries, variants })
}
