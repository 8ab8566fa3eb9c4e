import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { fail } from '../../engine/errors.js'
import type { Report, SecurityEvent } from '../accounts/access-control.js'
import { writerOf } from '../accounts/caller.js'
import { flag, inData, list, mapOf, members, text } from '../http/json-schemas.js'
import type { JsonSchema } from '../http/documented.js'
import { reply, type HttpRequest, type Json, type Reply, type Route } from '../http/route.js'
import { applyConfiguration, type Application } from './apply-configuration.js'
import type { Change } from './compare.js'
import { findDifference, readConfiguration, type Difference } from './configuration.js'

/** What admins have set, as files hold it, for admins (docs/configuration-files.md). */
export function configurationRoutes(application: Application, report: Report): readonly Route[] {
  const path = '/admin/configuration'
  const guard = { kind: 'admin' } as const
  const { subjects } = application
  return [
    {
      method: 'GET',
      path,
      guard,
      documented: {
        id: 'readConfiguration',
        summary: 'Locales, roles and API tokens, without secrets, as files hold them',
        tag,
        answers: { 200: inData(members({ locales: items, roles: items, 'api-tokens': items })) },
      },
      handle: async () => reply(200, { data: (await readConfiguration(subjects)) as Json }),
    },
    {
      method: 'PUT',
      path,
      guard,
      documented: {
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
      handle: async (request) => {
        const { dryRun, prune, digest } = readOptions(request)
        const { body: given } = request
        if (dryRun) return show(await findDifference(subjects, given, prune), false)
        const made = (change: Change): void => tell(report, request, change)
        const asked = { given, prune, shown: digest, by: writerOf(request), made }
        return show(await applyConfiguration(application, asked), true)
      },
    },
  ]
}

const show = ({ changes, kept, digest }: Difference, applied: boolean): Reply =>
  reply(200, { data: { changes, kept, digest, applied } as unknown as Json })

const options = ['dryRun', 'prune', 'digest']

function readOptions({ search }: HttpRequest) {
  const given = new URLSearchParams(search)
  for (const name of given.keys())
    if (!options.includes(name))
      throw fail('invalid-key', { key: name }, suggestionFor(name, options))
  const flag = (name: string): boolean => {
    const text = given.get(name) ?? 'false'
    if (text === 'true' || text === 'false') return text === 'true'
    throw fail('validation', { message: `${name} must be true or false` })
  }
  return { dryRun: flag('dryRun'), prune: flag('prune'), digest: given.get('digest') ?? undefined }
}

const done = { create: 'created', change: 'changed', remove: 'removed' } as const

/** What matters to who may do what is in the log, as where an admin does it by hand. */
function tell(report: Report, request: HttpRequest, { subject, id, kind, members }: Change): void {
  const { permissions } = members
  const listOf = (value: unknown): readonly string[] =>
    Array.isArray(value) ? (value as readonly string[]) : []
  const [before, after] = [listOf(permissions?.from), listOf(permissions?.to)]
  const about = {
    granted: after.filter((action) => !before.includes(action)),
    revoked: before.filter((action) => !after.includes(action)),
  }
  if (subject === 'roles') report(`role-${done[kind]}`, request, { role: id, ...about })
  if (subject === 'api-tokens')
    report(`token-${done[kind]}` satisfies SecurityEvent, request, { token: id, ...about })
}

const items = mapOf({ type: 'object' })
const change = members({
  subject: { enum: ['locales', 'roles', 'api-tokens'] },
  id: text,
  kind: { enum: ['create', 'change', 'remove'] },
  members: mapOf(members({ from: {}, to: {} })),
})
const tag = 'Operation'
const trueOrFalse: JsonSchema = { type: 'string', enum: ['true', 'false'] }
