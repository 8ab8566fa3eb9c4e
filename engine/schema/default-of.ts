import { isMoment, momentOf } from '../values/now.js'
import type { ScalarAttribute } from './attribute.js'

/** Returns the default for a create request. The default `now` of dates and times is the current time. */
export function defaultOf({ type, default: value }: ScalarAttribute): unknown {
  return value === 'now' && isMoment(type) ? momentOf(type) : structuredClone(value)
}
