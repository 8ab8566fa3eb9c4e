import type { Executor, ReadTarget } from '../../engine/read.js'
import { createMeter } from '../../workers/meter.js'
import type { DocumentsParts } from '../content/documents-parts.js'
import { createDocuments } from '../content/create-documents.js'
import type { Route } from '../http/route.js'
import type { Settings } from '../settings/settings.js'
import { createAdminMedia } from '../upload/folders/admin-media.js'
import { adminUploadRoutes } from '../upload/folders/admin-upload-routes.js'
import { withFolders } from '../upload/folders/folder-types.js'
import { createFolders, maxFolders } from '../upload/folders/folders.js'
import type { Services } from './services.js'

type Parts = Readonly<{
  executor: Executor
  /** How addresses of files are shown; undefined = as they are stored. */
  links: (() => ReadTarget['links']) | undefined
  /** Whether no other process can run over this database. */
  alone: boolean
  begun: DocumentsParts['begun']
}>

/** The media library for admins, over `uploads`, the routes of everybody's: files are read with their place in folders. */
export function adminUploads(
  services: Services,
  uploads: readonly Route[],
  { executor, links, alone, begun }: Parts,
): readonly Route[] {
  const { db, registry, locales, settings } = services
  const documents = createDocuments({
    db,
    settings: listing(settings),
    registry: () => withFolders(registry()),
    locales,
    executor,
    links,
    begun,
    exactMetadata: alone,
    meterOf: createMeter,
  })
  const routeTo = (method: Route['method'], path: string): Route => {
    const route = uploads.find((one) => one.method === method && one.path === path)
    if (route === undefined) throw new Error(`There is no ${method} ${path}`)
    return route
  }
  return adminUploadRoutes({
    folders: createFolders(services, { alone }),
    media: createAdminMedia(documents, { registry, isPrivate: settings['upload.private'] }),
    upload: routeTo('POST', '/api/upload'),
    removal: routeTo('DELETE', '/api/upload/files/:id'),
  })
}

/** Folders are listed without pages, and many are asked for by name. */
const listing = (settings: Settings): Settings => ({
  ...settings,
  'api.rest.defaultLimit': maxFolders,
  'api.rest.maxLimit': maxFolders,
  'api.rest.maxArrayLength': 1000,
  'api.rest.maxCost': 0,
})
