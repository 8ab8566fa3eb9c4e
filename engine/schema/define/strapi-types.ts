import type { PlainObject } from '../../values/is-object.js'
import { related } from '../file-uses.js'

/**
 * Whether Strapi 5 itself has a type with this uid, and Quire does not. Such types are folders of files, permissions,
 * and data of Strapi's admin panel and of its plugins for releases and reviews. Strapi starts with definitions that
 * refer to such a type.
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

/**
 * Returns the attributes of Strapi's file definition without the attributes for folders, which only admins see, and
 * without `related`.
 */
export function withoutFolders(attributes: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !ofFolders.has(name)))
}

const ofFolders: ReadonlySet<string> = new Set([related.name, 'folder', 'folderPath'])
