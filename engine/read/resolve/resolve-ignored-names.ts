import type { Attribute } from '../../schema/attribute.js'
import { isReadable } from '../../schema/attribute.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import { apiNameOf } from '../../schema/content-type.js'
import { isEdgeAttribute, targetOf } from '../../schema/edge-attribute.js'
import { componentOf, typeOf } from '../../schema/registry.js'
import { trailingAttributes } from '../../schema/system-attributes.js'
import { unknownName } from './resolve-attributes.js'
import { findableMorphTargets } from './resolve-morph.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'

/** Whether `pIgnore` contains the name of a collection. */
export function isIgnoredTarget(target: ContentType, ignore: ReadonlySet<string>): boolean {
  return ignore.size > 0 && namesOf(target).some((name) => ignore.has(name))
}

/** Returns the stored name of a collection, and its name in the API. */
const namesOf = (type: ContentType): readonly string[] => [type.collectionName, apiNameOf(type)]

/**
 * Throws a 400 for a name in `pIgnore` that occurs nowhere in the tree. Parts that other ignored names exclude count as
 * parts of the tree.
 */
export function checkIgnoredNames(
  scope: Scope,
  type: ContentType,
  levels: number,
  ignore: ReadonlySet<string>,
): void {
  if (ignore.size === 0) return
  const names = namesOnTheWay(scope, type, levels)
  for (const name of ignore) if (!names.has(name)) throw unknownName(name, [], 'pIgnore', names)
}

/** Returns the names that a deep populate can reach. Visits each structure only on the first level where it occurs. */
function namesOnTheWay(scope: Scope, type: ContentType, levels: number): ReadonlySet<string> {
  const { registry } = scope
  const names = new Set([...namesOf(type), 'localizations', 'createdBy', 'updatedBy'])
  for (const { name } of trailingAttributes({ ...type, localized: true })) names.add(name)
  const met = new Set<Structure>([type])
  let level: readonly Structure[] = [type]
  for (let left = levels - 1; level.length > 0; left -= 1) {
    const below: Structure[] = []
    for (const structure of level) {
      for (const attribute of structure.attributes.values()) {
        if (!isReadable(attribute)) continue
        const next = nextOf(attribute)
        if (next === null) continue
        names.add(attribute.name)
        if (left > 0) below.push(...next.filter((it) => !met.has(it) && met.add(it)))
      }
    }
    level = below
  }
  return names

  /** Returns the structures that an attribute leads to; null if the caller may not see them. */
  function nextOf(attribute: Attribute): readonly Structure[] | null {
    if (attribute.type === 'component') return [componentOf(registry, attribute.component)]
    if (attribute.type === 'dynamiczone')
      return attribute.components.map((uid) => componentOf(registry, uid))
    if (attribute.type !== 'morph' && !isEdgeAttribute(attribute)) return []
    const targets =
      attribute.type === 'morph'
        ? findableMorphTargets(scope)
        : [typeOf(registry, targetOf(attribute))].filter((target) => mayFind(scope, target))
    for (const target of targets) for (const name of namesOf(target)) names.add(name)
    return attribute.type === 'morph' || targets.length > 0 ? targets : null
  }
}
