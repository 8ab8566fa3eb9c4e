import { nearestName } from '../../engine/errors/nearest-name.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isObject } from '../../engine/values/is-object.js'

/** Maps known member names to the known names inside their values. */
interface Known {
  readonly [name: string]: Known
}

/**
 * Warns of unknown members whose name resembles a known one. Others are allowed, because Strapi's plugins store data in
 * definitions.
 */
export function misspeltMembers(definitions: readonly SourcedDefinition[]): readonly string[] {
  return definitions.flatMap(({ source, definition }) => {
    const { attributes } = definition
    const ofAttributes = Object.entries(isObject(attributes) ? attributes : {})
    return [
      ...nearMisses(definition, { prefix: '', known: inDefinition, misplaced: misplacedMembers }),
      ...ofAttributes.flatMap(([name, attribute]) =>
        nearMisses(attribute, {
          prefix: `attributes.${name}.`,
          known: inAttribute,
          misplaced: misplacedInAttribute,
        }),
      ),
    ].map((nearMiss) => `${source}: ${nearMiss}`)
  })
}

type Place = Readonly<{
  /** Prefix of the paths in messages. */
  prefix: string
  known: Known
  /** Names that belong elsewhere in the definition, with the right path. */
  misplaced: Readonly<Record<string, string>>
}>

function nearMisses(object: unknown, place: Place, inner = ''): readonly string[] {
  const { prefix, known, misplaced } = place
  const names = Object.keys(known)
  // Options of plugins may have any name.
  if (names.length === 0 || !isObject(object)) return []
  return Object.entries(object).flatMap(([key, value]) => {
    const path = `${inner}${key}`
    const below = Object.hasOwn(known, key) ? known[key] : undefined
    if (below !== undefined) return nearMisses(value, { ...place, known: below }, `${path}.`)
    const elsewhere = nearestOrSame(key, misplaced)
    const suggestion = nearestName(key, names) ?? (elsewhere && `${prefix}${elsewhere}`)
    return suggestion === undefined
      ? []
      : [`${prefix}${path} is unknown. Did you mean ${suggestion}?`]
  })
}

function nearestOrSame(key: string, places: Place['misplaced']): string | undefined {
  const name = Object.hasOwn(places, key) ? key : nearestName(key, Object.keys(places))
  return name === undefined ? undefined : places[name]
}

/** The members that Quire reads, then Strapi's others. */
const members = [
  'kind',
  'collectionName',
  'renamedFrom',
  'info',
  'options',
  'pluginOptions',
  'attributes',
  'config',
  'uid',
  'modelName',
  'modelType',
  'globalId',
  'indexes',
  'foreignKeys',
]

const optionMembers = [
  'draftAndPublish',
  'populateCreatorFields',
  'privateAttributes',
  'indexes',
  'defaultPopulate',
  'comment',
  'increments',
  'timestamps',
  'reviewWorkflows',
  'version',
]

const attributeMembers = [
  'type',
  'required',
  'unique',
  'private',
  'default',
  'index',
  'storedAs',
  'renamedFrom',
  'pluginOptions',
  'min',
  'max',
  'minLength',
  'maxLength',
  'regex',
  'enum',
  'targetField',
  'multiple',
  'allowedTypes',
  'component',
  'components',
  'repeatable',
  'relation',
  'target',
  'inversedBy',
  'mappedBy',
  'morphBy',
  'enumName',
  'options',
  'customField',
  'configurable',
  'column',
  'columnType',
  'writable',
  'visible',
  'searchable',
  'sortable',
  'conditions',
  'useJoinTable',
  'joinTable',
  'joinColumn',
  'morphColumn',
  'plugin',
  'via',
  'model',
]

const misplacedInAttribute = { localized: 'pluginOptions.i18n.localized' }

const misplacedMembers = {
  ...misplacedInAttribute,
  draftAndPublish: 'options.draftAndPublish',
  populateCreatorFields: 'options.populateCreatorFields',
  privateAttributes: 'options.privateAttributes',
  defaultPopulate: 'options.defaultPopulate',
}

const leaves = (names: readonly string[]): Known =>
  Object.fromEntries(names.map((name) => [name, {}]))

const pluginOptions: Known = {
  ...leaves(['content-manager', 'content-type-builder']),
  i18n: leaves(['localized']),
}

const inDefinition: Known = {
  ...leaves(members),
  info: leaves(['singularName', 'pluralName', 'displayName', 'description', 'icon', 'name']),
  options: leaves(optionMembers),
  pluginOptions,
}

const inAttribute: Known = {
  ...leaves(attributeMembers),
  conditions: leaves(['visible']),
  pluginOptions,
}
