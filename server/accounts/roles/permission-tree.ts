import { fail } from '../../../engine/errors.js'
import { suggestionFor } from '../../../engine/errors/nearest-name.js'
import type { Action, Actions } from '../access-control.js'
import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { foreignActions } from '../permission-actions.js'

/**
 * The tree of what is granted, as Strapi's tools know it:
 * `{ "api::article": { controllers: { article: { find: { enabled, policy } } } } }`.
 * Actions that Strapi does not have appear if they are granted, and always if `which` is `all`.
 */
export function showPermissions(
  actions: Actions,
  granted: ReadonlySet<string>,
  which: 'usual' | 'all',
) {
  const shown = [...actions.values()].filter(
    ({ id, listed }) => listed || which === 'all' || granted.has(id),
  )
  // Built from entries: a type may be called `constructor`.
  return fromGroups(shown, 'group', (ofGroup) => ({
    controllers: fromGroups(ofGroup, 'controller', (ofController) =>
      fromGroups(ofController, 'name', ([action]) => ({
        enabled: action !== undefined && granted.has(action.id),
        policy: '',
      })),
    ),
  }))
}

/** An object with one member for each value of a key, in the order in which these come. */
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

/** What becomes of an enabled action that is not known: it is refused, or told as passed over. */
export type UnknownActions = Readonly<{
  ignored: (path: string) => void
  /** Whether all of them are passed over (`api.rest.unknownKeys`), not only those that a Strapi has. */
  all: boolean
}>

/**
 * The actions that a tree enables. Throws `validation` for a tree of another form, or an action that is neither
 * known nor passed over.
 */
export function readPermissions(
  tree: unknown,
  known: Actions,
  unknown: UnknownActions,
): readonly string[] {
  // As a list: Strapi's tools send an empty one for none.
  if (Array.isArray(tree) && tree.length === 0) return []
  const enabled = switches(tree).filter(([id, value]) => isEnabled(id, value))
  return enabled.flatMap(([id]) => {
    if (known.has(id)) return [id]
    if (!unknown.all && !foreignActions.has(id)) {
      throw fail(
        'validation',
        `There is no action ${id} that could be granted`,
        suggestionFor(id, known.keys()),
      )
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
