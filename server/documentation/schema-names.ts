import { byUid } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { FreeNames } from '../../engine/values/free-names.js'
import { memoize } from '../../engine/values/memoize.js'
import { valueForms } from '../../engine/values/value-forms.js'

/** Suffixes of schema names. The empty suffix names the schema of an entry. */
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

/** Schema names of built-in types, the same in every project. */
const own: ReadonlyMap<string, string> = new Map([
  [builtIn.user, 'User'],
  [builtIn.role, 'Role'],
  [builtIn.file, 'File'],
  [builtIn.locale, 'Locale'],
  [builtIn.adminUser, 'AdminUser'],
])

/** Names of schemas that belong to no content-type. The schema of a content-type must not have one of these names. */
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
 * Returns schema names by uid: `api::article.article` → `Article`. They consist of letters and digits, are the same for
 * every caller, and are unique even with the suffixes in `parts`.
 */
export const schemaNames = memoize((registry: Registry): ReadonlyMap<string, string> => {
  const names = new FreeNames(parts, taken)
  for (const [uid, name] of own) names.give(uid, name)
  const types = [...registry.contentTypes.values()].filter(({ uid }) => !own.has(uid))
  // Short names first: otherwise the type `product-filters` could take `ProductFilters`, which `product` needs for its
  // filters.
  const byName = types.sort(
    (one, other) => one.singularName.length - other.singularName.length || byUid(one, other),
  )
  for (const { uid, singularName } of byName) names.give(uid, pascal(singularName), pascal(uid))
  for (const { uid } of [...registry.components.values()].sort(byUid)) names.give(uid, pascal(uid))
  return names.given
})

/** Converts `blog-post` to `BlogPost`. */
const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
