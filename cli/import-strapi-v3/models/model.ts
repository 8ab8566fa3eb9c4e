import type { PlainObject } from '../../../engine/values/is-object.js'

/**
 * A content-type or component of Strapi 3. Its definition comes from a `.settings.json` file, or from the row of
 * `core_store` that Strapi creates from that file.
 */
export type Model = Readonly<{
  kind: 'content-type' | 'component'
  /** The uid in Quire: `api::article.article`, `shared.seo`, or that of a built-in type. */
  uid: string
  /** The model's name in lower case, as attributes refer to it in `model` and `collection`. */
  name: string
  /** The plugin that defines the model. Absent if the project defines it. */
  plugin?: string
  /** The value of `kind` in stored references to this model: `Article`, `ComponentSharedSeo`. */
  globalId: string
  isSingle: boolean
  collectionName: string
  /** The attributes that the project defines, by name. Attributes that Strapi adds are not included. */
  attributes: Readonly<Record<string, PlainObject>>
  draftAndPublish: boolean
  localized: boolean
  /**
   * Names of the fields that store when a row was created and when it was last changed. Absent if the model stores
   * neither.
   */
  timestamps?: readonly [createdAt: string, updatedAt: string] | undefined
  info: PlainObject
  /** The path segment of the model's list, if the project's routes contain it: `articles`. */
  route?: string | undefined
}>

/** Whether an attribute refers to rows of a model. */
export const isReference = (attribute: PlainObject): boolean =>
  typeof attribute.model === 'string' || typeof attribute.collection === 'string'

/** Whether an attribute refers to several rows. */
export const isMany = (attribute: PlainObject): boolean => typeof attribute.collection === 'string'

/**
 * Whether an attribute may refer to rows of any model. Each stored reference then contains the `kind` of its target.
 */
export const isPolymorphic = (attribute: PlainObject): boolean =>
  attribute.model === '*' || attribute.collection === '*'
