import type { AttributeBase, ScalarAttribute } from '../../engine/schema/attribute.js'
import { valueForms } from '../../engine/values/value-forms.js'
import { literal } from './source-text.js'

/** Returns the types of a scalar attribute in responses, filters and bodies. */
export function formsOf({ type, enum: values, holds }: ScalarAttribute) {
  if (type === 'enumeration' && values.length > 0) {
    const union = values.map(literal).join(' | ')
    return { shown: union, filter: `Filters.TextFilter<${union}>`, given: union }
  }
  const { filter, type: shown, givenType: given = shown } = valueForms[type]
  return {
    shown: holds === 'versions' ? 'Values.MediaFormats' : shown,
    filter: `Filters.${filters[filter] ?? filter}`,
    given,
  }
}

/** Filters that have another name in the OpenAPI document. */
const filters: Readonly<Record<string, string>> = {
  IntegerFilter: 'NumberFilter',
  BigIntegerFilter: 'NumberFilter',
  TimeFilter: 'Filter<string>',
}

/** Whether every published version has a value of the attribute. */
export const isAlwaysThere = ({ required, visibleIf }: AttributeBase): boolean =>
  required && visibleIf === undefined
