import {
  dateUnits,
  isMeasurable,
  maxGroupKeys,
  measures,
  unitsOf,
} from '../../engine/read/query/group-words.js'
import type { ScalarAttribute } from '../../engine/schema/attribute.js'
import { isReadable, isScalar } from '../../engine/schema/attribute.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { leadingAttributes, trailingAttributes } from '../../engine/schema/system-attributes.js'
import { jsonTypes } from '../../engine/values/scalar-type.js'
import type { JsonSchema } from '../http/documented.js'
import { reference, type Making } from './making.js'
import { readParameters, type Parameter } from './parameters.js'
import { pathsThrough } from './populate-schemas.js'

/** What an aggregation takes: what a list takes of which entries, and what is worked out of their groups. */
export function aggregateParameters(making: Making, type: ContentType): readonly Parameter[] {
  const name = making.nameOf(type)
  return [
    making.parameter(`${name}GroupBy`, () => ({
      name: 'groupBy',
      in: 'query',
      description:
        'What entries are told apart by: attributes, paths to some, dates by a part of the calendar',
      schema: { type: 'array', maxItems: maxGroupKeys, items: groupKey(making, type) },
      ...commas,
    })),
    {
      name: 'count',
      in: 'query',
      description: 'How many entries a group has',
      schema: { enum: ['*'] },
    },
    ...measures.map((measure) => ({
      name: measure,
      in: 'query',
      description: `${measureWords[measure]} of attributes of the entries, and of components in them`,
      schema: {
        type: 'array',
        items: {
          type: 'string',
          pattern: patternOf(
            ownScalars(type).filter((one) => isMeasurable(measure, one.type)),
            pathsThrough(making, type, 'components'),
          ),
        },
      },
      ...commas,
    })),
    {
      name: 'sort',
      in: 'query',
      description:
        'Keys of groups, `count`, or what is worked out, each with `:asc` or `:desc`: `sum.views:desc`',
      schema: { type: 'array', items: { type: 'string' } },
      ...commas,
    },
    ...readParameters(making, type, 'groups'),
  ]
}

const commas = { style: 'form', explode: false }

const measureWords = { sum: 'The sum', avg: 'The average', min: 'The least', max: 'The greatest' }

const ownScalars = (type: ContentType): readonly ScalarAttribute[] =>
  [...leadingAttributes, ...type.attributes.values(), ...trailingAttributes(type)].filter(
    (one): one is ScalarAttribute => isScalar(one) && isReadable(one) && !jsonTypes.has(one.type),
  )

function groupKey(making: Making, type: ContentType): JsonSchema {
  const own = ownScalars(type)
  const through = pathsThrough(making, type, 'all')
  const dates = own.filter((one) => unitsOf(one.type).length > 0)
  const unit = `(:(${dateUnits.join('|')}))`
  const dated = dates.length === 0 ? [] : [`(${dates.map(({ name }) => name).join('|')})${unit}?`]
  const parts = [
    ...own.map(({ name }) => name),
    ...dated,
    ...through.map((path) => `${path}${unit}?`),
  ]
  return { type: 'string', pattern: `^(${parts.join('|')})$` }
}

const patternOf = (own: readonly ScalarAttribute[], through: readonly string[]): string =>
  `^(${[...own.map(({ name }) => name), ...through].join('|')})$`

const values: JsonSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
}

/** `{ data: [{ group, count, sum, … }], meta: { pagination } }`: the same for all content-types. */
export function groupsAnswer(making: Making): JsonSchema {
  return making.named('Groups', () => ({
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: {
        type: 'array',
        items: {
          type: 'object',
          required: ['group'],
          properties: {
            group: values,
            count: { type: 'integer', minimum: 0 },
            ...Object.fromEntries(measures.map((measure) => [measure, values])),
          },
          additionalProperties: false,
        },
      },
      meta: {
        type: 'object',
        required: ['pagination'],
        properties: { pagination: reference('Pagination') },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  }))
}
