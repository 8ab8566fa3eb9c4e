import { isObject } from './is-object.js'
import type { Fields, Reference } from './stored-types.js'

/** Field of a version that lists its references (docs/storage.md, "References"). Absent if the version has none. */
export const referencesField = '_refs'

/** The parts of a type's versions that may contain references, by stored names. */
export type ReferencePlaces = Readonly<{
  /** Fields that may contain references: relations, media, components and dynamic zones. */
  fields: ReadonlySet<string>
  /** Paths of values that are not references even if they look like one, such as JSON of a client. */
  opaque: ReadonlySet<string>
}>

/** Returns the text of a reference: `author:x3k…`, or with its type `related:api::page.page:x3k…`. */
export function referenceText(path: string, documentId: string, type?: string): string {
  return type === undefined ? `${path}:${documentId}` : `${path}:${type}:${documentId}`
}

/** Returns the text of one step of a path: into a component, or into the values of one component in a dynamic zone. */
export function stepText(field: string, component: string | undefined): string {
  return component === undefined ? field : `${field}[${component}]`
}

/** Returns the distinct references of a version. Fields that begin with `_` are not content. */
export function referencesOf(version: Fields, places: ReferencePlaces): readonly string[] {
  const fields = Object.keys(version).filter((field) => !field.startsWith('_'))
  return fields.flatMap((field) => referencesUnder(field, version[field], places))
}

/**
 * Returns the distinct references in the value of one field. They are recognized by their stored form and not by the
 * schema, so that references stored under an earlier or a later schema are found as well.
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
 * Renames the type of references in the value of one field, from a previous uid to the new one. Like `referencesUnder`,
 * it recognizes references by their stored form.
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

/** Whether a stored value is a document with members, and neither a list nor a value of BSON. */
const isEmbedded = (value: unknown): value is Fields =>
  isObject(value) && !('_bsontype' in value) && !(value instanceof Date)

/** Whether an embedded value is a reference. A component with members of these names also has an `id`. */
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
