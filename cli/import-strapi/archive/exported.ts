import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'

/** A row of a Strapi table: one locale and status of a document, including its components. */
export type ExportedEntity = Readonly<{
  type: string
  id: number
  /** The row's id in the previous system, if requests may still use it (docs/internals/storage.md, "Legacy ids"). */
  formerId?: string
  data: PlainObject
}>

/** One side of a relation: a row or a component, identified by its uid and id. */
export type LinkEnd = Readonly<{
  type: string
  ref: number
  field?: string | undefined
  /** The position in the list on this side of the relation, beginning with 1. Not always an integer. */
  pos?: number | undefined
}>

export type ExportedLink = Readonly<{ left: LinkEnd; right: LinkEnd }>

/** Returns the kind of a file in an archive by its name, or undefined for unknown files. */
export function kindOf(
  name: string,
):
  | 'schemas'
  | 'entities'
  | 'links'
  | 'configuration'
  | 'assets'
  | 'asset-metadata'
  | 'metadata'
  | undefined {
  if (name === 'metadata.json') return 'metadata'
  // These files are skipped, because the asset's row contains the same metadata.
  if (/^assets\/metadata\/[^/\\\0]+\.json$/.test(name)) return 'asset-metadata'
  if (/^assets\/uploads\/[^/\\\0]+$/.test(name)) return 'assets'
  const lines = /^(schemas|entities|links|configuration)\/[^/\\\0]+\.jsonl$/.exec(name)
  return lines?.[1] as ReturnType<typeof kindOf>
}

/** Parses a row. Returns undefined if the value is not a row. */
export function readEntity(value: unknown): ExportedEntity | undefined {
  const { type, id, data } = objectOf(value)
  const number = readId(id)
  if (typeof type !== 'string' || number === undefined || !isObject(data)) return undefined
  return { type, id: number, data }
}

/** Returns the uid of a row's type, or an empty string. */
export function rowTypeOf(value: unknown): string {
  const { type } = objectOf(value)
  return typeof type === 'string' ? type : ''
}

/** Parses a relation link. Returns undefined unless both sides identify a row. Links of `localizations` do not. */
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

/** Parses an id, which some databases return as a string. */
function readId(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0
    ? number
    : undefined
}

/** Returns the key of a row or a component in the staging collections. */
export const keyOf = (uid: string, id: number): string => `${uid}:${id}`

export const uidOf = (key: string): string => key.replace(/:\d+$/, '')
