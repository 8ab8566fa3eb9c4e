import { fail } from '../../../engine/errors.js'
import { suggestionFor } from '../../../engine/errors/nearest-name.js'
import type { Action, Actions } from '../access-control.js'
import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { foreignActions } from '../permission-actions.js'

/**
 * Returns the tree of granted actions in Strapi's form:
 * `{ "api::article": { controllers: { article: { find: { enabled, policy } } } } }`.
 * Actions that Strapi does not have appear if they are granted, or if `which` is `all`.
 */
export function showPermissions(
  actions: Actions,
  granted: ReadonlySet<string>,
  which: 'usual' | 'all',
) {
  const shown = [...actions.values()].filter(
    ({ id, listed }) => listed || which === 'all' || granted.has(id),
  )
  // Build objects from entries: with lookups by name, a type named `constructor` would find an inherited member.
  return fromGroups(shown, 'group', (ofGroup) => ({
    controllers: fromGroups(ofGroup, 'controller', (ofController) =>
      fromGroups(ofController, 'name', ([action]) => ({
        enabled: action !== undefined && granted.has(action.id),
        policy: '',
      })),
    ),
  }))
}

/** Groups actions into an object by a key, keeping their order. */
function fromGroups<T>(
  actions: readonly Action[],
  key: 'group' | 'controller' | 'name',
  toMember: (actions: readonly Action[]) => T,
): Readonly<Record<string, T>> {
  const groups = new Map<string, Action[]>()
  for (const action of actions) {
    const group = groups.get(action[key])
    if (group === undefined) groups.set(action[key], [action])
    else group.push(action)
  }
  return Object.fromEntries([...groups].map(([name, members]) => [name, toMember(members)]))
}

/** How to treat an enabled action that does not exist: reject it, or ignore it and call `ignored`. */
export type UnknownActions = Readonly<{
  ignored: (path: string) => void
  /** Whether all unknown actions are ignored (`api.rest.unknownKeys`). Otherwise only actions of Strapi are ignored. */
  all: boolean
}>

/**
 * Returns the actions that a permissions tree enables. Throws `validation` if the tree is malformed, or if it enables
 * an unknown action that may not be ignored.
 */
export function readPermissions(
  tree: unknown,
  known: Actions,
  unknown: UnknownActions,
): readonly string[] {
  // Strapi's tools send an empty list for an empty tree.
  if (Array.isArray(tree) && tree.length === 0) return []
  const enabled = switches(tree).filter(([id, value]) => isEnabled(id, value))
  return enabled.flatMap(([id]) => {
    if (known.has(id)) return [id]
    if (!unknown.all && !foreignActions.has(id)) {
      throw fail('validation', `There is no action ${id}`, suggestionFor(id, known.keys()))
    }
    unknown.ignored(`permissions.${id}`)
    return []
  })
}

function switches(tree: unknown): readonly (readonly [id: string, value: unknown])[] {
  return members(tree, 'permissions').flatMap(([group, { controllers }]) =>
    members(controllers, `permissions.${group}.controllers`).flatMap(([controller, names]) =>
      Object.entries(names).map(
        ([name, value]) => [`${group}.${controller}.${name}`, value] as const,
      ),
    ),
  )
}

function members(value: unknown, path: string): readonly (readonly [string, PlainObject])[] {
  const entries = isObject(value) ? Object.entries(value) : undefined
  if (entries === undefined || !entries.every(([, member]) => isObject(member)))
    throw fail('validation', `${path} must be an object of objects`)
  return entries as [string, PlainObject][]
}

function isEnabled(id: string, value: unknown): boolean {
  const { enabled } = objectOf(value)
  if (typeof enabled === 'boolean') return enabled
  throw fail('validation', `The permission ${id} must be { "enabled": true or false }`)
}
