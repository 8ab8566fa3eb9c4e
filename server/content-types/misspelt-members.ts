import { suggestionFor } from '../../engine/errors/nearest-name.js'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { isObject } from '../../engine/values/is-object.js'

/**
 * Members of definitions that nothing reads and that resemble one that is read, a sentence each. Other strangers are
 * left alone: Strapi's plugins keep what they like in a definition.
 */
export function misspeltMembers(definitions: readonly SourcedDefinition[]): readonly string[] {
  return definitions.flatMap(({ source, definition }) =>
    [...misspelt(definition)].map(
      ({ path, suggestion }) => `${source}: ${path} is not read; did you mean ${suggestion}?`,
    ),
  )
}

type Misspelt = Readonly<{ path: string; suggestion: string }>

function* misspelt(definition: SourcedDefinition['definition']): Generator<Misspelt> {
  yield* nearMisses(definition, '', members)
  const { options, attributes } = definition
  if (isObject(options)) yield* nearMisses(options, 'options.', optionMembers)
  if (!isObject(attributes)) return
  for (const [name, attribute] of Object.entries(attributes))
    if (isObject(attribute)) yield* nearMisses(attribute, `attributes.${name}.`, attributeMembers)
}

function* nearMisses(
  object: object,
  prefix: string,
  known: readonly string[],
): Generator<Misspelt> {
  for (const key of Object.keys(object)) {
    const { suggestion } = suggestionFor(key, known)
    if (suggestion !== undefined) yield { path: `${prefix}${key}`, suggestion }
  }
}

/** What is read of a definition, and after it what Strapi's own definitions hold besides. */
const members = [
  'kind',
  'collectionName',
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
