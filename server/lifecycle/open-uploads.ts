import { join } from 'node:path'
import type { Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import type { Documents } from '../content/documents.js'
import { makeTempFolder } from '../database/temp-folder.js'
import type { Route } from '../http/route.js'
import type { Config } from '../settings/config.js'
import { serveAllowed } from '../upload/file-access.js'
import { adminUploadRoutes } from '../upload/folders/admin-upload-routes.js'
import { listDisallowedFiles } from '../upload/list-disallowed-files.js'
import { checkOwnStores } from '../upload/own-store.js'
import type { PicturePool } from '../upload/pictures/picture-pool.js'
import { checkS3 } from '../upload/providers/check-s3.js'
import { createProviders } from '../upload/providers/create-providers.js'
import { s3OptionsOf } from '../upload/providers/s3-options.js'
import { uploadRoutes } from '../upload/routes.js'
import { serveByLink } from '../upload/serve-by-link.js'
import { serveRoute } from '../upload/serve-route.js'
import type { Providers } from '../upload/storage-provider.js'
import { sweepContents, sweepUnfinished } from '../upload/sweeps.js'
import { openPendingContents } from '../upload/pending-contents.js'
import { openVariants } from '../upload/variants/open-variants.js'
import { openPictures } from './open-pools.js'
import type { ServiceOptions } from './service-options.js'
import type { Services } from '../services.js'

/**
 * Opens and checks the file stores. Throws if S3 cannot be used. Also throws if `upload.onOtherFolder` is `refuse` and
 * the upload folder belongs to another database.
 */
export async function openProviders(
  { settings, s3Credentials, dataDir }: Config,
  { db, registry, singleProcess }: Readonly<{ db: Db; registry: Registry; singleProcess: boolean }>,
  { log, closing }: ServiceOptions,
): Promise<Providers> {
  const chosen = settings['upload.provider']
  const s3 = s3OptionsOf(settings, s3Credentials)
  if (chosen === 's3' && s3 !== undefined) await checkS3(s3, log)
  const providers = createProviders({ chosen, db, directory: join(dataDir, 'uploads'), s3 })
  for (const { name, close } of providers.all)
    if (close !== undefined) closing.add(`The files in ${name}`, close)
  await checkOwnStores(settings, { db, log, registry, providers, singleProcess })
  return providers
}

type Parts = Readonly<{
  providers: Providers
  /** `UPLOAD_SIGNING_KEY`, which signs links to private files. */
  key: string
  /** Reads files together with their folders, for admins. */
  library: Documents
  singleProcess: boolean
}>

/** Opens uploads, image processing and file serving, and starts to delete unused files. */
export async function openUploads(
  dataDir: string,
  services: Services,
  { providers, key, library, singleProcess }: Parts,
  options: ServiceOptions,
): Promise<Readonly<{ pictures: PicturePool; routes: readonly Route[] }>> {
  const { log, closing } = options
  const { settings } = services
  closing.add('The deletion of unfinished files', sweepUnfinished(providers.all, log))
  const contents = openPendingContents(services, { providers, singleProcess })
  closing.add('The deletion of orphaned files', sweepContents(contents, log))
  if (settings['upload.enforceAllowedTypes']) {
    const stop = new AbortController()
    const listed = listDisallowedFiles(services, stop.signal)
    closing.add('The check of media', () => (stop.abort(), listed))
  }
  const pictures = openPictures(settings, options)
  const makePictures = pictures.make
  const { path: directory, remove } = await makeTempFolder(dataDir)
  closing.add('The folder of variants', remove)
  const serveVariants = await openVariants(services, key, { providers, makePictures, directory })
  const uploads = uploadRoutes(services, { providers, contents, makePictures })
  const serving = serveRoute(providers, [
    ...(settings['upload.private'] ? [serveAllowed(key)] : []),
    // `serveVariants` must come before `serveByLink`, which would redirect to the original image.
    serveVariants,
    serveByLink(providers),
  ])
  const forAdmins = adminUploadRoutes(services, uploads, library, singleProcess)
  const routes = [...uploads.routes, ...forAdmins, serving]
  return { pictures, routes }
}
