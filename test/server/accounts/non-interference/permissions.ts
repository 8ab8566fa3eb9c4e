import type { ContentType, Status } from '../../../../engine/schema/content-type.js'
import type { Draw } from '../../../engine/read/execute/naive/draw.js'

/** Actions of a caller without credentials. */
export type Permissions = ReadonlySet<string>

const everyVerb = ['find', 'findOne', 'findDrafts']
/** Combinations of read actions. The usual one, which gives access to published entries only, is the most frequent. */
const combinations: readonly (readonly string[])[] = [
  ['find', 'findOne'],
  ['find', 'findOne'],
  [],
  ['findOne'],
  ['find'],
  ['find', 'findOne'],
  everyVerb,
  ['findOne', 'findDrafts'],
]

const others = [
  'plugin::users-permissions.user.find',
  'plugin::users-permissions.user.findOne',
  'plugin::users-permissions.user.count',
  'plugin::users-permissions.role.find',
]
const files = ['find', 'findOne'].map((verb) => `plugin::upload.content-api.${verb}`)

const everyWrite = ['create', 'update', 'delete', 'publish']
/** Combinations of write actions. Most are empty, because only types that the caller cannot write can be hidden. */
const writes: readonly (readonly string[])[] = [
  ...[[], [], [], [], everyWrite, ['create', 'update'], ['create'], ['delete'], ['publish']],
]

/** Draws permissions to write one content-type completely. Actions on the other types vary, or are missing. */
export function drawWritePermissions(draw: Draw, types: readonly ContentType[]): Permissions {
  const written = draw.pick(types)
  return new Set([
    ...types.flatMap((type) => {
      const reads = draw.chance(40) ? [] : draw.pick(combinations)
      const verbs = [...reads, ...(type === written ? everyWrite : draw.pick(writes))]
      return verbs.map((verb) => `${type.uid}.${verb}`)
    }),
    ...others.filter(() => draw.chance(40)),
    ...files,
  ])
}

/**
 * Draws permissions to read. In most cases, they are limited for at most two content-types, so that more content is
 * shown.
 */
export function drawPermissions(draw: Draw, types: readonly ContentType[]): Permissions {
  const generous = draw.chance(60)
  const limited = generous ? draw.some(types, 2) : types
  const verbsOf = (type: ContentType) =>
    limited.includes(type) ? draw.pick(combinations) : everyVerb
  return new Set([
    ...types.flatMap((type) => verbsOf(type).map((verb) => `${type.uid}.${verb}`)),
    ...others.filter(() => draw.chance(40)),
    ...files,
  ])
}

/**
 * Whether the caller can read entries of a type. A caller who may publish can read both versions, because responses to
 * a publish show them.
 */
export function canRead(permissions: Permissions, type: ContentType, status: Status): boolean {
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  if (canPublish(permissions, type)) return true
  return (
    (has('find') || has('findOne') || has('count')) && (status === 'published' || has('findDrafts'))
  )
}

/**
 * Whether populated relations show entries of a type, if the source has this status
 * (docs/internals/strapi-behaviour.md, "Populate"; docs/internals/decisions.md, "Drafts are not public").
 */
export function canFind(permissions: Permissions, type: ContentType, status: Status): boolean {
  if (type.uid === 'plugin::upload.file') return true
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  return has('find') && (status === 'published' || !type.draftAndPublish || has('findDrafts'))
}

/**
 * Whether the caller can publish drafts of a type. `update` is enough, because an update also publishes the attributes
 * that it does not name.
 */
export const canPublish = (permissions: Permissions, { uid }: ContentType): boolean =>
  permissions.has(`${uid}.update`) || permissions.has(`${uid}.publish`)

/**
 * Whether the caller can make relations to entries of a type. The responses to such writes reveal which entries exist,
 * and what they refer to (docs/internals/decisions.md, "Relations to drafts and to itself").
 */
export function canRelate(permissions: Permissions, type: ContentType): boolean {
  const mayWrite = [...permissions].some((action) => /^api::.*\.(create|update)$/.test(action))
  return mayWrite && permissions.has(`${type.uid}.find`)
}
