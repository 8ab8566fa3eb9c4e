import type { Attribute } from '../../../engine/schema/attribute.js'
import { builtIn, type Registry } from '../../../engine/schema/registry.js'
import { keyOf, type ExportedLink, type LinkEnd } from '../archive/exported.js'
import type { StagedLink } from './staged.js'

/**
 * A reference to store, with its owner: the row or component whose attribute stores the relation in Quire. If the link
 * cannot be stored, the reason.
 */
type PlacedLink = Omit<StagedLink, '_id'> | Readonly<{ reason: string }>

/** Each row of this type grants an action to a role. */
export const permissionUid = 'plugin::users-permissions.permission'

/** Returns the message for a permission whose action Quire does not have. */
export const unknownAction = (action: string): string =>
  `permissions for unknown actions: ${action.slice(0, 200)}`

/**
 * Finds which side of a link stores the relation in Quire: usually the left. Exceptions are uses of a file, which the
 * entry on the right stores, and permissions, which the role on the right stores.
 */
export function placeLink({ left, right }: ExportedLink, registry: Registry): PlacedLink {
  const { field = '' } = left
  if (left.type === builtIn.file && field === 'related') return placeUse(left, right, registry)
  if (left.type === permissionUid && field === 'role')
    return owned(right, 'permissions', left, left.ref)
  const attribute = attributeOf(left.type, field, registry)
  if (attribute?.type === 'morph') return owned(left, field, right, right.pos)
  if (attribute?.type !== 'relation') return unknown(left.type, field)
  if (attribute.owner) return owned(left, field, right, left.pos)
  return attribute.inverseSide === undefined
    ? unknown(left.type, field)
    : owned(right, attribute.inverseSide, left, right.pos, left.pos)
}

function placeUse(file: LinkEnd, user: LinkEnd, registry: Registry): PlacedLink {
  const { field = '' } = user
  const attribute = attributeOf(user.type, field, registry)
  return attribute?.type === 'media'
    ? owned(user, field, file, user.pos)
    : unknown(user.type, field)
}

/**
 * @param at position in the list of `owner`
 * @param order position in the inverse list of `target`
 */
const owned = (
  owner: LinkEnd,
  field: string,
  target: LinkEnd,
  at: number | undefined,
  order = target.pos,
): PlacedLink => ({
  owner: keyOf(owner.type, owner.ref),
  field,
  target: keyOf(target.type, target.ref),
  at: at ?? 0,
  order: order ?? at ?? 0,
})

const unknown = (type: string, field: string): PlacedLink => ({
  reason: `relations of ${type}.${field}, which is not a relation in this project`,
})

export const attributeOf = (
  uid: string,
  name: string,
  { contentTypes, components }: Registry,
): Attribute | undefined => (contentTypes.get(uid) ?? components.get(uid))?.attributes.get(name)
