import { isObject } from './is-object.js'
import type { Fields, Reference } from './stored-types.js'
import type { Document } from 'mongodb'

/** Field that lists the references of a version, if there are any (docs/internals/storage.md, "References"). */
export const referencesField = '_refs'

/** Where versions of a type may contain references, by stored names. */
export type ReferencePlaces = Readonly<{
  fields: ReadonlySet<string>
  /** Paths of values that only look like references, such as in a JSON attribute. */
  opaque: ReadonlySet<string>
}>

/** Returns `author:x3k…`, or `related:api::page.page:x3k…` for a reference that names its type. */
export function referenceText(path: string, documentId: string, type?: string): string {
  return type === undefined ? `${path}:${documentId}` : `${path}:${type}:${documentId}`
}

/** Returns one step of a path: `box` for a component, or `sections[shared.hero]` in a dynamic zone. */
export function stepText(field: string, component: string | undefined): string {
  return component === undefined ? field : `${field}[${component}]`
}

/** Returns the distinct references of a version. Fields that begin with `_` are not content. */
export function referencesOf(version: Fields, places: ReferencePlaces): readonly string[] {
  const fields = Object.keys(version).filter((field) => !field.startsWith('_'))
  return fields.flatMap((field) => referencesUnder(field, version[field], places))
}

/** Returns the distinct references in a field. Recognizes them by their stored form, whatever the schema. */
export function referencesUnder(
  field: string,
  value: unknown,
  { opaque }: ReferencePlaces,
): readonly string[] {
  const texts: string[] = []
  addReferences(texts, field, value, opaque)
  return [...new Set(texts)]
}

function addReferences(
  texts: string[],
  path: string,
  value: unknown,
  opaque: ReadonlySet<string>,
): void {
  if (opaque.has(path)) return
  if (Array.isArray(value)) for (const item of value) addReferences(texts, path, item, opaque)
  else if (isEmbedded(value)) {
    if (isReference(value)) {
      const { documentId, __type: type } = value
      texts.push(referenceText(path, documentId, typeof type === 'string' ? type : undefined))
    } else {
      for (const [field, inner] of Object.entries(value))
        addReferences(texts, pathInto(path, value, field), inner, opaque)
    }
  }
}

/** Replaces the uid `from` by `to` in all references in a field. */
export function renameReferences(
  path: string,
  value: unknown,
  renaming: Readonly<{ opaque: ReadonlySet<string>; from: string; to: string }>,
): unknown {
  if (renaming.opaque.has(path)) return value
  if (Array.isArray(value)) return value.map((item) => renameReferences(path, item, renaming))
  if (!isEmbedded(value)) return value
  if (isReference(value))
    return value['__type'] === renaming.from ? { ...value, __type: renaming.to } : value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      renameReferences(pathInto(path, value, field), inner, renaming),
    ]),
  )
}

/** Whether a value is an embedded document, not a list, a date or another BSON value. */
const isEmbedded = (value: unknown): value is Fields =>
  isObject(value) && !('_bsontype' in value) && !(value instanceof Date)

/** A component may also have attributes named `documentId` and `order`, but it always has an `id`. */
const isReference = (value: Fields): value is Fields & Pick<Reference, 'documentId'> =>
  typeof value['documentId'] === 'string' && 'order' in value && !('id' in value)

function pathInto(path: string, { __component: component }: Fields, field: string): string {
  return `${stepText(path, typeof component === 'string' ? component : undefined)}.${field}`
}

/** Compares two lists of references, in any order. */
export function isSameReferences(a: unknown, b: readonly string[]): boolean {
  const listed = Array.isArray(a) ? (a as readonly unknown[]) : []
  const names = new Set(listed)
  return names.size === new Set(b).size && b.every((text) => names.has(text))
}

/** Adds or replaces the list of references of a complete version (docs/internals/storage.md, "References"). */
export function withReferences<T extends Fields>(version: T, places: ReferencePlaces): T {
  const references = referencesOf(version, places)
  const fields = referencesField in version ? withoutList(version) : version
  return references.length > 0 ? { ...fields, [referencesField]: references } : fields
}

const withoutList = <T extends Fields>(version: T): T =>
  Object.fromEntries(Object.entries(version).filter(([field]) => field !== referencesField)) as T

/** Returns the update that sets `set` and corrects the list of references of a version that still equals `before`. */
export function writtenReferences(before: Fields, set: Fields, places: ReferencePlaces): Document {
  const references = referencesOf({ ...before, ...set }, places)
  if (isSameReferences(before[referencesField], references)) return { $set: set }
  return references.length === 0
    ? { $set: set, $unset: { [referencesField]: '' } }
    : { $set: { ...set, [referencesField]: references } }
}
