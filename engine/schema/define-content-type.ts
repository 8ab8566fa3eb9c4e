import type { ContentType, Definition } from './content-type.js'
import { defineAttributes } from './define-structure.js'
import { isScalar, type Attribute } from './attribute.js'
import { builtInDefinitions } from './built-in.js'
import { collectionNameFault, isKebabCase, isReservedApiName, maxCollectionName } from './names.js'
import {
  member,
  present,
  readFlag,
  readObject,
  readText,
  requireText,
  type RawObject,
} from './read-options.js'
import { builtIn } from './registry.js'
import { hideable } from './system-attributes.js'
import { within, type Report } from './schema-error.js'
import { didYouMean } from '../errors/nearest-name.js'

const builtInCollections: ReadonlySet<unknown> = new Set(
  [...builtInDefinitions.values()].map(({ collectionName }) => collectionName),
)
const kinds: readonly ContentType['kind'][] = ['collectionType', 'singleType']

/**
 * A content-type from its definition. Problems are reported, and what is wrong is replaced by what
 * comes nearest, so that the checks between types still run and everything is told at once. `hidden`: names that are
 * private in every type.
 */
export function defineContentType(
  uid: string,
  definition: Definition,
  origin: ContentType['origin'],
  report: Report,
  hidden: readonly string[] = [],
): ContentType {
  const info = readObject(definition, 'info', report)
  const options = readObject(definition, 'options', report)
  const pluginOptions = readObject(definition, 'pluginOptions', report)
  const i18n = readObject(pluginOptions, 'i18n', within(report, 'pluginOptions'))
  const kind = readKind(definition, report)
  const singularName = readName(info, 'singularName', report)
  const pluralName = readName(info, 'pluralName', report)
  const apiKey = kind === 'singleType' ? 'singularName' : 'pluralName'
  const apiName = kind === 'singleType' ? singularName : pluralName
  if (origin === 'api' && isReservedApiName(apiName))
    report.warn(
      `info.${apiKey}`,
      `"/api/${apiName}" is an endpoint of the service, so that this type has none: relations lead to it`,
    )
  const localized = member(i18n, 'localized') === true
  const attributes = defineAttributes(
    definition,
    options,
    { uid, inComponent: false, localizedType: localized, hidden },
    report,
  )
  const inOptions = within(report, 'options')
  return Object.freeze({
    uid,
    kind,
    origin,
    displayName: readText(info, 'displayName', within(report, 'info')) ?? singularName,
    singularName,
    pluralName,
    collectionName: readCollectionName(definition, { uid, origin, pluralName }, report),
    draftAndPublish: readFlag(options, 'draftAndPublish', inOptions),
    localized,
    populateCreatorFields: readFlag(options, 'populateCreatorFields', inOptions),
    ...present({ hidden: readHidden(options, hidden) }),
    indexes: readIndexes(options, attributes, localized, inOptions),
    attributes: uid === builtIn.file ? withLinks(attributes) : attributes,
    definition,
  })
}

/** Those of the file type that lead to content. */
const links = { url: 'link', formats: 'versions' } as const

function withLinks(attributes: ContentType['attributes']): ContentType['attributes'] {
  const linked = new Map<string, Attribute>(attributes)
  for (const [name, holds] of Object.entries(links)) {
    const attribute = attributes.get(name)
    if (attribute !== undefined && isScalar(attribute))
      linked.set(name, Object.freeze({ ...attribute, holds }))
  }
  return linked
}

/** System attributes of `options.privateAttributes`, which has been checked, and of what is private in every type. */
function readHidden(
  options: RawObject,
  everywhere: readonly string[],
): ReadonlySet<string> | undefined {
  const given = member(options, 'privateAttributes')
  const named = [...(Array.isArray(given) ? (given as string[]) : []), ...everywhere]
  const hidden = named.filter((name) => hideable.has(name))
  return hidden.length === 0 ? undefined : new Set(hidden)
}

function readKind(definition: Definition, report: Report): ContentType['kind'] {
  const given = member(definition, 'kind') ?? 'collectionType'
  const kind = kinds.find((known) => known === given)
  if (kind === undefined)
    report.warn('kind', `should be one of ${kinds.join(', ')}, and counts as collectionType`)
  return kind ?? 'collectionType'
}

function readName(info: RawObject, key: 'singularName' | 'pluralName', report: Report): string {
  const inInfo = within(report, 'info')
  const name = requireText(info, key, inInfo, 'a content-type needs this name')
  if (name !== undefined && !isKebabCase(name))
    inInfo(key, `"${name}" is not in kebab-case (blog-post)`)
  return name ?? ''
}

/** Where none is given it is the plural name, with underscores as Strapi writes it. */
function readCollectionName(
  definition: Definition,
  { uid, origin, pluralName }: Pick<ContentType, 'uid' | 'origin' | 'pluralName'>,
  report: Report,
): string {
  const given = readText(definition, 'collectionName', report)
  const name = given ?? pluralName.replaceAll('-', '_')
  const fault = collectionNameFault(name)
  if (origin === 'built-in' || (fault === undefined && !builtInCollections.has(name))) return name
  const other =
    fault === undefined
      ? `${uid.slice(0, uid.indexOf(':'))}_${name}`
      : name.replace(/^_+|^system\.|[.$\0]/g, '').slice(0, maxCollectionName)
  const reason = fault ?? 'is a collection of the service'
  report.warn('collectionName', `entries are kept in "${other}": "${name}" ${reason}`)
  return other
}

const systemNames = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale']
const maxFields = 8

/** `options.indexes: [["publishedAt"], ["kind", "rank"]]`: extra indexes over scalar attributes and system fields. */
function readIndexes(
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
