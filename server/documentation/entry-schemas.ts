import { isReadable, isScalar, type Attribute } from '../../engine/schema/attribute.js'
import type { Component, ContentType, Structure } from '../../engine/schema/content-type.js'
import { isMany, targetOf } from '../../engine/schema/edge-attribute.js'
import { fileUsers, isFile } from '../../engine/schema/file-uses.js'
import { morphTargets } from '../../engine/schema/morph-targets.js'
import { componentOf, typeOf } from '../../engine/schema/registry.js'
import { leadingAttributes, trailingAttributes } from '../../engine/schema/system-attributes.js'
import type { JsonSchema } from '../http/documented.js'
import { flag, list, nothing, object, text, textOrNull, whole } from '../http/json-schemas.js'
import { closedObject, count } from './closed-object.js'
import { mayFind, type Making } from './making.js'
import { shownSchema } from './scalar-schemas.js'
import {
  creatorsShown,
  isHiddenRelation,
  showsLocalizations,
} from '../../engine/schema/shown-members.js'

type Members = Readonly<Record<string, JsonSchema | undefined>>

/** Everything that an answer may show of an entry; `id` and `documentId` are always there, the rest if asked for. */
export const entrySchema = (making: Making, type: ContentType): JsonSchema =>
  making.part(type, isV4(making) ? 'V4' : '', () =>
    shownAs(making)(type.displayName, entryMembers(making, type)),
  )

const isV4 = ({ view }: Making): boolean => view.format === 'v4'

const shownAs = (making: Making) => (isV4(making) ? v4Schema : flatSchema)

/** An entry with members that one endpoint shows beside its own. */
export function entrySchemaWith(
  making: Making,
  type: ContentType,
  name: string,
  further: Members,
): JsonSchema {
  return making.named(name, () =>
    flatSchema(type.displayName, { ...entryMembers(making, type), ...further }),
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

function entryMembers(making: Making, type: ContentType): Members {
  const creator = anyOf(making, [creatorSchema(making), nothing])
  const file = isFile(type) ? { isUrlSigned: flag, related: usesSchema(making) } : {}
  return {
    // Of entries that are shown by a polymorphic relation.
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

function attributeMembers(making: Making, structure: Structure): Members {
  return Object.fromEntries(
    [...structure.attributes.values()]
      .filter(isReadable)
      .map((attribute) => [attribute.name, attributeSchema(making, structure, attribute)]),
  )
}

/** Undefined for what this caller is never shown. */
function attributeSchema(
  making: Making,
  owner: Structure,
  attribute: Attribute,
): JsonSchema | undefined {
  const { registry } = making
  if (isScalar(attribute)) return shownSchema(attribute)
  if (attribute.type === 'component') {
    const component = componentSchema(making, componentOf(registry, attribute.component))
    return attribute.repeatable ? list(component) : { anyOf: [component, nothing] }
  }
  if (attribute.type === 'dynamiczone') {
    const values = attribute.components.map((uid) => ({
      required: ['__component'],
      ...componentSchema(making, componentOf(registry, uid)),
    }))
    return { anyOf: [list({ anyOf: values }), countSchema(making)] }
  }
  if (attribute.type === 'morph') {
    const targets = morphTargets(registry).filter((target) => mayFind(making, target))
    const target = anyTypeSchema(making, targets)
    return attribute.many ? manySchema(making, target, 'refined') : oneSchema(making, target)
  }
  if (isHiddenRelation(owner, attribute)) return undefined
  const target = typeOf(registry, targetOf(attribute))
  if (!mayFind(making, target)) return undefined
  const entry = entrySchema(making, target)
  return isMany(attribute)
    ? manySchema(making, entry, attribute.type === 'relation' ? 'refined' : 'always')
    : oneSchema(making, entry)
}

function componentSchema(making: Making, component: Component): JsonSchema {
  return making.part(component, isV4(making) ? 'V4' : '', () => ({
    title: component.displayName,
    ...closedObject(
      {
        // Of values of dynamic zones.
        __component: { const: component.uid },
        id: whole,
        ...attributeMembers(making, component),
      },
      ['id'],
    ),
  }))
}

/** What is to be seen of the admin who wrote an entry (docs/decisions.md, "Who wrote an entry"). */
function creatorSchema(making: Making): JsonSchema {
  return making.named(isV4(making) ? 'CreatorV4' : 'Creator', () => {
    const names = { firstname: textOrNull, lastname: textOrNull, username: textOrNull }
    return shownAs(making)('Creator', { id: whole, documentId: text, ...names })
  })
}

/** The entries that use a file. */
function usesSchema(making: Making): JsonSchema {
  const users = fileUsers(making.registry).map(({ type }) => type)
  const types = users.filter((type) => mayFind(making, type))
  return manySchema(making, anyTypeSchema(making, types), 'refined')
}

function anyTypeSchema(making: Making, types: readonly ContentType[]): JsonSchema {
  if (types.length === 0) return { not: {} }
  const typed = { required: ['__type'] }
  const shown = isV4(making) ? { properties: { attributes: typed } } : typed
  return { anyOf: types.map((type) => ({ ...shown, ...entrySchema(making, type) })) }
}

/**
 * A list of entries, or how many there are where `count` was asked for. `refined`: one that is filtered or sorted
 * may be in an object (`api.rest.wrapFilteredRelations`).
 */
function manySchema(
  making: Making,
  entry: JsonSchema,
  when: 'refined' | 'always',
): JsonSchema {
  const plain = list(entry)
  const wraps = when === 'refined' && making.settings['api.rest.wrapFilteredRelations']
  const lists = isV4(making) ? [wrapped(plain)] : wraps ? [plain, wrapped(plain)] : [plain]
  return { anyOf: [...lists, countSchema(making)] }
}

const oneSchema = (making: Making, entry: JsonSchema): JsonSchema => {
  const { anyOf: schemas } = anyOf(making, [entry, nothing])
  return { anyOf: [...schemas, countSchema(making)] }
}

const anyOf = (making: Making, schemas: readonly JsonSchema[]) => ({
  anyOf: isV4(making) ? [wrapped({ anyOf: schemas })] : schemas,
})

const wrapped = (data: JsonSchema): JsonSchema => closedObject({ data }, ['data'])

const countSchema = (making: Making): JsonSchema =>
  making.named('Count', () => ({
    description: 'What `populate[…][count]=true` shows of a relation',
    ...closedObject({ count }, ['count']),
  }))
