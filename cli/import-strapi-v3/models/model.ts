import type { PlainObject } from '../../../engine/values/is-object.js'

/** A content-type or component of a Strapi 3: what its `.settings.json` says, or the row of `core_store` that is made of it. */
export type Model = Readonly<{
  kind: 'content-type' | 'component'
  /** As it is called here: `api::article.article`, `shared.seo`, or that of a type of the service. */
  uid: string
  /** What `model` and `collection` of an attribute call it; in lower case. */
  name: string
  /** The plugin that it is of. */
  plugin?: string
  /** What `kind` of a stored reference calls it: `Article`, `ComponentSharedSeo`. */
  globalId: string
  isSingle: boolean
  collectionName: string
  /** Those of the project, by name, without what Strapi adds by itself. */
  attributes: Readonly<Record<string, PlainObject>>
  draftAndPublish: boolean
  localized: boolean
  /** The fields that say when a row was made and changed; there may be none. */
  timestamps?: readonly [createdAt: string, updatedAt: string] | undefined
  info: PlainObject
  /** The path of its list, where the project's routes say it: `articles`. */
  route?: string | undefined
}>

/** Whether an attribute leads to rows of a model. */
export const isReference = (attribute: PlainObject): boolean =>
  typeof attribute.model === 'string' || typeof attribute.collection === 'string'

/** Whether it leads to several. */
export const isMany = (attribute: PlainObject): boolean => typeof attribute.collection === 'string'

/** Whether it leads to rows of any model, each with its kind. */
export const isPolymorphic = (attribute: PlainObject): boolean =>
  attribute.model === '*' || attribute.collection === '*'
