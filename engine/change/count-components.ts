import type { Structure } from '../schema/content-type.js'
import { componentsIn, membersIn } from '../schema/members-in.js'
import type { Registry } from '../schema/registry.js'
import { isObject } from './read-body.js'

/** How many components a body holds: as many ids it needs at most. */
export function countComponents(structure: Structure, body: unknown, registry: Registry): number {
  let count = 0
  for (const { attribute, value } of membersIn(structure, body, registry))
    for (const [, item] of componentsIn(attribute, value, registry)) if (isObject(item)) count += 1
  return count
}
