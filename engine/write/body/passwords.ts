import type { Structure } from '../../schema/content-type.js'
import { membersIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { attributesIn } from '../../schema/attributes-in.js'

/** Returns all passwords in a body, including those in components, to be hashed. */
export function passwordsIn(
  structure: Structure,
  body: unknown,
  registry: Registry,
): readonly string[] {
  if (passwordNames(structure, registry).length === 0) return []
  return membersIn(structure, body, registry).flatMap(({ attribute, value }) =>
    attribute.type === 'password' && typeof value === 'string' ? [value] : [],
  )
}

/** Whether a value may contain a password. A malformed value can contain one at any depth. */
export function holdsPassword(
  value: unknown,
  structures: readonly Structure[],
  registry: Registry,
): boolean {
  const names = structures.flatMap((structure) => passwordNames(structure, registry))
  return names.length > 0 && hasKey(value, new Set(names))
}

/** Names of password attributes, by registry, because each registry may define a component differently. */
const known = new WeakMap<Registry, Map<Structure, readonly string[]>>()

function passwordNames(structure: Structure, registry: Registry): readonly string[] {
  const names = known.get(registry) ?? new Map<Structure, readonly string[]>()
  known.set(registry, names)
  const found =
    names.get(structure) ??
    [...attributesIn(structure, registry)].flatMap(({ attribute }) =>
      attribute.type === 'password' ? [attribute.name] : [],
    )
  names.set(structure, found)
  return found
}

/**
 * Recurses at most 100 levels, the maximum depth of a body. A string may be JSON, or an error message of yup that
 * quotes the value.
 */
function hasKey(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return [...names].some((name) => value.includes(name))
  if (Array.isArray(value)) return value.some((item) => hasKey(item, names))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => names.has(key) || hasKey(member, names))
}

/** A stored password during validation. Rules can only check that it exists, because only its hash is known. */
export class StoredSecret {
  constructor(readonly hash: string) {}
}
