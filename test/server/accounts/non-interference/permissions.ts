import type { ContentType, Status } from '../../../../engine/schema/content-type.js'
import type { Draw } from '../../../engine/read/run/naive/draw.js'

/** What a caller without credentials may do, besides what does not matter here. */
export type Permissions = ReadonlySet<string>

const everyVerb = ['find', 'findOne', 'findDrafts']
/** The usual one more often: published entries, and no drafts. */
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
/** More of those that may not be written, and hence may be hidden, than of those that may. */
const writes: readonly (readonly string[])[] = [
  ...[[], [], [], [], everyWrite, ['create', 'update'], ['create'], ['delete'], ['publish']],
]

/** For a caller who writes: one content-type may be written, the others in another way each, or be hidden. */
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
 * Each content-type may be read in another way, or all of them but one or two, which shows more; users and roles
 * or not.
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
 * Whether its entries can be asked for, in a list or one by one; or are shown by what is done to them, which draft and
 * published version alike are.
 */
export function canRead(permissions: Permissions, type: ContentType, status: Status): boolean {
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  if (canPublish(permissions, type)) return true
  return (
    (has('find') || has('findOne') || has('count')) && (status === 'published' || has('findDrafts'))
  )
}

/**
 * Whether its entries are shown by relations of entries of a status (docs/coming-from-strapi.md, "Populate";
 * docs/decisions.md, "Drafts are not public").
 */
export function canFind(permissions: Permissions, type: ContentType, status: Status): boolean {
  if (type.uid === 'plugin::upload.file') return true
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  return has('find') && (status === 'published' || !type.draftAndPublish || has('findDrafts'))
}

/** Whether its drafts can be published: an update publishes what it does not name, too. */
export const canPublish = (permissions: Permissions, { uid }: ContentType): boolean =>
  permissions.has(`${uid}.update`) || permissions.has(`${uid}.publish`)

/**
 * Whether relations can be made to its entries: that they are there, as drafts too, is told by that
 * (docs/decisions.md, "Relations to drafts and to itself"), and which relations they have decides where
 * another can be put.
 */
export function canRelate(permissions: Permissions, type: ContentType): boolean {
  const mayWrite = [...permissions].some((action) => /^api::.*\.(create|update)$/.test(action))
  return mayWrite && permissions.has(`${type.uid}.find`)
}
