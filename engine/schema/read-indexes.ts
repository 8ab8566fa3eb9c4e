import type { Attribute } from './attribute.js'
import { isScalar } from './attribute.js'
import type { RawObject } from './read-options.js'
import { member } from './read-options.js'
import type { Report } from './schema-error.js'
import { didYouMean } from '../errors/nearest-name.js'

const systemNames = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale']
const maxFields = 8

/** `options.indexes: [["publishedAt"], ["kind", "rank"]]`: extra indexes over scalar attributes and system fields. */
export function readIndexes(
  options: RawObject,
  attributes: ReadonlyMap<string, Attribute>,
  localized: boolean,
  report: Report,
): readonly (readonly string[])[] {
  const given = member(options, 'indexes')
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) {
    report('indexes', 'must be a list of lists of attribute names')
    return []
  }
  const scalars = [...attributes.values()].filter(isScalar).filter(isOrdered)
  const names = scalars.map((attribute) => attribute.name)
  const known = new Set([...systemNames.filter((name) => localized || name !== 'locale'), ...names])
  return given.flatMap((fields: unknown, at) => {
    const fault = faultOf(fields, known)
    if (fault === undefined) return [fields as readonly string[]]
    report(`indexes.${at}`, fault)
    return []
  })
}

/** Values of these types have no order that an index could hold. */
function isOrdered({ type }: Attribute): boolean {
  return !['json', 'array', 'blocks', 'password'].includes(type)
}

function faultOf(fields: unknown, known: ReadonlySet<string>): string | undefined {
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > maxFields)
    return `must be a list of 1 to ${maxFields} attribute names`
  const unknown = (fields as unknown[]).find(
    (field) => typeof field !== 'string' || !known.has(field),
  )
  if (unknown !== undefined)
    return typeof unknown === 'string'
      ? `"${unknown}" is not an attribute that can be indexed${didYouMean(unknown, known)}`
      : 'must hold names of attributes'
  return new Set(fields).size === fields.length ? undefined : 'names an attribute twice'
}
