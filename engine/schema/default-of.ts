import { isMoment, momentOf } from '../values/now.js'
import type { ScalarAttribute } from './attribute.js'

/** What a create writes that does not name the attribute; `now` of a date or a time is the moment. */
export function defaultOf({ type, default: value }: ScalarAttribute): unknown {
  return value === 'now' && isMoment(type) ? momentOf(type) : structuredClone(value)
}
