import type { ContentType, Status } from '../../../engine/schema/content-type.js'
import type { Draw } from '../../engine/naive/draw.js'

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

/**
 * Each content-type may be read in another way, or all of them but one or two, which shows more; users and roles
 * or not.
 */
export function drawPermissions(draw: Draw, types: readonly ContentType[]): Permissions {
  const others = [
    'plugin::users-permissions.user.find',
    'plugin::users-permissions.user.findOne',
    'plugin::users-permissions.user.count',
    'plugin::users-permissions.role.find',
  ]
  const generous = draw.chance(60)
  const limited = generous ? draw.some(types, 2) : types
  const verbsOf = (type: ContentType) =>
    limited.includes(type) ? draw.pick(combinations) : everyVerb
  return new Set([
    ...types.flatMap((type) => verbsOf(type).map((verb) => `${type.uid}.${verb}`)),
    ...others.filter(() => draw.chance(40)),
    ...['find', 'findOne'].map((verb) => `plugin::upload.content-api.${verb}`),
  ])
}

/** Whether its entries can be asked for, in a list or one by one. */
export function canRead(permissions: Permissions, type: ContentType, status: Status): boolean {
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  return (
    (has('find') || has('findOne') || has('count')) && (status === 'published' || has('findDrafts'))
  )
}

/** Whether its entries are shown by relations of entries of a status (contract, "Authentication" 4; D14). */
export function canFind(permissions: Permissions, type: ContentType, status: Status): boolean {
  if (type.uid === 'plugin::upload.file') return true
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  return has('find') && (status === 'published' || !type.draftAndPublish || has('findDrafts'))
}
