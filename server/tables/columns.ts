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

/** How a cell is read (`cells.ts`). References are `text`; `list` is a JSON list. */
export type CellKind =
  'text' | 'date' | 'number' | 'integer' | 'integer-text' | 'boolean' | 'json' | 'list'

/** A column other than `documentId`, `locale` and `status`. */
export type Column = Readonly<{
  /** An attribute's name, such as `title`. `author.email` names the targets of a relation by a unique attribute. */
  header: string
  name: string
  kind: CellKind
  /** Unique attributes by which cells may name the target of a relation. The first that matches counts. */
  by?: Readonly<{
    target: ContentType
    attributes: readonly string[]
    /** Whether a cell may also contain a documentId or an id. */
    orId: boolean
  }>
}>

/** Columns of every table. */
export const ownColumns = ['documentId', 'locale', 'status'] as const

/** References that fit into a column: stored with the entry, and with a single target type. */
type ReferenceAttribute = MediaAttribute | RelationAttribute

export const isReference = (attribute: Attribute): attribute is ReferenceAttribute =>
  attribute.type === 'media' || (attribute.type === 'relation' && attribute.owner)

/**
 * Returns the attributes of a table: readable ones, without relations that the other side stores or that have several
 * target types.
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
 * Returns the columns in the order of the definition.
 * @param by attribute by which the table names the targets of a relation: `author` → `email`
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

/** Returns the column for a header of an import. Throws `validation`, with a suggestion, for an unknown one. */
export function columnOf(type: ContentType, registry: Registry, header: string): Column {
  const [name = '', attribute, ...more] = header.split('.')
  const found = type.attributes.get(name)
  if (attribute !== undefined && more.length === 0 && found !== undefined && isReference(found))
    return referenceBy(type, registry, name, attribute)
  const isColumn = tableAttributes(type).some(([known]) => known === header)
  // Exports do not contain passwords, but an import may write them.
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
