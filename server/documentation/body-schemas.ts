import {
  isScalar,
  type Attribute,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  type MediaAttribute,
} from '../../engine/schema/attribute.js'
import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { isGenerated } from '../../engine/schema/generated-uids.js'
import { componentOf } from '../../engine/schema/registry.js'
import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import {
  flag,
  list,
  members,
  nothing,
  object,
  text,
  textOrNull,
  whole,
} from '../http/routes/json-schemas.js'
import { closedObject } from './closed-object.js'
import type { DocumentBuilder } from './document-builder.js'
import { orNull, takenSchema } from './scalar-schemas.js'

/**
 * The schema for `Create` requires the required attributes. With `Update`, attributes that the body omits stay
 * unchanged.
 */
type Mode = 'Create' | 'Update'

/**
 * Returns the schema of `data` in a write that publishes. A draft may omit required attributes and break validation
 * rules.
 */
export function dataSchema(
  making: DocumentBuilder,
  of: ContentType | Component,
  mode: Mode,
): JsonSchema {
  return making.part(of, mode, () => objectSchema(making, of, mode, {}))
}

function objectSchema(
  making: DocumentBuilder,
  of: ContentType | Component,
  mode: Mode,
  further: JsonSchemas,
): JsonSchema {
  const writable = [...of.attributes.values()].filter((attribute) => attribute.writable !== false)
  const requiredOnes = mode === 'Create' ? writable.filter((one) => isRequired(making, one)) : []
  const required = [...Object.keys(further), ...requiredOnes.map(({ name }) => name)]
  return {
    title: of.displayName,
    type: 'object',
    properties: {
      ...further,
      // If `id` is the id of an existing component, the write changes this component instead of creating one.
      ...(!('kind' in of) && mode === 'Update' && { id: nameOfTarget }),
      ...Object.fromEntries(
        writable.map((attribute) => [attribute.name, attributeSchema(making, attribute, mode)]),
      ),
    },
    required: required.length === 0 ? undefined : required,
    additionalProperties: false,
  }
}

/** Whether a write that publishes must contain the attribute. */
function isRequired({ settings }: DocumentBuilder, attribute: Attribute): boolean {
  if (!attribute.required || attribute.visibleIf !== undefined) return false
  if (isGenerated(attribute)) return !settings['api.rest.generateUids']
  if (isScalar(attribute)) return attribute.default === undefined
  const isRelation = ['relation', 'media', 'morph'].includes(attribute.type)
  return !isRelation || settings['validation.requiredRelations']
}

function attributeSchema(making: DocumentBuilder, attribute: Attribute, mode: Mode): JsonSchema {
  const { registry } = making
  if (isScalar(attribute)) return takenSchema(attribute)
  switch (attribute.type) {
    case 'component': {
      const value = dataSchema(making, componentOf(registry, attribute.component), mode)
      if (attribute.repeatable) return { ...list(value), ...lengthOf(attribute) }
      return attribute.required ? value : orNull(value)
    }
    case 'dynamiczone': {
      const values = attribute.components.map((uid) => zoneValue(making, uid, mode))
      return { ...list({ anyOf: values }), ...lengthOf(attribute) }
    }
    case 'morph':
      return relationSchema(making, 'PolymorphicInput', typedTarget)
    case 'media':
      return {
        ...relationSchema(making, 'RelationInput', anyTarget),
        description: mediaDescription(making, attribute),
      }
    case 'relation':
      return relationSchema(making, 'RelationInput', anyTarget)
  }
}

const mediaDescription = (
  { settings }: DocumentBuilder,
  { allowedTypes }: MediaAttribute,
): string | undefined =>
  allowedTypes.length === 0 || !settings['upload.enforceAllowedTypes']
    ? undefined
    : `Files of these types: ${allowedTypes.join(', ')}`

/** Limits of a list's length. `min` does not apply to an optional list, which may always be empty. */
const lengthOf = ({
  min,
  max,
  required,
}: ComponentAttribute | DynamicZoneAttribute): JsonSchema => ({
  minItems: required ? min : undefined,
  maxItems: max,
})

/** Schema of a value in a dynamic zone, whose `__component` names its component. */
function zoneValue(making: DocumentBuilder, uid: string, mode: Mode): JsonSchema {
  const component = componentOf(making.registry, uid)
  return making.part(component, `Zone${mode}`, () =>
    objectSchema(making, component, mode, { __component: { const: uid } }),
  )
}

const nameOfTarget: JsonSchema = { anyOf: [whole, text] }
const isNamed = { anyOf: [{ required: ['documentId'] }, { required: ['id'] }] }
const neighbour: JsonSchema = {
  anyOf: [nameOfTarget, { ...object, ...isNamed }, nothing],
}
const atEdge: JsonSchema = { enum: [true, false, null] }
const neighbourType = {
  ...text,
  description: 'Type of the neighbour in a polymorphic relation; default: that of the item',
}
const place: JsonSchema = {
  description: 'Position in the list: one of these; default: the end',
  anyOf: [
    {
      type: ['object', 'null'],
      properties: {
        ...{ before: neighbour, after: neighbour, __type: neighbourType },
        ...{ start: atEdge, end: atEdge },
      },
    },
    { const: 'end' },
  ],
}

const targetObject = (further: JsonSchemas, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    documentId: textOrNull,
    id: { anyOf: [nameOfTarget, nothing] },
    locale: textOrNull,
    ...further,
  },
  ...isNamed,
  required: required.length === 0 ? undefined : required,
})

/** Creates the schema of a relation's target with additional members (`further`), such as a position. */
type Target = (further: JsonSchemas) => JsonSchema
const anyTarget: Target = (further) => ({ anyOf: [nameOfTarget, targetObject(further, [])] })
const typedTarget: Target = (further) => targetObject({ __type: text, ...further }, ['__type'])

/** Schemas of one target and of a list of targets. Null is allowed in a list, but a write ignores it. */
const oneOrMore = (target: JsonSchema): readonly JsonSchema[] => [
  target,
  list({ anyOf: [target, nothing] }),
]

/**
 * Schema of a relation in a body. A target or a list of targets replaces the present targets; `connect` and
 * `disconnect` add and remove some; null removes all.
 */
function relationSchema(making: DocumentBuilder, name: string, target: Target): JsonSchema {
  return making.named(name, () => {
    const named = oneOrMore(target({}))
    return {
      description: 'A target, a list of targets, or changes of the relation. null clears it',
      anyOf: [
        { type: ['null', 'boolean'] },
        ...named,
        members({ set: { anyOf: [...named, nothing] } }),
        {
          ...edits(target({ position: place }), named, {
            type: ['object', 'null'],
            properties: { strict: flag },
          }),
          description: 'Without any of these, nothing changes',
        },
        {
          ...edits(target({}), named, {
            type: 'object',
            properties: { strict: { const: false } },
            required: ['strict'],
          }),
          description: 'A position that is invalid or impossible means the end',
          required: ['options'],
        },
      ],
    }
  })
}

const edits = (
  connected: JsonSchema,
  named: readonly JsonSchema[],
  options: JsonSchema,
): JsonSchema =>
  closedObject({
    connect: { anyOf: [...oneOrMore(connected), nothing] },
    disconnect: { anyOf: [...named, nothing] },
    options,
  })
