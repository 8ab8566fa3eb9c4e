import type { PlainObject } from '../../../engine/values/is-object.js'

/**
 * A content-type or component of Strapi 3, read from a `.settings.json` file, or from the row of `core_store` that
 * Strapi writes for this file.
 */
export type Model = Readonly<{
  kind: 'content-type' | 'component'
  /** `api::article.article`, `shared.seo`, or the uid of a built-in type. */
  uid: string
  /** The model's name, in lower case, as attributes refer to it in `model` and `collection`. */
  name: string
  /** The plugin that defines the model. Absent if the project defines it. */
  plugin?: string
  /** The value of `kind` in stored references to this model: `Article`, `ComponentSharedSeo`. */
  globalId: string
  isSingle: boolean
  collectionName: string
  /** The attributes that the project defines, without those that Strapi adds. */
  attributes: Readonly<Record<string, PlainObject>>
  draftAndPublish: boolean
  localized: boolean
  /** Names of the fields with the times of creation and last change. Absent if the model stores neither time. */
  timestamps?: readonly [createdAt: string, updatedAt: string] | undefined
  info: PlainObject
  /** The path segment in the project's routes: `articles`. */
  route?: string | undefined
}>

/** Whether an attribute refers to rows of a model. */
export const isReference = (attribute: PlainObject): boolean =>
  typeof attribute.model === 'string' || typeof attribute.collection === 'string'

/** Whether an attribute refers to several rows. */
export const isMany = (attribute: PlainObject): boolean => typeof attribute.collection === 'string'

/** Whether an attribute may refer to rows of any model. Stored references then contain the `kind` of their target. */
export const isPolymorphic = (attribute: PlainObject): boolean =>
  attribute.model === '*' || attribute.collection === '*'
