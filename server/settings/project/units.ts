/** A number, also where an environment variable gave its digits; what is neither stays as it is. */
export function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value
}

/** Bytes of `10mb` or of a number. */
export function toBytes(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const read = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)?$/i.exec(value.trim())
  const factor = bytes.get((read?.[2] ?? 'b').toLowerCase())
  return read === null || factor === undefined ? undefined : Math.floor(Number(read[1]) * factor)
}

/** Seconds of `30d`, `2 hours` or of a number of seconds; a text of digits alone is milliseconds, as for Strapi. */
export function toSeconds(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const read = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim())
  const unit = (read?.[2] ?? '').toLowerCase()
  const factor = seconds.find(([names]) => names.includes(unit))?.[1]
  return read === null || factor === undefined ? undefined : Math.floor(Number(read[1]) * factor)
}

const bytes = new Map([
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 ** 2],
  ['gb', 1024 ** 3],
])

const seconds: readonly (readonly [names: readonly string[], factor: number])[] = [
  [['', 'ms', 'msec', 'msecs', 'millisecond', 'milliseconds'], 0.001],
  [['s', 'sec', 'secs', 'second', 'seconds'], 1],
  [['m', 'min', 'mins', 'minute', 'minutes'], 60],
  [['h', 'hr', 'hrs', 'hour', 'hours'], 3600],
  [['d', 'day', 'days'], 86_400],
  [['w', 'week', 'weeks'], 604_800],
  [['y', 'yr', 'yrs', 'year', 'years'], 31_557_600],
]
