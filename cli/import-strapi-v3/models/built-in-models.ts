import type { PlainObject } from '../../../engine/values/is-object.js'
import { builtIn } from '../../../engine/schema/registry.js'
import { permissionUid } from '../../import-strapi/staging/place-link.js'
import type { Model } from './model.js'

const stamps = ['createdAt', 'updatedAt'] as const
const ofPlugin = (
  uid: string,
  plugin: string,
  name: string,
  rest: Pick<Model, 'globalId' | 'collectionName' | 'attributes' | 'timestamps'>,
): Model => ({
  kind: 'content-type',
  uid,
  name,
  plugin,
  isSingle: false,
  info: {},
  draftAndPublish: false,
  localized: false,
  ...rest,
})

const string: PlainObject = { type: 'string' }
const text: PlainObject = { type: 'text' }
const json: PlainObject = { type: 'json' }
const integer: PlainObject = { type: 'integer' }
const boolean: PlainObject = { type: 'boolean' }

/** What every Strapi 3 has for its users, files and locales, with what of it there is here. */
export const builtInModels: readonly Model[] = [
  ofPlugin(builtIn.locale, 'i18n', 'locale', {
    globalId: 'I18NLocale',
    collectionName: 'i18n_locales',
    timestamps: stamps,
    attributes: { name: string, code: string },
  }),
  ofPlugin(builtIn.file, 'upload', 'file', {
    globalId: 'UploadFile',
    collectionName: 'upload_file',
    timestamps: stamps,
    attributes: {
      name: string,
      alternativeText: text,
      caption: text,
      width: integer,
      height: integer,
      formats: json,
      hash: string,
      ext: string,
      mime: string,
      size: { type: 'float' },
      url: text,
      previewUrl: text,
      provider: string,
      provider_metadata: json,
    },
  }),
  ofPlugin(builtIn.role, 'users-permissions', 'role', {
    globalId: 'UsersPermissionsRole',
    collectionName: 'users-permissions_role',
    attributes: { name: string, description: string, type: string },
  }),
  ofPlugin(builtIn.user, 'users-permissions', 'user', {
    globalId: 'UsersPermissionsUser',
    collectionName: 'users-permissions_user',
    timestamps: stamps,
    attributes: {
      username: string,
      email: { type: 'email' },
      provider: string,
      // It is a hash already, other than the passwords of a project's own types.
      password: string,
      resetPasswordToken: string,
      confirmationToken: string,
      confirmed: boolean,
      blocked: boolean,
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
