import { BSON } from 'mongodb'
import { JsonWriter } from '../../../../engine/read/answer/json-writer.js'
import { writeField } from '../../../../engine/read/answer/write-value.js'
import type { FieldForm, LinkPlan } from '../../../../engine/read/plan/read-plan.js'
import type { Stored } from '../../../../engine/read/stored/stored-document.js'
import { createLayout, locate } from '../../../../engine/read/stored/stored-document.js'
import { slotOf } from '../../../../engine/read/stored/stored-fields.js'

/** Returns a document as the database sends it, with the positions of some fields. */
export const store = (document: BSON.Document, fields: readonly string[]): Stored =>
  locate(Buffer.from(BSON.serialize(document)), 0, createLayout(fields))

/** Returns the text of a stored value in a response. */
export function written(form: FieldForm, value: unknown, links?: LinkPlan): string {
  const writer = new JsonWriter()
  const stored = store({ before: 1, value, behind: 'x' }, ['value'])
  writeField({ writer, plan: { links } }, form, stored, slotOf(stored, 'value'))
  return textOf(writer)
}

/** Returns the text that was written so far. */
export const textOf = (writer: JsonWriter): string => Buffer.from(writer.take()).toString()
