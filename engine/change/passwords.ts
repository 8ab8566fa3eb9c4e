import type { Structure } from '../schema/content-type.js'
import { membersIn } from '../schema/members-in.js'
import type { Registry } from '../schema/registry.js'

/** Every password that a body holds, in components too: they are hashed before they are stored. */
export function* passwordsIn(
  structure: Structure,
  body: unknown,
  registry: Registry,
): Generator<string> {
  for (const { attribute, value } of membersIn(structure, body, registry))
    if (attribute.type === 'password' && typeof value === 'string') yield value
}
