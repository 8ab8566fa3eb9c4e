import type { FieldForm, LinkPlan } from '../plan/read-plan.js'
import { bsonType, endOfText, readLong } from '../stored/stored-bson.js'
import type { Stored } from '../stored/stored-document.js'
import { typeAt, offsetAt } from '../stored/stored-fields.js'
import type { JsonWriter } from './json-writer.js'
import { numberOf, writeJson } from './write-json.js'
import { writeLinks, type LinkedForm } from './write-links.js'

type Writing = Readonly<{ writer: JsonWriter; plan: Readonly<{ links?: LinkPlan | undefined }> }>

/** Writes a stored scalar. Writes null if there is no value, or if it has another type. */
export function writeField(
  { writer, plan: { links } }: Writing,
  form: FieldForm,
  stored: Stored,
  slot: number,
): void {
  const type = typeAt(stored, slot)
  if (type === bsonType.null) return writer.ascii('null')
  const { bytes } = stored
  const at = offsetAt(stored, slot)
  switch (form) {
    case 'text':
      if (type === bsonType.text) writer.string(bytes, at + 4, endOfText(bytes, at))
      else writer.ascii('null')
      return
    case 'boolean':
      if (type !== bsonType.boolean) return writer.ascii('null')
      return writer.ascii(bytes[at] === 1 ? 'true' : 'false')
    case 'date':
      return type === bsonType.date ? writeDate(writer, readLong(bytes, at)) : writer.ascii('null')
    case 'number':
    case 'decimal':
      return writer.ascii(numberOf(type, bytes, at) ?? 'null')
    // Write a string, because clients would lose digits beyond 2^53 (docs/internals/decisions.md, "Strict values").
    case 'long': {
      const digits = numberOf(type, bytes, at)
      return writer.ascii(digits === null ? 'null' : `"${digits}"`)
    }
    case 'json':
      return writeJson(writer, type, bytes, at)
    case 'link':
      if (type !== bsonType.text) return writer.ascii('null')
      return writeLinked(writer, form, links, type, bytes, at)
    case 'versions':
    case 'blocks':
      return writeLinked(writer, form, links, type, bytes, at)
  }
}

function writeLinked(
  writer: JsonWriter,
  form: LinkedForm,
  links: LinkPlan | undefined,
  type: number,
  bytes: Buffer,
  at: number,
): void {
  if (links === undefined) return writeJson(writer, type, bytes, at)
  return writeLinks(writer, form, links, type, bytes, at)
}

/** Writes milliseconds since 1970 as ISO 8601 in UTC, quoted. Writes null if they are beyond the range of a `Date`. */
export function writeDate(writer: JsonWriter, ms: number): void {
  const date = new Date(ms)
  writer.ascii(Number.isNaN(date.getTime()) ? 'null' : `"${date.toISOString()}"`)
}
