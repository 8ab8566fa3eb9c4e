import type { PlainObject } from '../../values/is-object.js'
import { related } from '../file-uses.js'

/**
 * Whether Strapi 5 has a content-type with this uid that Quire does not have: one for folders, permissions, the admin
 * panel, or the plugins for releases and reviews. Strapi starts with definitions that refer to them.
 */
export function isOfStrapi(uid: string): boolean {
  return types.has(uid) || plugins.some((prefix) => uid.startsWith(prefix))
}

const types: ReadonlySet<string> = new Set([
  'plugin::upload.folder',
  'plugin::users-permissions.permission',
  ...[
    'role',
    'permission',
    'api-token',
    'api-token-permission',
    'transfer-token',
    'transfer-token-permission',
    'session',
    'audit-log',
    'workflow',
    'workflow-stage',
  ].map((name) => `admin::${name}`),
])
const plugins: readonly string[] = ['plugin::content-releases.', 'plugin::review-workflows.']

/** Removes `related`, and the attributes for folders, from Strapi's definition of files. Only admins see folders. */
export function withoutFolders(attributes: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !ofFolders.has(name)))
}

const ofFolders: ReadonlySet<string> = new Set([related.name, 'folder', 'folderPath'])
