import { isReadable, isScalar, type Attribute } from '../../engine/schema/attribute.js'
import type { Component, ContentType, Structure } from '../../engine/schema/content-type.js'
import { isEdgeAttribute, isMany, targetOf } from '../../engine/schema/edge-attribute.js'
import { fileUsers, isFile } from '../../engine/schema/file-uses.js'
import { morphTargets } from '../../engine/schema/morph-targets.js'
import { componentOf, typeOf } from '../../engine/schema/registry.js'
import { leadingAttributes, trailingAttributes } from '../../engine/schema/system-attributes.js'
import type { JsonSchema } from '../http/documented.js'
import { flag, list, object, text, textOrNull, whole } from '../http/json-schemas.js'
import { closedObject, count } from './closed-object.js'
import { mayFind, type Making } from './making.js'
import { shownSchema } from './scalar-schemas.js'
import {
  creatorsShown,
  isHiddenRelation,
  showsLocalizations,
} from '../../engine/schema/shown-members.js'
import type { View } from './view.js'

type Format = View['format']
type Members = Readonly<Record<string, JsonSchema | undefined>>

/** Everything that an answer may show of an entry; `id` and `documentId` are always there, the rest if asked for. */
export function entrySchema(
  making: Making,
  type: ContentType,
  format: Format = 'flat',
): JsonSchema {
  const part = format === 'v4' ? 'V4' : ''
  return making.part(type, part, () => {
    const schemaOf = format === 'flat' ? flatSchema : v4Schema
    return schemaOf(type.displayName, entryMembers(making, type, format))
  })
}

/** An entry with members that one endpoint shows beside its own. */
export function entrySchemaWith(
  making: Making,
  type: ContentType,
  name: string,
  further: Members,
): JsonSchema {
  return making.named(name, () =>
    flatSchema(type.displayName, { ...entryMembers(making, type, 'flat'), ...further }),
  )
}

const flatSchema = (title: string, members: Members): JsonSchema => ({
  title,
  ...closedObject(members, ['id', 'documentId']),
})

/** Everything but the id is below `attributes` (docs/decisions.md, "The older format"). */
function v4Schema(title: string, { id, ...members }: Members): JsonSchema {
  const attributes = { ...object, properties: members, additionalProperties: false }
  return {
    title,
    ...closedObject({ id, documentId: text, attributes }, ['id', 'attributes']),
  }
}

function entryMembers(making: Making, type: ContentType, format: Format): Members {
  const creator = anyOf([creatorSchema(making, format), { type: 'null' }], format)
  const file = isFile(type) ? { isUrlSigned: flag, related: usesSchema(making, format) } : {}
  return {
    // Of entries that are shown by a polymorphic relation.
    __type: { const: type.uid },
    ...systemMembers(leadingAttributes),
    ...attributeMembers(making, type, format),
    ...systemMembers(trailingAttributes(type)),
    localizations: showsLocalizations(type)
      ? manySchema(making, entrySchema(making, type, format), format, 'always')
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

function attributeMembers(making: Making, structure: Structure, format: Format): Members {
  return Object.fromEntries(
    [...structure.attributes.values()]
      .filter(isReadable)
      .map((attribute) => [attribute.name, attributeSchema(making, structure, attribute, format)]),
  )
}

/** Undefined for what this caller is never shown. */
function attributeSchema(
  making: Making,
  owner: Structure,
  attribute: Attribute,
  format: Format,
): JsonSchema | undefined {
  const { registry } = making
  if (isScalar(attribute)) return shownSchema(attribute)
  if (attribute.type === 'component') {
    const component = componentSchema(making, componentOf(registry, attribute.component), format)
    return attribute.repeatable ? list(component) : { anyOf: [component, { type: 'null' }] }
  }
  if (attribute.type === 'dynamiczone') {
    const values = attribute.components.map((uid) => ({
      required: ['__component'],
      ...componentSchema(making, componentOf(registry, uid), format),
    }))
    return { anyOf: [list({ anyOf: values }), countSchema(making)] }
  }
  if (attribute.type === 'morph') {
    const targets = morphTargets(registry).filter((target) => mayFind(making, target))
    const target = anyTypeSchema(making, targets, format)
    return attribute.many
      ? manySchema(making, target, format, 'refined')
      : oneSchema(making, target, format)
  }
  if (isHiddenRelation(owner, attribute)) return undefined
  const target = typeOf(registry, targetOf(attribute))
  if (!mayFind(making, target)) return undefined
  const entry = entrySchema(making, target, format)
  if (!isEdgeAttribute(attribute)) return undefined
  return isMany(attribute)
    ? manySchema(making, entry, format, attribute.type === 'relation' ? 'refined' : 'always')
    : oneSchema(making, entry, format)
}

function componentSchema(making: Making, component: Component, format: Format): JsonSchema {
  return making.part(component, format === 'v4' ? 'V4' : '', () => ({
    title: component.displayName,
    ...closedObject(
      {
        // Of values of dynamic zones.
        __component: { const: component.uid },
        id: whole,
        ...attributeMembers(making, component, format),
      },
      ['id'],
    ),
  }))
}

/** What is to be seen of the admin who wrote an entry (docs/decisions.md, "Who wrote an entry"). */
function creatorSchema(making: Making, format: Format): JsonSchema {
  return making.named(format === 'v4' ? 'CreatorV4' : 'Creator', () => {
    const names = { firstname: textOrNull, lastname: textOrNull, username: textOrNull }
    const members = { id: whole, documentId: text, ...names }
    return format === 'v4' ? v4Schema('Creator', members) : flatSchema('Creator', members)
  })
}

/** The entries that use a file. */
function usesSchema(making: Making, format: Format): JsonSchema {
  const users = fileUsers(making.registry).map(({ type }) => type)
  const types = users.filter((type) => mayFind(making, type))
  return manySchema(making, anyTypeSchema(making, types, format), format, 'refined')
}

function anyTypeSchema(making: Making, types: readonly ContentType[], format: Format): JsonSchema {
  if (types.length === 0) return { not: {} }
  return {
    anyOf: types.map((type) => ({
      ...(format === 'v4'
        ? { properties: { attributes: { required: ['__type'] } } }
        : { required: ['__type'] }),
      ...entrySchema(making, type, format),
    })),
  }
}

/**
 * A list of entries, or how many there are where `count` was asked for. `refined`: one that is filtered or sorted
 * may be in an object (`api.rest.wrapFilteredRelations`).
 */
function manySchema(
  making: Making,
  entry: JsonSchema,
  format: Format,
  when: 'refined' | 'always',
): JsonSchema {
  const plain = list(entry)
  const wraps = when === 'refined' && making.settings['api.rest.wrapFilteredRelations']
  const lists = format === 'v4' ? [wrapped(plain)] : wraps ? [plain, wrapped(plain)] : [plain]
  return { anyOf: [...lists, countSchema(making)] }
}

const oneSchema = (making: Making, entry: JsonSchema, format: Format): JsonSchema => {
  const schema = anyOf([entry, { type: 'null' }], format)
  return { anyOf: [...(schema.anyOf as readonly JsonSchema[]), countSchema(making)] }
}

const anyOf = (schemas: readonly JsonSchema[], format: Format): JsonSchema =>
  format === 'v4' ? { anyOf: [wrapped({ anyOf: schemas })] } : { anyOf: schemas }

const wrapped = (data: JsonSchema): JsonSchema => closedObject({ data }, ['data'])

const countSchema = (making: Making): JsonSchema =>
  making.named('Count', () => ({
    description: 'What `populate[…][count]=true` shows of a relation',
    ...closedObject({ count }, ['count']),
  }))
