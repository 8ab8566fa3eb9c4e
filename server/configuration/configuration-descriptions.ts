import { flag, inData, list, members, text } from '../http/json-schemas.js'
import type { Documented, JsonSchema } from '../http/documented.js'

const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties,
})
const items = mapOf({ type: 'object' })
const change = members({
  subject: { enum: ['locales', 'roles', 'api-tokens'] },
  id: text,
  kind: { enum: ['create', 'change', 'remove'] },
  members: mapOf(members({ from: {}, to: {} })),
})
const tag = 'Operation'
const trueOrFalse: JsonSchema = { type: 'string', enum: ['true', 'false'] }

/** What the API's document says of `/admin/configuration`. */
export const configurationDescriptions = {
  read: {
    id: 'readConfiguration',
    summary: 'Locales, roles and API tokens, without secrets, as files hold them',
    tag,
    answers: { 200: inData(members({ locales: items, roles: items, 'api-tokens': items })) },
  },
  apply: {
    id: 'applyConfiguration',
    summary: 'Make locales, roles and API tokens what files say',
    tag,
    query: [
      {
        name: 'dryRun',
        description: 'Whether the difference is only told',
        schema: trueOrFalse,
      },
      {
        name: 'prune',
        description: 'Whether what is in no file is removed',
        schema: trueOrFalse,
      },
      {
        name: 'digest',
        description: 'Of the difference that was shown: one that is another by now is not made',
        schema: text,
      },
    ],
    body: members({}, { locales: items, roles: items, 'api-tokens': items }),
    answers: {
      200: inData(
        members({ changes: list(change), kept: list(text), digest: text, applied: flag }),
      ),
    },
  },
} as const satisfies Record<string, Documented>
