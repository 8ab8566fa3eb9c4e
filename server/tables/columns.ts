import { nearestName } from '../../engine/errors/nearest-name.js'
import { fail } from '../../engine/errors.js'
import {
  isReadable,
  isScalar,
  type Attribute,
  type MediaAttribute,
  type RelationAttribute,
} from '../../engine/schema/attribute.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import { typeOf, type Registry } from '../../engine/schema/registry.js'
import { isMany, isReferring, targetOf } from '../../engine/schema/edge-attribute.js'
import { jsonTypes, numberTypes } from '../../engine/values/scalar-type.js'

/** Kinds of cells. The kind decides how a cell is read (`cells.ts`). A reference is text; `list` is a JSON list. */
export type CellKind =
  'text' | 'date' | 'number' | 'integer' | 'integer-text' | 'boolean' | 'json' | 'list'

/** A column of a table of entries, besides `documentId`, `locale` and `status`. */
export type Column = Readonly<{
  /** `title`, or `author.email` if references are given by a unique attribute of their targets. */
  header: string
  /** Name of the attribute. */
  name: string
  kind: CellKind
  /** Unique attributes of the targets by which references are given. The first attribute that has the value counts. */
  by?: Readonly<{
    target: ContentType
    attributes: readonly string[]
    /** Whether a cell may also contain a documentId or an id. */
    orId: boolean
  }>
}>

/** Columns of every content-type. */
export const ownColumns = ['documentId', 'locale', 'status'] as const

/** An attribute whose references form a column. They are stored with the entry and have one target type. */
type ReferenceAttribute = MediaAttribute | RelationAttribute

export const isReference = (attribute: Attribute): attribute is ReferenceAttribute =>
  attribute.type === 'media' || (attribute.type === 'relation' && attribute.owner)

/**
 * Returns the attributes in a table. Omits attributes that are never shown, and relations that the other side stores.
 */
export function tableAttributes({
  attributes,
}: Structure): readonly (readonly [name: string, attribute: Attribute])[] {
  return [...attributes].filter(
    ([, attribute]) =>
      isReadable(attribute) &&
      attribute.type !== 'morph' &&
      (attribute.type !== 'relation' || attribute.owner),
  )
}

/**
 * Returns the columns of a type, in the order of its definition.
 * @param by relations whose references are given by an attribute of their targets: `author` → `email`
 */
export function columnsOf(
  type: ContentType,
  registry: Registry,
  by: ReadonlyMap<string, string> = new Map(),
): readonly Column[] {
  const attributes = tableAttributes(type)
  const names = attributes.flatMap(([name, attribute]) => (isReference(attribute) ? name : []))
  for (const name of by.keys())
    if (!names.includes(name)) throw unknown(`There is no relation ${name}`, name, names)
  return attributes.map(([name, attribute]) => {
    const column = by.get(name)
    return column === undefined
      ? { header: name, name, kind: kindOf(attribute) }
      : referenceBy(type, registry, name, column)
  })
}

/** Returns the column of a header in an import. Throws `validation` with a suggestion if there is none. */
export function columnOf(type: ContentType, registry: Registry, header: string): Column {
  const [name = '', attribute, ...more] = header.split('.')
  const found = type.attributes.get(name)
  if (attribute !== undefined && more.length === 0 && found !== undefined && isReference(found))
    return referenceBy(type, registry, name, attribute)
  const isColumn = tableAttributes(type).some(([known]) => known === header)
  // A password can be written, but is never shown.
  if (found !== undefined && attribute === undefined && (isColumn || found.type === 'password'))
    return { header, name, kind: kindOf(found), ...byAny(found, registry) }
  const known = [...ownColumns, ...tableAttributes(type).map(([known]) => known)]
  throw unknown(`There is no column ${header}`, header, known)
}

/** Throws `validation` for an unknown header. */
export function checkColumn(type: ContentType, registry: Registry, header: string): void {
  if (!ownColumns.some((own) => own === header)) columnOf(type, registry, header)
}

function referenceBy(
  type: ContentType,
  registry: Registry,
  name: string,
  attribute: string,
): Column {
  const reference = type.attributes.get(name) as ReferenceAttribute
  const target = typeOf(registry, targetOf(reference))
  const unique = uniqueNames(target)
  if (!unique.includes(attribute))
    throw unknown(`${target.uid} has no unique attribute ${attribute}`, attribute, unique)
  const header = `${name}.${attribute}`
  const by = { target, attributes: [attribute], orId: false }
  return { header, name, kind: kindOf(reference), by }
}

function byAny(attribute: Attribute, registry: Registry): Pick<Column, 'by'> {
  if (!isReference(attribute)) return {}
  const target = typeOf(registry, targetOf(attribute))
  const attributes = uniqueNames(target)
  return attributes.length === 0 ? {} : { by: { target, attributes, orId: true } }
}

function uniqueNames({ attributes }: ContentType): readonly string[] {
  const isUnique = (one: Attribute): boolean => isScalar(one) && (one.unique || one.type === 'uid')
  return [...attributes].flatMap(([name, one]) => (isUnique(one) && isReadable(one) ? name : []))
}

function kindOf(attribute: Attribute): CellKind {
  if (isReferring(attribute)) return isMany(attribute) ? 'list' : 'text'
  if (!isScalar(attribute))
    return 'repeatable' in attribute && !attribute.repeatable ? 'json' : 'list'
  if (jsonTypes.has(attribute.type)) return 'json'
  switch (attribute.type) {
    case 'boolean':
    case 'integer':
    case 'date':
      return attribute.type
    case 'datetime':
    case 'timestamp':
      return 'date'
    case 'biginteger':
      return 'integer-text'
    default:
      return numberTypes.has(attribute.type) ? 'number' : 'text'
  }
}

function unknown(message: string, given: string, known: readonly string[]): Error {
  const meant = nearestName(given, known)
  const end = meant === undefined ? '' : `; did you mean ${meant}?`
  return fail('validation', `${message}${end}`, { suggestion: meant })
}
