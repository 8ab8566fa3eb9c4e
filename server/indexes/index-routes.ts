import type { Db } from 'mongodb'
import { object, string } from 'yup'
import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { fail } from '../../engine/errors.js'
import {
  type IndexChoice,
  type RecordedIndex,
  isMade,
  readRecorded,
  recordedIndexes,
} from '../../engine/database/recorded-indexes.js'
import { loggedName } from '../accounts/caller.js'
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
} from '../http/routes/json-schemas.js'
import { reply, type Json, type Reply, type Route } from '../http/route.js'
import { refusal, unknownKeysOf, validateBody } from '../http/request/validate-body.js'
import type { Services } from '../services.js'
import type { Indexer } from './keep-indexed.js'

/** Admin routes of automatic and recommended indexes (docs/operation.md, "Automatic indexes"). */
export function indexRoutes(
  { db, settings, log }: Pick<Services, 'db' | 'settings' | 'log'>,
  { check }: Pick<Indexer, 'check'>,
): readonly Route[] {
  const path = '/admin/indexes'
  const guard = 'admin'
  const show = async (): Promise<Reply> => {
    const records = await readRecorded(db)
    return reply(200, {
      data: records.map(shown),
      meta: {
        auto: settings['indexes.auto'],
        perCollection: settings['indexes.perCollection'],
        maxBytes: settings['indexes.maxBytes'],
        bytes: records.filter(isMade).reduce((sum, { bytes = 0 }) => sum + bytes, 0),
      },
    })
  }
  return [
    {
      method: 'GET',
      path,
      guard,
      documented: {
        id: 'listIndexes',
        summary: 'List automatic indexes, existing and proposed, with their benefit and cost',
        tag,
        answers: {
          200: members({
            data: list(index),
            meta: members({ auto: text, perCollection: whole, maxBytes: whole, bytes: number }),
          }),
        },
      },
      handle: show,
    },
    {
      method: 'PUT',
      path: `${path}/:id`,
      guard,
      documented: {
        id: 'decideIndex',
        summary: 'Pin an index, forbid it, or let Quire decide',
        tag,
        body: choiceBody,
        answers: { 200: inData(index) },
      },
      handle: async ({ params, body, caller, id: request }) => {
        const choice = readChoice(body)
        const record = await decide(db, params['id'] ?? '', choice)
        const { collection, fields } = record
        log.info(
          { event: 'index-chosen', collection, fields, choice, by: loggedName(caller), request },
          'An admin pinned, forbade or released an index',
        )
        // Check in the background: building an index may take minutes.
        void check()
        return reply(200, { data: shown(record) })
      },
    },
  ]
}

async function decide(db: Db, _id: string, choice: IndexChoice | null): Promise<RecordedIndex> {
  const found = await recordedIndexes(db).findOneAndUpdate(
    { _id },
    { $set: { choice, attempts: 0 }, $unset: { failure: '' } },
    { returnDocument: 'after' },
  )
  if (found === null) throw fail('not-found')
  // Pinning an index that could not be built starts a new attempt.
  if (choice === 'pinned' && found.state === 'failed')
    await recordedIndexes(db).updateOne({ _id, state: 'failed' }, { $set: { state: 'advised' } })
  return found
}

/** Returns an index for the response. Unknown values are null or absent. */
function shown(record: RecordedIndex): Json {
  const { _id, collection, uid, fields, descending, state, choice, failure } = record
  return {
    id: _id,
    contentType: uid,
    collection,
    fields: fields.map((field) => (descending.includes(field) ? `-${field}` : field)),
    state,
    choice,
    failure,
    serves: record.serves,
    // What the index saves and costs in about one day; both are estimates.
    brings: { reads: record.reads, milliseconds: record.savedMs },
    costs: {
      bytes: record.bytes ?? null,
      milliseconds: record.writeMs,
      buildMilliseconds: record.buildMs ?? null,
    },
    advisedAt: record.advisedAt.toISOString(),
    madeAt: record.madeAt?.toISOString() ?? null,
    usedAt: record.usedAt?.toISOString() ?? null,
  }
}

/** `none` withdraws an earlier choice, so that Quire decides again from the observed queries. */
const choices = ['pinned', 'forbidden', 'none'] as const

const choiceBody = object({ choice: string().required() })

function readChoice(body: unknown): IndexChoice | null {
  const [unknownKey] = unknownKeysOf(choiceBody, body)
  if (unknownKey !== undefined)
    throw refusal(
      `Invalid key ${unknownKey}. The body can only have choice`,
      [],
      suggestionFor(unknownKey, Object.keys(choiceBody.fields)),
    )
  const { choice } = validateBody(choiceBody, body)
  const known = choices.find((one) => one === choice)
  if (known === undefined)
    throw refusal(
      `choice must be one of ${choices.join(', ')}`,
      ['choice'],
      suggestionFor(choice, choices),
    )
  return known === 'none' ? null : known
}

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
