import { suggestionFor } from '../../engine/errors/nearest-name.js'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { isObject } from '../../engine/values/is-object.js'

/**
 * Members of definitions that nothing reads and that resemble one that is read, a sentence each. Other strangers are
 * left alone: Strapi's plugins keep what they like in a definition.
 */
export function misspeltMembers(definitions: readonly SourcedDefinition[]): readonly string[] {
  return definitions.flatMap(({ source, definition }) => {
    const { options, attributes } = definition
    const ofAttributes = Object.entries(isObject(attributes) ? attributes : {})
    return [
      ...nearMisses(definition, '', members),
      ...nearMisses(options, 'options.', optionMembers),
      ...ofAttributes.flatMap(([name, attribute]) =>
        nearMisses(attribute, `attributes.${name}.`, attributeMembers),
      ),
    ].map((nearMiss) => `${source}: ${nearMiss}`)
  })
}

function nearMisses(object: unknown, prefix: string, known: readonly string[]): readonly string[] {
  return Object.keys(isObject(object) ? object : {}).flatMap((key) => {
    const { suggestion } = suggestionFor(key, known)
    if (suggestion === undefined) return []
    return [`${prefix}${key} is not read; did you mean ${suggestion}?`]
  })
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
