import type { Documents } from '../../content/documents.js'
import type { Route } from '../../http/route.js'
import type { Services } from '../../lifecycle/services.js'
import type { Settings } from '../../settings/settings.js'
import { createAdminMedia } from './admin-media.js'
import { adminUploadRoutes } from './admin-upload-routes.js'
import { createFolders, maxFolders } from './folders.js'

/**
 * The media library for admins, over `uploads`, the routes of everybody's.
 * @param documents read the types of `withFolders`, by `settingsOfFolders`
 * @param alone whether no other process can run over this database
 */
export function adminUploads(
  services: Services,
  uploads: readonly Route[],
  documents: Documents,
  alone: boolean,
): readonly Route[] {
  const { registry, settings } = services
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
export const settingsOfFolders = (settings: Settings): Settings => ({
  ...settings,
  'api.rest.defaultLimit': maxFolders,
  'api.rest.maxLimit': maxFolders,
  'api.rest.maxArrayLength': 1000,
  'api.rest.maxCost': 0,
})
