import type { Structure } from '../../schema/content-type.js'
import { membersIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { attributesIn } from '../../schema/attributes-in.js'

/** Every password that a body holds, in components too: they are hashed before they are stored. */
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

/**
 * Whether a value that was sent for one of these structures names a password, at any depth: by the name of an
 * attribute, wherever it is, because a value of the wrong form has it anywhere.
 */
export function holdsPassword(
  value: unknown,
  structures: readonly Structure[],
  registry: Registry,
): boolean {
  const names = structures.flatMap((structure) => passwordNames(structure, registry))
  return names.length > 0 && hasKey(value, new Set(names))
}

/** By registry, which never changes: a component that a structure holds may be another one in the next. */
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

/** JSON of a body is nested 100 levels deep at most; a text may be JSON too, that of a yup message as well. */
function hasKey(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return [...names].some((name) => value.includes(name))
  if (Array.isArray(value)) return value.some((item) => hasKey(item, names))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => names.has(key) || hasKey(member, names))
}

/** Stands for a password that is stored already: only that it is there can be checked. */
export class StoredSecret {
  constructor(readonly hash: string) {}
}
