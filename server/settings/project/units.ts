/** Converts a string of digits, such as an environment variable, to a number. Returns other values unchanged. */
export function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value
}

/** Converts `10mb`, or a number, to bytes. */
export const toBytes = (value: unknown): unknown => inUnits(value, bytes)

/** Converts `30d`, `2 hours` or a number of seconds to seconds. A string of digits means milliseconds, as in Strapi. */
export const toSeconds = (value: unknown): unknown => inUnits(value, seconds)

function inUnits(value: unknown, units: Units): unknown {
  if (typeof value !== 'string') return value
  const read = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim())
  const unit = (read?.[2] ?? '').toLowerCase()
  const factor = units.find(([names]) => names.includes(unit))?.[1]
  return read === null || factor === undefined ? undefined : Math.floor(Number(read[1]) * factor)
}

type Units = readonly (readonly [names: readonly string[], factor: number])[]

const bytes: Units = [
  [['', 'b'], 1],
  [['kb'], 1024],
  [['mb'], 1024 ** 2],
  [['gb'], 1024 ** 3],
]

const seconds: Units = [
  [['', 'ms', 'msec', 'msecs', 'millisecond', 'milliseconds'], 0.001],
  [['s', 'sec', 'secs', 'second', 'seconds'], 1],
  [['m', 'min', 'mins', 'minute', 'minutes'], 60],
  [['h', 'hr', 'hrs', 'hour', 'hours'], 3600],
  [['d', 'day', 'days'], 86_400],
  [['w', 'week', 'weeks'], 604_800],
  [['y', 'yr', 'yrs', 'year', 'years'], 31_557_600],
]
