import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { builtIn } from '../../engine/schema/registry.js'
import { FreeNames } from '../../engine/values/free-names.js'

/** What the declarations of one definition are called, each the base with one of these behind it. */
const endings = ['', 'Type', 'Parts', 'Filters', 'Draft', 'Create', 'Update']

/** What a file of types declares or imports itself. */
const reserved = ['Quire', 'MorphTargets', 'Creator', 'CreatorType', 'CreatorFilters']
const imported = ['Filters', 'Inputs', 'Types', 'Values']

/** Where the name of a type alone would say too little, or hide a type of browsers. */
const own: Readonly<Record<string, string>> = {
  [builtIn.file]: 'UploadFile',
  [builtIn.adminUser]: 'AdminUser',
}

/**
 * The name of each definition in TypeScript, by uid: `Article` of `api::article.article`, `SharedSeo` of `shared.seo`.
 * Where two would be called alike the latter, by uid, gets a number.
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
