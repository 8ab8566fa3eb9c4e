import { byUid } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { FreeNames } from '../../engine/values/free-names.js'
import { memoize } from '../../engine/values/memoize.js'
import { valueForms } from '../../engine/values/value-forms.js'

/** Suffixes of the schemas of a type or component besides its entry. */
const parts = [
  '',
  'V4',
  'List',
  'Answer',
  'Filters',
  'Quantifiers',
  'Populate',
  'Options',
  'Fields',
  'Sort',
  'Create',
  'Update',
  'ZoneCreate',
  'ZoneUpdate',
] as const
export type Part = (typeof parts)[number]

/** Names of built-in types, which do not depend on the project. */
const own: ReadonlyMap<string, string> = new Map([
  [builtIn.user, 'User'],
  [builtIn.role, 'Role'],
  [builtIn.file, 'File'],
  [builtIn.locale, 'Locale'],
  [builtIn.adminUser, 'AdminUser'],
])

/** Names of schemas that belong to no content-type. */
const taken: ReadonlySet<string> = new Set([
  ...Object.values(valueForms).map(({ filter }) => filter),
  'ReferenceFilter',
  'ComponentFilter',
  'JsonPathFilter',
  'Error',
  'Pagination',
  'Groups',
  'Explained',
  'Count',
  'Creator',
  'CreatorV4',
  'RelationInput',
  'PolymorphicInput',
  'UploadedFile',
  'AdminFile',
  'Folder',
])

/**
 * Returns the names of schemas by uid of content-type or component: `api::article.article` → `Article`. Names consist
 * of letters and digits, are unique with all suffixes, and do not depend on the caller.
 */
export const schemaNames = memoize((registry: Registry): ReadonlyMap<string, string> => {
  const names = new FreeNames(parts, taken)
  for (const [uid, name] of own) names.give(uid, name)
  const types = [...registry.contentTypes.values()].filter(({ uid }) => !own.has(uid))
  // Name types with short names first. Otherwise `product-filters` could take the name that `product` needs for its
  // filters.
  const byName = types.sort(
    (one, other) => one.singularName.length - other.singularName.length || byUid(one, other),
  )
  for (const { uid, singularName } of byName) names.give(uid, pascal(singularName), pascal(uid))
  for (const { uid } of [...registry.components.values()].sort(byUid)) names.give(uid, pascal(uid))
  return names.given
})

/** `blog-post` → `BlogPost`. */
const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
