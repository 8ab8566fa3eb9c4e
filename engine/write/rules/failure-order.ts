import type { Structure } from '../../schema/content-type.js'
import { claimedComponent } from '../../schema/members-in.js'
import type { Attribute } from '../../schema/attribute.js'
import type { Registry } from '../../schema/registry.js'
import { isObject } from '../../values/is-object.js'
import type { Failure } from '../body/failure.js'

/**
 * Sorts failures by the order of the attributes in the definition and of list items. A failure of a list comes after
 * those of its items, a failure of the whole body last of all. yup's own sorting confuses `username` with an attribute
 * named `name`.
 */
export function inOrder(
  structure: Structure,
  body: unknown,
  failures: readonly Failure[],
  registry: Registry,
): readonly Failure[] {
  if (failures.length < 2) return failures
  return failures
    .map((failure) => ({ failure, ranks: ranksOf(structure, body, failure.path, registry) }))
    .sort((a, b) => compareRanks(a.ranks, b.ranks))
    .map(({ failure }) => failure)
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index])
  // If one path is the beginning of the other, the longer one comes first.
  if (at < 0 || at >= b.length) return b.length - a.length
  return (a[at] ?? 0) - (b[at] ?? 0)
}

/** Returns the position in the definition, or in the list, of each part of a path. */
function ranksOf(
  type: Structure,
  body: unknown,
  path: Failure['path'],
  registry: Registry,
): readonly number[] {
  let structure: Structure | undefined = type
  let attribute: Attribute | undefined
  let here = body
  return path.map((name) => {
    const isItem = Array.isArray(here)
    here = isItem || isObject(here) ? (here as Record<string, unknown>)[name] : undefined
    if (isItem) {
      structure = attribute && claimedComponent(here, attribute, registry)
      return Number(name)
    }
    const rank: number = structure === undefined ? -1 : rankOf(structure, name)
    attribute = structure?.attributes.get(name)
    structure = attribute && claimedComponent(here, attribute, registry)
    return rank
  })
}

/** Returns the position of an attribute in the definition; -1 for other names, such as `__component`. */
function rankOf(structure: Structure, name: string): number {
  const ranks =
    known.get(structure) ?? new Map([...structure.attributes.keys()].map((key, at) => [key, at]))
  known.set(structure, ranks)
  return ranks.get(name) ?? -1
}

const known = new WeakMap<Structure, ReadonlyMap<string, number>>()
