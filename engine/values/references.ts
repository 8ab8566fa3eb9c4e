import { isObject } from './is-object.js'
import type { Fields, Reference } from './stored-types.js'

/** Field that lists all references of a version (docs/internals/storage.md, "References"). Absent if there are none. */
export const referencesField = '_refs'

/** Says where versions of a type may contain references. All names are stored names. */
export type ReferencePlaces = Readonly<{
  /** Fields that may contain references: relations, media, components and dynamic zones. */
  fields: ReadonlySet<string>
  /** Paths of values that are never references, even if they look like one, such as the value of a JSON attribute. */
  opaque: ReadonlySet<string>
}>

/** Returns a reference as text: `author:x3k…`, or `related:api::page.page:x3k…` for a reference that names its type. */
export function referenceText(path: string, documentId: string, type?: string): string {
  return type === undefined ? `${path}:${documentId}` : `${path}:${type}:${documentId}`
}

/**
 * Returns one step of a path as text: `box` for a component, or `sections[shared.hero]` for one component of a dynamic
 * zone.
 */
export function stepText(field: string, component: string | undefined): string {
  return component === undefined ? field : `${field}[${component}]`
}

/**
 * Returns the distinct references of a version. Fields whose names begin with `_` are skipped, because they are not
 * content.
 */
export function referencesOf(version: Fields, places: ReferencePlaces): readonly string[] {
  const fields = Object.keys(version).filter((field) => !field.startsWith('_'))
  return fields.flatMap((field) => referencesUnder(field, version[field], places))
}

/**
 * Returns the distinct references in the value of one field. References are recognized by their stored form, not by the
 * schema. So references stored under an earlier or a later schema are found as well.
 */
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

/**
 * Replaces the uid `from` by `to` in all references in the value of one field. Like `referencesUnder`, it recognizes
 * references by their stored form.
 */
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

/** Whether a stored value is an embedded document, and not a list, a date or another BSON value. */
const isEmbedded = (value: unknown): value is Fields =>
  isObject(value) && !('_bsontype' in value) && !(value instanceof Date)

/**
 * Whether an embedded document is a reference. A component may also have attributes named `documentId` and `order`, but
 * it always has an `id`.
 */
const isReference = (value: Fields): value is Fields & Pick<Reference, 'documentId'> =>
  typeof value['documentId'] === 'string' && 'order' in value && !('id' in value)

function pathInto(path: string, { __component: component }: Fields, field: string): string {
  return `${stepText(path, typeof component === 'string' ? component : undefined)}.${field}`
}

/** Whether two lists contain the same references, in any order. */
export function isSameReferences(a: unknown, b: readonly string[]): boolean {
  const listed = Array.isArray(a) ? (a as readonly unknown[]) : []
  const names = new Set(listed)
  return names.size === new Set(b).size && b.every((text) => names.has(text))
}
