import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { fail } from '../../engine/errors.js'
import { isObject } from '../../engine/values/is-object.js'
import { flag, inData, list, members, object, text, whole } from '../http/routes/json-schemas.js'
import { dataReply, type Json, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import type { Services } from '../services.js'
import { diffFiles } from './compare-files.js'

/** Route for `quire schema`, `check` and `doctor` that shows what a folder of definitions would change. */
export const differenceRoutes = ({
  db,
  settings,
  singleProcess,
}: Pick<Services, 'db' | 'settings'> & Readonly<{ singleProcess: boolean }>): readonly Route[] =>
  routesOf(
    { guard: 'admin', tag: 'Definitions' },
    {
      'POST /content-type-builder/difference': {
        id: 'compareDefinitions',
        summary: 'Show what definitions would change if a start applied them. Changes nothing',
        body: members({ definitions: list(definition) }),
        answer: inData(difference),
        handle: async ({ body }) => {
          const hidden = settings['api.responses.privateAttributes']
          const found: object = await diffFiles(db, readDefinitions(body), {
            hidden,
            singleProcess,
          })
          return dataReply(found as Json)
        },
      },
    },
  )

const kinds = ['content-type', 'component']
const difference = members(
  {
    state: {
      enum: ['newest', 'new', 'older'],
      description:
        'newest: the service serves them; new: a start would serve them, if there is no problem; older: the database has newer ones, and schema.onOlder decides what a start does',
    },
    differences: list(
      members(
        { uid: text, path: text, kind: { enum: ['added', 'removed', 'changed'] } },
        { from: {}, to: {} },
      ),
    ),
    effects: list(
      members(
        {
          kind: text,
          uid: text,
          source: text,
          path: text,
          message: text,
          more: flag,
          refused: flag,
        },
        { count: whole },
      ),
    ),
    warnings: list(text),
  },
  {
    problem: {
      ...text,
      description: 'Reason for which a start would refuse them; absent if it would not',
    },
  },
)
const definition = members({ kind: { enum: kinds }, uid: text, source: text, definition: object })

function readDefinitions(body: unknown): readonly SourcedDefinition[] {
  const given = isObject(body) ? body.definitions : undefined
  if (Array.isArray(given) && given.every(isSourced)) return given
  throw fail('validation', 'definitions must be a list of { kind, uid, source, definition }')
}

const isSourced = (one: unknown): one is SourcedDefinition =>
  isObject(one) &&
  kinds.some((kind) => kind === one.kind) &&
  typeof one.uid === 'string' &&
  typeof one.source === 'string' &&
  isObject(one.definition)
