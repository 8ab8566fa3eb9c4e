import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { builtIn } from '../../engine/schema/registry.js'

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
  const taken = new Set([...reserved, ...imported])
  const names = new Map<string, string>()
  const add = (uid: string, wanted: string): void => {
    let name = wanted
    for (let number = 2; endings.some((ending) => taken.has(name + ending)); number += 1)
      name = `${wanted}${number}`
    for (const ending of endings) taken.add(name + ending)
    names.set(uid, name)
  }
  for (const { uid, singularName } of types) add(uid, own[uid] ?? pascal(singularName))
  for (const { uid } of components) add(uid, pascal(uid))
  return names
}

/** `shared.rich-text` as `SharedRichText`. */
function pascal(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return /^\p{ID_Start}/u.test(name) ? name : `Type${name}`
}
