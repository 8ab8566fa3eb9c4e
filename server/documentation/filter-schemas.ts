import { comparisonOperators, quantifiers } from '../../engine/read/parse/raw-query.js'
import {
  isOfSeveral,
  isReadable,
  isScalar,
  type Attribute,
  type ScalarAttribute,
} from '../../engine/schema/attribute.js'
import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { isEdgeAttribute, isMany } from '../../engine/schema/edge-attribute.js'
import {
  componentIdAttribute,
  leadingAttributes,
  trailingAttributes,
} from '../../engine/schema/system-attributes.js'
import {
  jsonTypes,
  numberTypes,
  textTypes,
  type ScalarType,
} from '../../engine/values/scalar-type.js'
import { valueForms } from '../../engine/values/value-forms.js'
import type { JsonSchema } from '../http/documented.js'
import { flag, list, text, whole } from '../http/routes/json-schemas.js'
import { closedObject } from './closed-object.js'
import { partsOf, type DocumentBuilder } from './document-builder.js'
import { showsLocalizations } from '../../engine/schema/shown-members.js'

type Operator = (typeof comparisonOperators)[number]

const nulls: readonly Operator[] = ['$null', '$notNull']
const equalities: readonly Operator[] = ['$eq', '$ne', '$in', '$notIn']
const orders: readonly Operator[] = ['$lt', '$lte', '$gt', '$gte', '$between']
const ofText = comparisonOperators.filter(
  (operator) => ![...nulls, ...equalities, ...orders].includes(operator),
)

/** Operators for values that can be ordered. */
const comparing: readonly Operator[] = [...equalities, ...orders, ...nulls]

/** A JSON attribute as a whole allows only null checks; values inside it allow all operators. */
function operatorsOf(type: ScalarType): readonly Operator[] {
  if (jsonTypes.has(type)) return nulls
  return textTypes.has(type) || numberTypes.has(type) ? [...comparing, ...ofText] : comparing
}

/** Operators for a relation, which is compared by its target's id or documentId. */
const referenceOperators: readonly Operator[] = [...equalities, ...nulls]

/** Returns the schema of `filters`, including those on relations and components. */
export function filtersSchema(
  making: DocumentBuilder,
  structure: ContentType | Component,
): JsonSchema {
  return making.part(structure, 'Filters', () => {
    const members = memberSchemas(making, structure)
    return closedObject({ ...members, ...logic(filtersSchema(making, structure)) })
  })
}

const logic = (self: JsonSchema) => ({ $and: list(self), $or: list(self), $not: self })

function memberSchemas(
  making: DocumentBuilder,
  structure: ContentType | Component,
): Readonly<Record<string, JsonSchema | undefined>> {
  const own = [...structure.attributes.values()].filter(
    (attribute) => isReadable(attribute) && !isOfSeveral(attribute),
  )
  const members = [...systemOf(structure), ...own].map(
    (attribute) => [attribute.name, memberSchema(making, attribute)] as const,
  )
  return {
    ...Object.fromEntries(members),
    localizations: showsLocalizations(structure)
      ? underReference(making, structure, true)
      : undefined,
  }
}

/** Returns the attributes that every entry or component has, such as `id` and `createdAt`. */
export const systemOf = (of: ContentType | Component): readonly ScalarAttribute[] =>
  'kind' in of ? [...leadingAttributes, ...trailingAttributes(of)] : [componentIdAttribute]

function memberSchema(making: DocumentBuilder, attribute: Attribute): JsonSchema | undefined {
  if (isScalar(attribute)) return scalarFilter(making, attribute)
  const [part] = partsOf(making, attribute)
  return part && underReference(making, part, isSeveral(attribute))
}

/** Whether there can be several targets, so that quantifiers such as `$some` apply. */
const isSeveral = (attribute: Attribute): boolean =>
  attribute.type === 'component'
    ? attribute.repeatable
    : isEdgeAttribute(attribute) && isMany(attribute)

/**
 * Schema of a filter on a relation by id or documentId, on a component by id, and on either by attributes. With several
 * targets, quantifiers such as `$some` are allowed too.
 */
const underReference = (
  making: DocumentBuilder,
  structure: ContentType | Component,
  several: boolean,
): JsonSchema => ({
  anyOf: [
    filtersSchema(making, structure),
    referenceFilter(making, structure),
    ...(several ? [quantifiersSchema(making, structure)] : []),
  ],
})

function quantifiersSchema(
  making: DocumentBuilder,
  structure: ContentType | Component,
): JsonSchema {
  return making.part(structure, 'Quantifiers', () => {
    const members = quantifiers.map((name) => [name, filtersSchema(making, structure)] as const)
    const self = quantifiersSchema(making, structure)
    return closedObject({ ...Object.fromEntries(members), ...logic(self) })
  })
}

function referenceFilter(making: DocumentBuilder, structure: ContentType | Component): JsonSchema {
  return 'kind' in structure
    ? operatorSchema(making, 'ReferenceFilter', { anyOf: [whole, text] }, referenceOperators)
    : operatorSchema(making, 'ComponentFilter', whole, comparing)
}

function scalarFilter(making: DocumentBuilder, { type }: ScalarAttribute): JsonSchema {
  if (jsonTypes.has(type)) return jsonFilter(making)
  const { filter, shown, sought = shown } = valueForms[type]
  return operatorSchema(making, filter, sought, operatorsOf(type))
}

/**
 * Schema of a filter: an object with operators (including `$and`, `$or` and `$not`), a value (short for `$eq`), or a
 * list (short for `$in`).
 */
function operatorSchema(
  making: DocumentBuilder,
  name: string,
  value: JsonSchema,
  operators: readonly Operator[],
): JsonSchema {
  return making.named(name, () => {
    const self = operatorSchema(making, name, value, operators)
    const operands = operators.map((operator) => [operator, operandOf(operator, value)] as const)
    const object = closedObject({ ...Object.fromEntries(operands), ...logic(self) })
    return { anyOf: [value, list(value), object] }
  })
}

function operandOf(operator: Operator, value: JsonSchema): JsonSchema {
  if (nulls.includes(operator)) return flag
  if (operator === '$in' || operator === '$notIn') return list(value)
  if (operator === '$between') return { ...list(value), minItems: 2, maxItems: 2 }
  return ofText.includes(operator) ? text : value
}

/** Schema of a filter on values inside a JSON attribute, by path: `filters[meta][colour][$eq]=red`. */
function jsonFilter(making: DocumentBuilder): JsonSchema {
  return making.named('JsonFilter', () => ({
    type: 'object',
    properties: { $null: flag, $notNull: flag },
    additionalProperties: operatorSchema(making, 'JsonPathFilter', text, comparisonOperators),
  }))
}
