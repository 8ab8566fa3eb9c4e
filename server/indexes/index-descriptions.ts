import type { Schema } from 'yup'
import type { Documented } from '../http/documented.js'
import {
  flag,
  inData,
  list,
  members,
  moment,
  momentOrNull,
  text,
  textOrNull,
  whole,
} from '../http/json-schemas.js'

const number = { type: 'number' }
const numberOrNull = { type: ['number', 'null'] }
const index = members(
  {
    id: text,
    contentType: textOrNull,
    collection: text,
    fields: list(text),
    state: text,
    choice: { enum: ['pinned', 'forbidden', null] },
    serves: list(members({ equal: list(text), ranges: list(text), sort: list({}), counted: flag })),
    brings: members({ reads: number, milliseconds: number }),
    costs: members({
      bytes: numberOrNull,
      milliseconds: numberOrNull,
      buildMilliseconds: numberOrNull,
    }),
    advisedAt: moment,
    madeAt: momentOrNull,
    usedAt: momentOrNull,
  },
  { failure: text },
)
const tag = 'Operation'

/** What the API's document says of `/admin/indexes`. */
export const indexDescriptions = {
  list: {
    id: 'listIndexes',
    summary: 'Indexes that no definition asks for, with what they bring and cost',
    tag,
    answers: {
      200: members({
        data: list(index),
        meta: members({ auto: text, perCollection: whole, maxBytes: whole, bytes: number }),
      }),
    },
  },
  decide: (body: Schema): Documented => ({
    id: 'decideIndex',
    summary: 'Pin an index, forbid it, or let what is asked decide',
    tag,
    body,
    answers: { 200: inData(index) },
  }),
} as const
