import { isObject } from './is-object.js'
import type { Fields, Reference } from './stored-types.js'

/** The field of a version that lists what it refers to (docs/storage.md, "References"); absent = nothing. */
export const referencesField = '_refs'

/** Where the versions of a type may refer to others, by stored names. */
export type ReferencePlaces = Readonly<{
  /** Fields that may hold references: relations and media of its own, and what is made of components. */
  fields: ReadonlySet<string>
  /** Paths of values that are none whatever they look like, such as JSON of a client. */
  opaque: ReadonlySet<string>
}>

/** `author:x3k…`; of a reference that names its type `related:api::page.page:x3k…`. */
export function referenceText(path: string, documentId: string, type?: string): string {
  return type === undefined ? `${path}:${documentId}` : `${path}:${type}:${documentId}`
}

/** A step into a component, or into the members of a dynamic zone that are of one component. */
export function stepText(field: string, component: string | undefined): string {
  return component === undefined ? field : `${field}[${component}]`
}

/** Everything that a version refers to, each once. What begins with `_` is not content. */
export function referencesOf(version: Fields, places: ReferencePlaces): readonly string[] {
  const fields = Object.keys(version).filter((field) => !field.startsWith('_'))
  return fields.flatMap((field) => referencesUnder(field, version[field], places))
}

/**
 * What the value of one field refers to, each once. It goes by the form of what is stored and not by the schema, so
 * that what an earlier or a later schema stored there is found as well.
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
 * The value of one field with references to entries of another type in the place of those to one that it is called no
 * longer. It goes by the form of what is stored, as `referencesUnder` does.
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

/** Whether a stored value has members of its own: it is no list, and no value of BSON. */
const isEmbedded = (value: unknown): value is Fields =>
  isObject(value) && !('_bsontype' in value) && !(value instanceof Date)

/** Whether an embedded value is a reference: a component with members of these names also has an `id`. */
const isReference = (value: Fields): value is Fields & Pick<Reference, 'documentId'> =>
  typeof value['documentId'] === 'string' && 'order' in value && !('id' in value)

function pathInto(path: string, { __component: component }: Fields, field: string): string {
  return `${stepText(path, typeof component === 'string' ? component : undefined)}.${field}`
}

/** Whether two lists name the same references, in whichever order. */
export function isSameReferences(a: unknown, b: readonly string[]): boolean {
  const listed = Array.isArray(a) ? (a as readonly unknown[]) : []
  const names = new Set(listed)
  return names.size === new Set(b).size && b.every((text) => names.has(text))
}
