import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { fail } from '../../engine/errors.js'
import { differenceOf } from '../accounts/access-control.js'
import type { Report } from '../accounts/security-log.js'
import { writerOf } from '../accounts/caller.js'
import {
  flag,
  inData,
  list,
  mapOf,
  members,
  object,
  text,
  trueOrFalse,
} from '../http/routes/json-schemas.js'
import { queryParameter } from '../http/documented.js'
import { reply, type HttpRequest, type Json, type Reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import { applyConfiguration, type Application } from './apply-configuration.js'
import type { Change } from './compare.js'
import { findDifference, readConfiguration, type Difference } from './configuration.js'

/** Routes with which admins read and apply the configuration (docs/configuration-files.md). */
export function configurationRoutes(application: Application, report: Report): readonly Route[] {
  const { subjects } = application
  return routesOf(
    { guard: 'admin', tag: 'Operation' },
    {
      'GET /admin/configuration': {
        id: 'readConfiguration',
        summary: 'Export locales, roles and API tokens, without secrets, as configuration files',
        answer: inData(members(itemsOfEach)),
        handle: async () => reply(200, { data: (await readConfiguration(subjects)) as Json }),
      },
      'PUT /admin/configuration': {
        id: 'applyConfiguration',
        summary: 'Apply configuration files to locales, roles and API tokens',
        query: options,
        body: members({}, itemsOfEach),
        answer: inData(
          members({ changes: list(change), kept: list(text), digest: text, applied: flag }),
        ),
        handle: async (request) => {
          const { dryRun, prune, digest } = readOptions(request)
          const { body: given } = request
          if (dryRun) return show(await findDifference(subjects, given, prune), false)
          const made = (change: Change): void => logChange(report, request, change)
          const applyRequest = { given, prune, shown: digest, by: writerOf(request), made }
          return show(await applyConfiguration(application, applyRequest), true)
        },
      },
    },
  )
}

const show = ({ changes, kept, digest }: Difference, applied: boolean): Reply =>
  reply(200, { data: { changes, kept, digest, applied } as unknown as Json })

const options = [
  queryParameter('dryRun', 'Whether to show the difference only', trueOrFalse),
  queryParameter('prune', 'Whether to remove everything that is in no file', trueOrFalse),
  queryParameter(
    'digest',
    'Checksum of a difference that was shown. If the difference has changed, nothing is applied',
    text,
  ),
]

function readOptions({ search }: HttpRequest) {
  const given = new URLSearchParams(search)
  const names = options.map(({ name }) => name)
  for (const name of given.keys())
    if (!names.includes(name)) throw fail('invalid-key', { key: name }, suggestionFor(name, names))
  const flag = (name: string): boolean => {
    const text = given.get(name) ?? 'false'
    if (text === 'true' || text === 'false') return text === 'true'
    throw fail('validation', `${name} must be true or false`)
  }
  return { dryRun: flag('dryRun'), prune: flag('prune'), digest: given.get('digest') ?? undefined }
}

const done = { create: 'created', change: 'changed', remove: 'removed' } as const

/** Logs changes of permissions as if an admin had made them by hand. */
function logChange(
  report: Report,
  request: HttpRequest,
  { subject, id, kind, members }: Change,
): void {
  const { from, to } = members.permissions ?? {}
  const listOf = (value: unknown): readonly string[] =>
    Array.isArray(value) ? (value as readonly string[]) : []
  const about = differenceOf(listOf(from), listOf(to))
  if (subject === 'roles') report(`role-${done[kind]}`, request, { role: id, ...about })
  if (subject === 'api-tokens') report(`token-${done[kind]}`, request, { token: id, ...about })
}

const items = mapOf(object)
const itemsOfEach = { locales: items, roles: items, 'api-tokens': items }
const change = members({
  subject: { enum: Object.keys(itemsOfEach) },
  id: text,
  kind: { enum: Object.keys(done) },
  members: mapOf(members({ from: {}, to: {} })),
})
