import type { PlainObject } from '../values/is-object.js'
import { related } from './file-uses.js'

/**
 * Whether a Strapi 5 has a type of this uid from itself, though it is not here: folders of files, permissions, what
 * its panel and its plugins for releases and reviews keep. A definition that leads to one starts there.
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

/** Attributes of a file as Strapi's own definition has them, without those of folders, which are for admins alone, and without its use. */
export function withoutFolders(attributes: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !ofFolders.has(name)))
}

const ofFolders: ReadonlySet<string> = new Set([related.name, 'folder', 'folderPath'])
