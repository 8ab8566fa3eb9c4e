import escapeRegExp from 'escape-string-regexp'
import {
  dateUnits,
  isMeasurable,
  maxGroupKeys,
  measures,
  unitsOf,
} from '../../engine/read/parse/group-words.js'
import { isReadable, isScalar, type ScalarAttribute } from '../../engine/schema/attribute.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { leadingAttributes, trailingAttributes } from '../../engine/schema/system-attributes.js'
import { jsonTypes } from '../../engine/values/scalar-type.js'
import type { JsonSchema } from '../http/documented.js'
import { list, mapOf, text } from '../http/routes/json-schemas.js'
import { closedObject, count } from './closed-object.js'
import { pageOf, type DocumentBuilder } from './document-builder.js'
import { commas, queryParameter, readParameters } from './parameters.js'
import { pathsThrough } from './populate-schemas.js'

/** Returns parameters that select entries as in a list, group them, and name the values to compute. */
export function aggregateParameters(
  making: DocumentBuilder,
  type: ContentType,
): readonly JsonSchema[] {
  return [
    making.parameter(`${making.nameOf(type)}GroupBy`, () =>
      queryParameter(
        'groupBy',
        'Keys of the groups: attributes, paths to attributes, or a calendar part of dates',
        { type: 'array', maxItems: maxGroupKeys, items: groupKey(making, type) },
        commas,
      ),
    ),
    queryParameter('count', 'Shows the number of entries of each group', { enum: ['*'] }),
    ...measures.map((measure) => {
      const own = ownScalars(type).filter((one) => isMeasurable(measure, one.type))
      const names = own.map(patternOf)
      const paths = [...names, ...pathsThrough(making, type, 'components')]
      return queryParameter(
        measure,
        `${measureWords[measure]} of attributes of the entries and their components`,
        list({ type: 'string', pattern: `^(${paths.join('|')})$` }),
        commas,
      )
    }),
    queryParameter(
      'sort',
      'Keys of groups, `count`, or aggregated values, each with `:asc` or `:desc`: `sum.views:desc`',
      list(text),
      commas,
    ),
    ...readParameters(making, type, 'groups'),
  ]
}

const measureWords = { sum: 'The sum', avg: 'The average', min: 'The minimum', max: 'The maximum' }

const ownScalars = (type: ContentType): readonly ScalarAttribute[] =>
  [...leadingAttributes, ...type.attributes.values(), ...trailingAttributes(type)].filter(
    (one): one is ScalarAttribute => isScalar(one) && isReadable(one) && !jsonTypes.has(one.type),
  )

const patternOf = ({ name }: ScalarAttribute): string => escapeRegExp(name)

function groupKey(making: DocumentBuilder, type: ContentType): JsonSchema {
  const own = ownScalars(type)
  const through = pathsThrough(making, type, 'all')
  const dates = own.filter((one) => unitsOf(one.type).length > 0)
  const unit = `(:(${dateUnits.join('|')}))`
  const dated = dates.length === 0 ? [] : [`(${dates.map(patternOf).join('|')})${unit}?`]
  const parts = [...own.map(patternOf), ...dated, ...through.map((path) => `${path}${unit}?`)]
  return { type: 'string', pattern: `^(${parts.join('|')})$` }
}

const values = mapOf({ type: ['string', 'number', 'boolean', 'null'] })

/** Schema of `{ data: [{ group, count, sum, … }], meta: { pagination } }`, shared by all content-types. */
export const groupsAnswer = (making: DocumentBuilder): JsonSchema =>
  making.named('Groups', () => {
    const worked = Object.fromEntries(measures.map((measure) => [measure, values]))
    return pageOf(closedObject({ group: values, count, ...worked }, ['group']))
  })
