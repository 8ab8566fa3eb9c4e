import type { Definition } from '../content-type.js'
import { builtIn } from '../registry.js'

const hidden = { 'content-manager': { visible: false }, 'content-type-builder': { visible: false } }

const collectionType = (
  collectionName: string,
  singularName: string,
  displayName: string,
  attributes: Definition,
  pluginOptions?: Definition,
): Definition => ({
  kind: 'collectionType',
  collectionName,
  info: { singularName, pluralName: `${singularName}s`, displayName },
  options: { draftAndPublish: false },
  ...(pluginOptions && { pluginOptions }),
  attributes,
})

/** `permissions` is a list of actions: `api::article.article.find`. */
const role = collectionType(
  'roles',
  'role',
  'Role',
  {
    name: { type: 'string', minLength: 3, required: true },
    description: { type: 'string' },
    type: { type: 'string', unique: true },
    users: { type: 'relation', relation: 'oneToMany', target: builtIn.user, mappedBy: 'role' },
    permissions: { type: 'json', private: true, default: [] },
  },
  hidden,
)

const user = collectionType('users', 'user', 'User', {
  username: { type: 'string', minLength: 3, unique: true, required: true },
  email: { type: 'email', minLength: 6, unique: true, required: true },
  provider: { type: 'string' },
  password: { type: 'password', minLength: 6, private: true },
  resetPasswordToken: { type: 'string', private: true },
  confirmationToken: { type: 'string', private: true },
  confirmed: { type: 'boolean', default: false },
  blocked: { type: 'boolean', default: false },
  role: { type: 'relation', relation: 'manyToOne', target: builtIn.role, inversedBy: 'users' },
})

const file = collectionType(
  'upload_files',
  'file',
  'File',
  {
    name: { type: 'string', required: true },
    alternativeText: { type: 'text' },
    caption: { type: 'text' },
    focalPoint: { type: 'json' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    formats: { type: 'json' },
    // Indexed to find files with the same content.
    hash: { type: 'string', required: true, index: true },
    ext: { type: 'string' },
    mime: { type: 'string', required: true },
    // In KB with two decimals. A double shows these exactly, and no calculation uses the value.
    size: { type: 'float', required: true },
    url: { type: 'text', required: true },
    previewUrl: { type: 'text' },
    provider: { type: 'string', required: true },
    provider_metadata: { type: 'json' },
  },
  hidden,
)

const locale = collectionType(
  'locales',
  'locale',
  'Locale',
  {
    name: { type: 'string' },
    code: { type: 'string', unique: true },
    isDefault: { type: 'boolean', private: true, default: false },
  },
  hidden,
)

const adminUser = collectionType(
  'admin_users',
  'user',
  'Admin user',
  {
    firstname: { type: 'string', minLength: 1 },
    lastname: { type: 'string', minLength: 1 },
    username: { type: 'string' },
    email: { type: 'email', minLength: 6, required: true, unique: true, private: true },
    password: { type: 'password', minLength: 6, private: true },
    isActive: { type: 'boolean', default: false, private: true },
    blocked: { type: 'boolean', default: false, private: true },
    registrationToken: { type: 'string', private: true, searchable: false },
    resetPasswordToken: { type: 'string', private: true, searchable: false },
  },
  hidden,
)

/**
 * Definitions of the built-in types, by uid (docs/internals/storage.md, "Collections"). They have the same attributes
 * as in Strapi (docs/internals/strapi-behaviour.md, "Files" and "Users and roles").
 */
export const builtInDefinitions: ReadonlyMap<string, Definition> = new Map([
  [builtIn.user, user],
  [builtIn.role, role],
  [builtIn.file, file],
  [builtIn.locale, locale],
  [builtIn.adminUser, adminUser],
])
