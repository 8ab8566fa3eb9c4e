import type { JsonWriter } from './json-writer.js'

const dayMs = 86_400_000

// Most dates of an answer are of a few days; the one before is often of the same.
let knownDay = NaN
let knownText = ''

/**
 * Milliseconds since 1970 as `Date.toISOString` writes them, quoted; null beyond what a `Date` can hold.
 * An entry has three dates or more, and `toISOString` was a tenth of the time of a deep populate.
 */
export function writeDate(writer: JsonWriter, ms: number): void {
  const day = Math.floor(ms / dayMs)
  if (day !== knownDay) {
    const date = new Date(day * dayMs)
    if (Number.isNaN(date.getTime()) || Number.isNaN(new Date(ms).getTime())) {
      return writer.ascii('null')
    }
    knownDay = day
    knownText = `"${date.toISOString().split('T', 1)[0] ?? ''}T`
  }
  const time = ms - day * dayMs
  writer.ascii(knownText)
  writer.digits(Math.floor(time / 3_600_000), 2)
  writer.ascii(':')
  writer.digits(Math.floor(time / 60_000) % 60, 2)
  writer.ascii(':')
  writer.digits(Math.floor(time / 1000) % 60, 2)
  writer.ascii('.')
  writer.digits(time % 1000, 3)
  writer.ascii('Z"')
}
