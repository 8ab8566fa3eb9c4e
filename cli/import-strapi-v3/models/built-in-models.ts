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

/** Attributes whose values are imported unchanged; their types come from Quire's own definitions. */
const takenAsIs = (...names: readonly string[]): Model['attributes'] =>
  Object.fromEntries(names.map((name) => [name, {}]))

/** What every Strapi 3 has for its users, files and locales, with what of it there is here. */
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
      // The password is a hash already, unlike those of a project's own types.
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

/** Where the actions of roles are. */
export const permissionModel = {
  uid: permissionUid,
  collectionName: 'users-permissions_permission',
} as const

/** Attributes that Strapi gives these, and that are none of them here. */
export const otherwiseKept: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related'],
  'plugin::users-permissions.role': ['permissions', 'users'],
}
