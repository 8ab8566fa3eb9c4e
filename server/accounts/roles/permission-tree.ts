import { fail } from '../../../engine/errors.js'
import { suggestionFor } from '../../../engine/errors/nearest-name.js'
import type { Action, Actions } from '../access-control.js'
import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { foreignActions } from '../permission-actions.js'

/**
 * Returns a tree of granted actions in Strapi's form: `{ "api::article": { controllers: { article: { find: { enabled,
 * policy } } } } }`. Actions that Strapi lacks appear if they are granted, or if `which` is `all`.
 */
export function showPermissions(
  actions: Actions,
  granted: ReadonlySet<string>,
  which: 'usual' | 'all',
) {
  const shown = [...actions.values()].filter(
    ({ id, listed }) => listed || which === 'all' || granted.has(id),
  )
  // Lookups by name would find inherited members for a type named `constructor`, so build objects from entries.
  return fromGroups(shown, 'group', (ofGroup) => ({
    controllers: fromGroups(ofGroup, 'controller', (ofController) =>
      fromGroups(ofController, 'name', ([action]) => ({
        enabled: action !== undefined && granted.has(action.id),
        policy: '',
      })),
    ),
  }))
}

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

/** What to do if a permissions tree enables an action that Quire does not have: ignore it or reject the tree. */
export type UnknownActions = Readonly<{
  ignored: (path: string) => void
  /** Whether to ignore all unknown actions (`api.rest.unknownKeys`). If false, ignores only actions that Strapi has. */
  all: boolean
}>

/** Returns the enabled actions. Throws `validation` for a malformed tree, or an unknown action that is not ignored. */
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
