import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { builtIn } from '../../engine/schema/registry.js'
import { FreeNames } from '../../engine/values/free-names.js'

/** Suffixes of the declarations of a definition. */
const endings = ['', 'Type', 'Parts', 'Filters', 'Draft', 'Create', 'Update']

/** Names that a file of types declares or imports itself. */
const reserved = ['Quire', 'MorphTargets', 'Creator', 'CreatorType', 'CreatorFilters']
const imported = ['Filters', 'Inputs', 'Types', 'Values']

/** Names for types whose own name would be too vague or hide a browser type. */
const own: Readonly<Record<string, string>> = {
  [builtIn.file]: 'UploadFile',
  [builtIn.adminUser]: 'AdminUser',
}

/**
 * Returns the TypeScript name of each definition, by uid: `Article` for `api::article.article`, `SharedSeo` for
 * `shared.seo`. If two names collide, the later one by uid gets a number.
 */
export function typeNames(
  types: readonly ContentType[],
  components: readonly Component[],
): ReadonlyMap<string, string> {
  const names = new FreeNames(endings, [...reserved, ...imported])
  for (const { uid, singularName } of types) names.give(uid, own[uid] ?? pascal(singularName))
  for (const { uid } of components) names.give(uid, pascal(uid))
  return names.given
}

/** `shared.rich-text` as `SharedRichText`. */
function pascal(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return /^\p{ID_Start}/u.test(name) ? name : `Type${name}`
}
