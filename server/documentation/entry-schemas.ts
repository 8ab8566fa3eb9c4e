import { isReadable, isScalar, type Attribute } from '../../engine/schema/attribute.js'
import type { Component, ContentType, Structure } from '../../engine/schema/content-type.js'
import { isMany } from '../../engine/schema/edge-attribute.js'
import { isFile } from '../../engine/schema/file-uses.js'
import { leadingAttributes, trailingAttributes } from '../../engine/schema/system-attributes.js'
import type { JsonSchema } from '../http/documented.js'
import {
  flag,
  inData,
  list,
  members,
  nothing,
  object,
  text,
  textOrNull,
  whole,
} from '../http/routes/json-schemas.js'
import { closedObject, count } from './closed-object.js'
import { partsOf, typesWithFiles, type DocumentBuilder } from './document-builder.js'
import { shownSchema } from './scalar-schemas.js'
import {
  creatorsShown,
  isHiddenRelation,
  isType,
  showsLocalizations,
} from '../../engine/schema/shown-members.js'

type Members = Readonly<Record<string, JsonSchema | undefined>>

/** Schema of an entry. `id` and `documentId` are always present; other members depend on the request. */
export const entrySchema = (making: DocumentBuilder, type: ContentType): JsonSchema =>
  making.part(type, isV4(making) ? 'V4' : '', () =>
    shownAs(making)(type.displayName, entryMembers(making, type)),
  )

const isV4 = ({ view }: DocumentBuilder): boolean => view.format === 'v4'

const shownAs = (making: DocumentBuilder) => (isV4(making) ? v4Schema : flatSchema)

/** Returns the schema of an entry with the members `further`, which only one endpoint returns. */
export function entrySchemaWith(
  making: DocumentBuilder,
  type: ContentType,
  name: string,
  further: Members,
): JsonSchema {
  return making.named(name, () =>
    flatSchema(type.displayName, { ...entryMembers(making, type), ...further }),
  )
}

const flatSchema = (title: string, shown: Members): JsonSchema => ({
  title,
  ...closedObject(shown, ['id', 'documentId']),
})

/** Strapi 4's format: everything except the id is in `attributes` (docs/internals/decisions.md, "The older format"). */
function v4Schema(title: string, { id, ...properties }: Members): JsonSchema {
  const attributes = { ...object, properties, additionalProperties: false }
  return {
    title,
    ...closedObject({ id, documentId: text, attributes }, ['id', 'attributes']),
  }
}

function entryMembers(making: DocumentBuilder, type: ContentType): Members {
  const creator = anyOf(making, [creatorSchema(making), nothing])
  const file = isFile(type) ? { isUrlSigned: flag, related: usesSchema(making) } : {}
  return {
    // Present only in entries that a polymorphic relation refers to.
    __type: { const: type.uid },
    ...systemMembers(leadingAttributes),
    ...attributeMembers(making, type),
    ...systemMembers(trailingAttributes(type)),
    localizations: showsLocalizations(type)
      ? manySchema(making, entrySchema(making, type), 'always')
      : undefined,
    ...Object.fromEntries(creatorsShown(type).map((name) => [name, creator])),
    ...file,
  }
}

function systemMembers(attributes: typeof leadingAttributes): Members {
  return Object.fromEntries(
    attributes.map((attribute) => {
      if (attribute.name === 'id') return ['id', whole]
      return [attribute.name, attribute.name === 'documentId' ? text : shownSchema(attribute)]
    }),
  )
}

function attributeMembers(making: DocumentBuilder, structure: Structure): Members {
  return Object.fromEntries(
    [...structure.attributes.values()]
      .filter(isReadable)
      .map((attribute) => [attribute.name, attributeSchema(making, structure, attribute)]),
  )
}

/** Returns the schema of an attribute in responses; undefined if the caller can never see the attribute. */
function attributeSchema(
  making: DocumentBuilder,
  owner: Structure,
  attribute: Attribute,
): JsonSchema | undefined {
  if (isScalar(attribute)) return shownSchema(attribute)
  if (isHiddenRelation(owner, attribute)) return undefined
  const schemas = partsOf(making, attribute).map((part) =>
    isType(part) ? entrySchema(making, part) : componentSchema(making, part),
  )
  if (attribute.type === 'dynamiczone') {
    const values = schemas.map((schema) => ({ required: ['__component'], ...schema }))
    return { anyOf: [list({ anyOf: values }), countSchema(making)] }
  }
  const schema = attribute.type === 'morph' ? anyTypeSchema(making, schemas) : schemas[0]
  if (schema === undefined) return undefined
  if (attribute.type === 'component')
    return attribute.repeatable ? list(schema) : { anyOf: [schema, nothing] }
  return isMany(attribute)
    ? manySchema(making, schema, attribute.type === 'media' ? 'always' : 'refined')
    : oneSchema(making, schema)
}

function componentSchema(making: DocumentBuilder, component: Component): JsonSchema {
  return making.part(component, isV4(making) ? 'V4' : '', () => ({
    title: component.displayName,
    ...closedObject(
      {
        // Present only in dynamic zones.
        __component: { const: component.uid },
        id: whole,
        ...attributeMembers(making, component),
      },
      ['id'],
    ),
  }))
}

/** Schema of the admin who created or changed an entry (docs/internals/decisions.md, "Who wrote an entry"). */
function creatorSchema(making: DocumentBuilder): JsonSchema {
  return making.named(isV4(making) ? 'CreatorV4' : 'Creator', () => {
    const names = { firstname: textOrNull, lastname: textOrNull, username: textOrNull }
    return shownAs(making)('Creator', { id: whole, documentId: text, ...names })
  })
}

function usesSchema(making: DocumentBuilder): JsonSchema {
  const users = typesWithFiles(making).map((type) => entrySchema(making, type))
  return manySchema(making, anyTypeSchema(making, users), 'refined')
}

/** Schema of an entry of one of several types. The entry's type is in `__type`. */
function anyTypeSchema(making: DocumentBuilder, entries: readonly JsonSchema[]): JsonSchema {
  if (entries.length === 0) return { not: {} }
  const typed = { required: ['__type'] }
  const shown = isV4(making) ? { properties: { attributes: typed } } : typed
  return { anyOf: entries.map((entry) => ({ ...shown, ...entry })) }
}

/**
 * Schema of related entries: a list, or a number if the request asks for `count`.
 *
 * @param when `refined`: the request can filter or sort the list. If it does and `api.rest.wrapFilteredRelations` is
 * on, the list is in an object with `data`
 */
function manySchema(
  making: DocumentBuilder,
  entry: JsonSchema,
  when: 'refined' | 'always',
): JsonSchema {
  const plain = list(entry)
  const wraps = when === 'refined' && making.settings['api.rest.wrapFilteredRelations']
  const lists = isV4(making) ? [inData(plain)] : wraps ? [plain, inData(plain)] : [plain]
  return { anyOf: [...lists, countSchema(making)] }
}

const oneSchema = (making: DocumentBuilder, entry: JsonSchema): JsonSchema => {
  const { anyOf: schemas } = anyOf(making, [entry, nothing])
  return { anyOf: [...schemas, countSchema(making)] }
}

const anyOf = (making: DocumentBuilder, schemas: readonly JsonSchema[]) => ({
  anyOf: isV4(making) ? [inData({ anyOf: schemas })] : schemas,
})

const countSchema = (making: DocumentBuilder): JsonSchema =>
  making.named('Count', () => ({
    description: 'The number of related entries, with `populate[…][count]=true`',
    ...members({ count }),
  }))
