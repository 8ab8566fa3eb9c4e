import type { ContentType, Definition } from '../content-type.js'
import { defineAttributes } from './define-structure.js'
import { isScalar, type Attribute } from '../attribute.js'
import { builtInDefinitions } from './built-in.js'
import {
  collectionNameProblem,
  isKebabCase,
  isReservedApiName,
  maxCollectionName,
} from '../names.js'
import { present, RawOptions } from './read-options.js'
import { builtIn } from '../registry.js'
import { hideable, systemAttributes } from '../system-attributes.js'
import type { Report } from '../schema-error.js'
import { didYouMean } from '../../errors/nearest-name.js'
import { unorderedTypes } from '../../values/scalar-type.js'

const builtInCollections: ReadonlySet<unknown> = new Set(
  [...builtInDefinitions.values()].map(({ collectionName }) => collectionName),
)
const kinds: readonly ContentType['kind'][] = ['collectionType', 'singleType']

/**
 * Creates a content-type from its definition. Reports invalid values and replaces them by valid ones, so that the
 * checks between types still run and all problems are reported at once.
 * @param hidden names of attributes that are private in all types
 */
export function defineContentType(
  uid: string,
  definition: Definition,
  origin: ContentType['origin'],
  report: Report,
  hidden: readonly string[],
): ContentType {
  const raw = new RawOptions(definition, report)
  const info = raw.object('info')
  const options = raw.object('options')
  const i18n = raw.object('pluginOptions').object('i18n')
  const kind = readKind(raw)
  const singularName = readName(info, 'singularName')
  const pluralName = readName(info, 'pluralName')
  const apiKey = kind === 'singleType' ? 'singularName' : 'pluralName'
  const apiName = kind === 'singleType' ? singularName : pluralName
  if (origin === 'api' && isReservedApiName(apiName))
    report.warn(
      `info.${apiKey}`,
      `"/api/${apiName}" is an endpoint of the service, so this type gets no endpoint. Relations to it still work`,
    )
  const localized = i18n.get('localized') === true
  const context = { uid, inComponent: false, localizedType: localized, hidden }
  const attributes = defineAttributes(raw, options, context)
  return Object.freeze({
    uid,
    kind,
    origin,
    displayName: info.text('displayName') ?? singularName,
    singularName,
    pluralName,
    collectionName: readCollectionName(raw, { uid, origin, pluralName }),
    draftAndPublish: options.flag('draftAndPublish'),
    localized,
    populateCreatorFields: options.flag('populateCreatorFields'),
    ...present({ hidden: readHidden(options, hidden) }),
    indexes: readIndexes(options, attributes, localized),
    attributes: uid === builtIn.file ? withLinks(attributes) : attributes,
    definition,
  })
}

/** The attributes of the built-in file type that contain URLs. */
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

/** Returns the system attributes that are hidden in this type (`options.privateAttributes`) or in all types. */
function readHidden(
  options: RawOptions,
  everywhere: readonly string[],
): ReadonlySet<string> | undefined {
  const given = options.get('privateAttributes')
  const named = [...(Array.isArray(given) ? (given as string[]) : []), ...everywhere]
  const hidden = named.filter((name) => hideable.has(name))
  return hidden.length === 0 ? undefined : new Set(hidden)
}

function readKind(raw: RawOptions): ContentType['kind'] {
  const given = raw.get('kind') ?? 'collectionType'
  const kind = kinds.find((known) => known === given)
  if (kind === undefined)
    raw.warn('kind', `should be one of ${kinds.join(', ')}; Quire uses collectionType`)
  return kind ?? 'collectionType'
}

function readName(info: RawOptions, key: 'singularName' | 'pluralName'): string {
  const name = info.requiredText(key, 'a content-type needs this name')
  if (name !== undefined && !isKebabCase(name))
    info.report(key, `"${name}" is not in kebab-case (blog-post)`)
  return name ?? ''
}

/** As in Strapi, the default is the plural name with underscores. */
function readCollectionName(
  raw: RawOptions,
  { uid, origin, pluralName }: Pick<ContentType, 'uid' | 'origin' | 'pluralName'>,
): string {
  const name = raw.text('collectionName') ?? pluralName.replaceAll('-', '_')
  const problem = collectionNameProblem(name)
  if (origin === 'built-in' || (problem === undefined && !builtInCollections.has(name))) return name
  const other =
    problem === undefined
      ? `${uid.slice(0, uid.indexOf(':'))}_${name}`
      : name.replace(/^_+|^system\.|[.$\0]/g, '').slice(0, maxCollectionName)
  const reason = problem ?? 'is a collection of the service'
  raw.warn('collectionName', `entries are stored in "${other}", because "${name}" ${reason}`)
  return other
}

const maxFields = 8

/** Reads additional indexes: `options.indexes: [["publishedAt"], ["kind", "rank"]]`. */
function readIndexes(
  options: RawOptions,
  attributes: ReadonlyMap<string, Attribute>,
  localized: boolean,
): readonly (readonly string[])[] {
  const given = options.get('indexes') ?? []
  if (!Array.isArray(given)) {
    options.report('indexes', 'must be a list of lists of attribute names')
    return []
  }
  const names = [...attributes.values()].flatMap((attribute) =>
    isScalar(attribute) && !unorderedTypes.has(attribute.type) ? attribute.name : [],
  )
  const known = new Set([...systemAttributes(localized).keys(), ...names])
  return given.flatMap((fields: unknown, at) => {
    const problem = problemOf(fields, known)
    if (problem === undefined) return [fields as readonly string[]]
    options.report(`indexes.${at}`, problem)
    return []
  })
}

function problemOf(fields: unknown, known: ReadonlySet<string>): string | undefined {
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > maxFields)
    return `must be a list of 1 to ${maxFields} attribute names`
  const unknown = (fields as unknown[]).find(
    (field) => typeof field !== 'string' || !known.has(field),
  )
  if (unknown !== undefined)
    return typeof unknown === 'string'
      ? `"${unknown}" is not an attribute that can be indexed${didYouMean(unknown, known)}`
      : 'must contain names of attributes'
  return new Set(fields).size === fields.length ? undefined : 'names an attribute twice'
}
