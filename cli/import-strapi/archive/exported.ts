import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'

/** A row of a table of Strapi's: a document in one locale and status, with its components. */
export type ExportedEntity = Readonly<{
  type: string
  id: number
  /** What its content had as its id before, where that is found yet (docs/storage.md, "Ids of before"). */
  formerId?: string
  data: PlainObject
}>

/** One end of a relation: a row or a component by its uid and id. */
export type LinkEnd = Readonly<{
  type: string
  ref: number
  field?: string | undefined
  /** Its place in the list of this end, from 1 on; not always whole. */
  pos?: number | undefined
}>

export type ExportedLink = Readonly<{ left: LinkEnd; right: LinkEnd }>

/** What kind of file a name in an archive is; undefined for one that no export of Strapi's has. */
export function kindOf(
  name: string,
): 'schemas' | 'entities' | 'links' | 'configuration' | 'assets' | 'metadata' | undefined {
  if (name === 'metadata.json') return 'metadata'
  if (/^assets\/uploads\/[^/\\\0]+$/.test(name)) return 'assets'
  const lines = /^(schemas|entities|links|configuration)\/[^/\\\0]+\.jsonl$/.exec(name)
  return lines?.[1] as ReturnType<typeof kindOf>
}

/** Whether a name is that of what stands in the archive beside an asset, and says nothing that its row does not. */
export const isBesideAsset = (name: string): boolean =>
  /^assets\/metadata\/[^/\\\0]+\.json$/.test(name)

/** Undefined for what is no row. */
export function readEntity(value: unknown): ExportedEntity | undefined {
  const { type, id, data } = objectOf(value)
  const number = readId(id)
  if (typeof type !== 'string' || number === undefined || !isObject(data)) return undefined
  return { type, id: number, data }
}

/** The uid that a row names; empty for what names none. */
export function rowTypeOf(value: unknown): string {
  const { type } = objectOf(value)
  return typeof type === 'string' ? type : ''
}

/** Undefined for what is no link between rows: `localizations` are links to a documentId. */
export function readLink(value: unknown): ExportedLink | undefined {
  const ends = objectOf(value)
  const left = readEnd(ends.left)
  const right = readEnd(ends.right)
  return left === undefined || right === undefined ? undefined : { left, right }
}

function readEnd(value: unknown): LinkEnd | undefined {
  const { type, ref, field, pos } = objectOf(value)
  const id = readId(ref)
  const place = pos === null ? NaN : Number(pos)
  if (typeof type !== 'string' || id === undefined) return undefined
  return {
    type,
    ref: id,
    field: typeof field === 'string' ? field : undefined,
    pos: Number.isFinite(place) ? place : undefined,
  }
}

/** Some databases tell ids as text. */
function readId(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0
    ? number
    : undefined
}

/** As staging knows a row or a component. */
export const keyOf = (uid: string, id: number): string => `${uid}:${id}`

export const uidOf = (key: string): string => key.replace(/:\d+$/, '')
