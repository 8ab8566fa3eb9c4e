import { byUid } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'

/** What is made of one type or component beside its entry, as the ends of their names. */
const parts = [
  '',
  'V4',
  'List',
  'Answer',
  'Filters',
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

/** The names of schemas by uid of content-type or component: `api::article.article` → `Article`. */
export type SchemaNames = ReadonlyMap<string, string>

/** What the service itself is called, whatever content-types there are. */
const own: ReadonlyMap<string, string> = new Map([
  [builtIn.user, 'User'],
  [builtIn.role, 'Role'],
  [builtIn.file, 'File'],
  [builtIn.locale, 'Locale'],
  [builtIn.adminUser, 'AdminUser'],
])

const known = new WeakMap<Registry, SchemaNames>()

/**
 * A name for each type and component, of letters and digits, so that no two of the schemas made of them have one name.
 * They do not depend on who asks. `taken`: names that other schemas have.
 */
export function schemaNames(registry: Registry, taken: ReadonlySet<string>): SchemaNames {
  const before = known.get(registry)
  if (before !== undefined) return before
  const used = new Set(taken)
  const names = new Map<string, string>()
  const give = (uid: string, wanted: readonly string[]): void => {
    const name = firstFree(wanted, used)
    for (const part of parts) used.add(name + part)
    names.set(uid, name)
  }
  for (const [uid, name] of own) give(uid, [name])
  const types = [...registry.contentTypes.values()].filter(({ uid }) => !names.has(uid))
  // Short names first: of `product` and `product-filters`, the first has its name.
  const byName = types.sort(
    (one, other) => one.singularName.length - other.singularName.length || byUid(one, other),
  )
  for (const { uid, singularName } of byName) give(uid, [pascal(singularName), pascal(uid)])
  for (const { uid } of [...registry.components.values()].sort(byUid)) give(uid, [pascal(uid)])
  known.set(registry, names)
  return names
}

function firstFree(
  [first = 'Type', second = first]: readonly string[],
  used: ReadonlySet<string>,
): string {
  for (const name of [first, second]) if (isFree(name, used)) return name
  for (let number = 2; ; number += 1)
    if (isFree(`${second}${number}`, used)) return `${second}${number}`
}

const isFree = (name: string, used: ReadonlySet<string>): boolean =>
  parts.every((part) => !used.has(name + part))

/** `blog-post` → `BlogPost`. */
const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
