import type { ScalarAttribute } from '../../engine/schema/attribute.js'
import type { ScalarType } from '../../engine/values/scalar-type.js'
import { literal } from './source-text.js'

/** A scalar in TypeScript: as an answer shows it, as a filter asks for it, as a body gives it. */
type Forms = Readonly<{ shown: string; filter: string; given: string }>

const text: Forms = { shown: 'string', filter: 'Filters.TextFilter', given: 'string' }
const moment: Forms = {
  shown: 'string',
  filter: 'Filters.DateTimeFilter',
  given: 'string | number | Date',
}
const number: Forms = { shown: 'number', filter: 'Filters.NumberFilter', given: 'number' }

const forms: Readonly<Record<ScalarType, Forms>> = {
  string: text,
  text,
  richtext: text,
  enumeration: text,
  email: text,
  uid: text,
  password: text,
  date: { shown: 'string', filter: 'Filters.DateFilter', given: 'string | Date' },
  time: { shown: 'string', filter: 'Filters.Filter<string>', given: 'string' },
  datetime: moment,
  timestamp: moment,
  integer: number,
  float: number,
  // Texts hold digits that numbers of JavaScript do not.
  decimal: { ...number, given: 'number | string' },
  biginteger: { shown: 'string', filter: 'Filters.NumberFilter', given: 'number | string' },
  boolean: { shown: 'boolean', filter: 'Filters.BooleanFilter', given: 'boolean' },
  // Types of objects that people have of their own are given as they are.
  json: { shown: 'Values.JsonValue', filter: 'Filters.JsonFilter', given: 'unknown' },
  array: { shown: 'Values.JsonValue[]', filter: 'Filters.JsonFilter', given: 'readonly unknown[]' },
  blocks: { shown: 'Values.Blocks', filter: 'Filters.JsonFilter', given: 'Values.Blocks' },
}

export function formsOf(attribute: ScalarAttribute): Forms {
  if (attribute.holds === 'versions') return { ...forms.json, shown: 'Values.MediaFormats' }
  if (attribute.type !== 'enumeration' || attribute.enum.length === 0) return forms[attribute.type]
  const values = attribute.enum.map((value) => literal(value)).join(' | ')
  return { shown: values, filter: `Filters.TextFilter<${values}>`, given: values }
}

/** Whether a published version holds a value for certain. */
export const isAlwaysThere = ({ required, visibleIf }: ScalarAttribute): boolean =>
  required && visibleIf === undefined
