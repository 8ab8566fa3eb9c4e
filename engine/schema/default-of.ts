import { isMoment, momentOf } from '../values/now.js'
import type { ScalarAttribute } from './attribute.js'

/**
 * Returns the value to store if a create request does not contain the attribute. For dates and times, the default `now`
 * is the time of the request.
 */
export function defaultOf({ type, default: value }: ScalarAttribute): unknown {
  return value === 'now' && isMoment(type) ? momentOf(type) : structuredClone(value)
}
