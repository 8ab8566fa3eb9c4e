import { collectionOf } from '../../../engine/schema/content-type.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Services } from '../../lifecycle/services.js'
import { createPlaces } from '../pictures/places.js'
import type { ServingStep } from '../serve-route.js'
import { serveVariant } from './serve-variant.js'
import { openVariantStore, type FileRecord, type VariantParts } from './variant-store.js'

type Parts = Pick<VariantParts, 'providers' | 'makePictures' | 'directory'> &
  Readonly<{
    /** `UPLOAD_SIGNING_KEY`. */
    key: string
  }>

/** Opens what serves other sizes of pictures. */
export async function openVariants(
  { db, registry, settings }: Pick<Services, 'db' | 'registry' | 'settings'>,
  { key, ...parts }: Parts,
): Promise<ServingStep> {
  const entries = () =>
    db.collection<FileRecord>(collectionOf(typeOf(registry(), builtIn.file), 'published'))
  await db.collection('_variants').createIndex({ of: 1 })
  const variants = openVariantStore({
    ...parts,
    db,
    entries,
    places: createPlaces({ parallel: settings['upload.pictures.parallel'] }),
    maxPixels: settings['upload.pictures.maxPixels'],
  })
  return serveVariant({ settings, key, entries, variants })
}
