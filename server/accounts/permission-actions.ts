import { byUid, type ContentType } from '../../engine/schema/content-type.js'
import type { ContentVerb } from '../../engine/schema/grant.js'
import type { Registry } from '../../engine/schema/registry.js'
import { memoize } from '../../engine/values/memoize.js'
import type { Settings } from '../settings/settings.js'
import type { Action, Actions } from './access-control.js'

/** Returns all grantable actions in the order of the permissions tree: content-types by uid, then built-in features. */
export const actionsOf = memoize(({ contentTypes }: Registry): Actions => {
  const types = [...contentTypes.values()].filter((type) => type.origin === 'api')
  types.sort(byUid)
  const all = [...types.flatMap(contentActions), ...pluginActions]
  return new Map(all.map((action) => [action.id, action]))
})

/** Returns the actions that can be granted with this `auth.mode`. */
export const grantable = (registry: Registry, mode: Settings['auth.mode']): Actions =>
  mode === 'legacy'
    ? new Map([...actionsOf(registry)].filter(([id]) => !sessionActions.has(id)))
    : actionsOf(registry)

const toAction = (id: string, listed: boolean): Action => {
  const [group = '', controller = '', name = ''] = id.split('.')
  return { id, group, controller, name, listed }
}

function contentActions(type: ContentType): readonly Action[] {
  const usual: readonly ContentVerb[] =
    type.kind === 'singleType'
      ? ['find', 'update', 'delete']
      : ['find', 'findOne', 'create', 'update', 'delete']
  const drafting: readonly ContentVerb[] =
    type.kind === 'singleType' ? ['updateDraft'] : ['createDraft', 'updateDraft']
  // Actions that Strapi does not have (docs/internals/decisions.md, "Permissions are given one by one").
  const own: readonly ContentVerb[] = type.draftAndPublish
    ? ['findDrafts', ...drafting, 'publish']
    : ['findDrafts']
  const { renamedFrom } = type.definition
  const actionOf = (verb: ContentVerb, listed: boolean): Action => ({
    ...toAction(`${type.uid}.${verb}`, listed),
    ...(typeof renamedFrom === 'string' && { formerId: `${renamedFrom}.${verb}` }),
  })
  return [...usual.map((verb) => actionOf(verb, true)), ...own.map((verb) => actionOf(verb, false))]
}

/** Actions that exist only if `auth.mode` enables sessions. */
const sessionActions: ReadonlySet<string> = new Set(['plugin::users-permissions.auth.logout'])

/**
 * Strapi's actions that nothing in Quire checks. Permissions trees written for Strapi may contain them, but they cannot
 * be granted (docs/internals/decisions.md, "Permissions of existing endpoints").
 */
export const foreignActions: ReadonlySet<string> = new Set([
  ...sessionActions,
  'plugin::content-type-builder.components.getComponent',
  'plugin::content-type-builder.components.getComponents',
  'plugin::content-type-builder.content-types.getContentType',
  'plugin::content-type-builder.content-types.getContentTypes',
  'plugin::email.email.send',
  'plugin::upload.content-api.findPage',
  'plugin::users-permissions.auth.getSessions',
  'plugin::users-permissions.auth.refresh',
  'plugin::users-permissions.auth.revokeSession',
])

/** Actions of built-in endpoints. Actions of endpoints that only Strapi has are left out. */
const pluginControllers: readonly (readonly [controller: string, names: readonly string[]])[] = [
  ['plugin::upload.content-api', ['find', 'findOne', 'destroy', 'upload']],
  ['plugin::i18n.locales', ['listLocales']],
  [
    'plugin::users-permissions.auth',
    [
      'callback',
      'connect',
      'changePassword',
      'resetPassword',
      'logout',
      'forgotPassword',
      'register',
      'emailConfirmation',
      'sendEmailConfirmation',
    ],
  ],
  [
    'plugin::users-permissions.user',
    ['create', 'update', 'find', 'findOne', 'count', 'destroy', 'me'],
  ],
  ['plugin::users-permissions.role', ['createRole', 'findOne', 'find', 'updateRole', 'deleteRole']],
  ['plugin::users-permissions.permissions', ['getPermissions']],
]

const pluginActions: readonly Action[] = pluginControllers.flatMap(([controller, names]) =>
  names.map((name) => toAction(`${controller}.${name}`, true)),
)
