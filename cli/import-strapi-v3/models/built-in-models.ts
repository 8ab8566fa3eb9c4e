import { permissionUid } from '../../import-strapi/staging/place-link.js'
import type { Model } from './model.js'

const ofPlugin = (
  plugin: string,
  name: string,
  rest: Pick<Model, 'globalId' | 'collectionName' | 'attributes' | 'timestamps'>,
): Model => ({
  kind: 'content-type',
  uid: `plugin::${plugin}.${name}`,
  name,
  plugin,
  isSingle: false,
  info: {},
  draftAndPublish: false,
  localized: false,
  ...rest,
})

const timestamps = ['createdAt', 'updatedAt'] as const

/** Returns attributes whose values are copied unchanged. Quire's definitions determine their types. */
const takenAsIs = (...names: readonly string[]): Model['attributes'] =>
  Object.fromEntries(names.map((name) => [name, {}]))

/**
 * The models that every Strapi 3 project has for its users, files and locales, with only the attributes that Quire has.
 */
export const builtInModels: readonly Model[] = [
  ofPlugin('i18n', 'locale', {
    globalId: 'I18NLocale',
    collectionName: 'i18n_locales',
    timestamps,
    attributes: takenAsIs('name', 'code'),
  }),
  ofPlugin('upload', 'file', {
    globalId: 'UploadFile',
    collectionName: 'upload_file',
    timestamps,
    attributes: takenAsIs(
      'name',
      'alternativeText',
      'caption',
      'width',
      'height',
      'formats',
      'hash',
      'ext',
      'mime',
      'size',
      'url',
      'previewUrl',
      'provider',
      'provider_metadata',
    ),
  }),
  ofPlugin('users-permissions', 'role', {
    globalId: 'UsersPermissionsRole',
    collectionName: 'users-permissions_role',
    attributes: takenAsIs('name', 'description', 'type'),
  }),
  ofPlugin('users-permissions', 'user', {
    globalId: 'UsersPermissionsUser',
    collectionName: 'users-permissions_user',
    timestamps,
    attributes: {
      // `password` is already a hash here. In types that a project defines, it is plain text.
      ...takenAsIs(
        'username',
        'email',
        'provider',
        'password',
        'resetPasswordToken',
        'confirmationToken',
        'confirmed',
        'blocked',
      ),
      role: { model: 'role', via: 'users', plugin: 'users-permissions' },
    },
  }),
]

/** The collection that stores which actions each role may perform. */
export const permissionModel = {
  uid: permissionUid,
  collectionName: 'users-permissions_permission',
} as const

/** Attributes that Strapi 3 adds to built-in models, by uid. Quire stores their data, but not in attributes. */
export const otherwiseKept: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related'],
  'plugin::users-permissions.role': ['permissions', 'users'],
}
