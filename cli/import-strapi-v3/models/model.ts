import type { PlainObject } from '../../../engine/values/is-object.js'

/**
 * A content-type or component of Strapi 3: its `.settings.json`, or the row of `core_store` that Strapi creates from
 * it.
 */
export type Model = Readonly<{
  kind: 'content-type' | 'component'
  /** The uid in Quire: `api::article.article`, `shared.seo`, or that of a built-in type. */
  uid: string
  /** The name in `model` and `collection` of attributes, in lower case. */
  name: string
  /** The plugin that it belongs to. */
  plugin?: string
  /** The name in `kind` of stored references: `Article`, `ComponentSharedSeo`. */
  globalId: string
  isSingle: boolean
  collectionName: string
  /** The attributes of the project by name, without those that Strapi adds. */
  attributes: Readonly<Record<string, PlainObject>>
  draftAndPublish: boolean
  localized: boolean
  /** The fields with the times when a row was created and changed, if there are any. */
  timestamps?: readonly [createdAt: string, updatedAt: string] | undefined
  info: PlainObject
  /** The path of its list, if the project's routes contain it: `articles`. */
  route?: string | undefined
}>

/** Whether an attribute refers to rows of a model. */
export const isReference = (attribute: PlainObject): boolean =>
  typeof attribute.model === 'string' || typeof attribute.collection === 'string'

/** Whether it refers to several rows. */
export const isMany = (attribute: PlainObject): boolean => typeof attribute.collection === 'string'

/** Whether it refers to rows of any model, each with its kind. */
export const isPolymorphic = (attribute: PlainObject): boolean =>
  attribute.model === '*' || attribute.collection === '*'
