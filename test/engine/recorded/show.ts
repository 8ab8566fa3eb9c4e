import { BSON } from 'mongodb'
import type { ReadPlan } from '../../../engine/read/plan/read-plan.js'
import type { Asked } from './recorded-query.js'
import { planOf } from './recorded-query.js'
import { pipelinesOf } from './pipelines.js'
import type { Sent } from './write.js'
import { outcomesOf } from './write.js'

/** Returns the plan and pipelines of a query, or its error, as a line of JSON without repeated parts. */
export function show(asked: Asked): string {
  const plan = planOf(asked)
  if ('refused' in plan) return toJson({ asked, ...plan })
  const members = Object.entries(membersOf(plan))
    .map(([name, member]) => [name, toJson({ member })] as const)
    .filter(([name, text]) => text !== plain.get(name))
  const pipelines = Object.entries(pipelinesOf(plan)).map(
    ([name, pipeline]) => [name, toJson(pipeline)] as const,
  )
  return `{${[['asked', toJson(asked)], ...members, ...withoutTwins(pipelines)]
    .map(([name, text]) => `"${name}":${text}`)
    .join()}}`
}

/** Returns a body and its outcome as a line of JSON. */
export const showBody = (sent: Sent): string =>
  JSON.stringify(brief({ sent, outcome: outcomesOf(sent) }))

/** Shortens long strings and lists to their beginning and length. */
function brief(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 300)
    return `${value.slice(0, 100)}… ${value.length}`
  if (Array.isArray(value) && value.length > 50)
    return [...value.slice(0, 2).map(brief), `… ${value.length}`]
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, brief(member)] as const)
  return Object.fromEntries(members)
}

const membersOf = (plan: ReadPlan) => {
  const { collection, match, sort, skip, limit, node, groups, pagination, maxKeys, maxRanked } =
    plan
  return { collection, match, sort, skip, limit, node, groups, pagination, maxKeys, maxRanked }
}

/**
 * Plan members that are omitted if they have these values, those of `fields=title`. They are constants, because the
 * engine must not run before a test begins.
 */
const plain: ReadonlyMap<string, string> = new Map(
  Object.entries({
    collection: 'works',
    match: {
      kind: 'all',
      of: [
        { kind: 'test', path: 'locale', test: { op: 'in', values: [{ as: 'text', value: 'en' }] } },
      ],
    },
    sort: [{ through: [], path: '_id', direction: 1 }],
    skip: 0,
    limit: 25,
    node: {
      members: [
        { kind: 'field', name: 'id', path: '_id', form: 'number' },
        { kind: 'field', name: 'documentId', path: 'documentId', form: 'text' },
        { kind: 'field', name: 'title', path: 'title', form: 'text' },
      ],
      localized: true,
      entry: true,
      component: null,
    },
    groups: undefined,
    pagination: { by: 'page', total: 'count' },
    maxKeys: { listed: 300_000, populated: 1_000 },
    maxRanked: { listed: 0, populated: 1_000 },
  }).map(([name, member]) => [name, toJson({ member })]),
)

type Named = readonly [name: string, text: string]

const withoutTwins = (pipelines: readonly Named[]): readonly Named[] => {
  const seen = new Set<string>()
  return pipelines.filter(([, text]) => seen.size < seen.add(text).size)
}

/** Prints a value as JSON, with each field to read as one word, such as `id=_id:number`. */
function toJson(value: object): string {
  return BSON.EJSON.stringify(value, { relaxed: true }).replace(
    /\{"kind":"field","name":"(\w+)","path":"(\w+)","form":"(\w+)"\}/g,
    (_, name: string, path: string, form: string) =>
      JSON.stringify(name === path ? `${name}:${form}` : `${name}=${path}:${form}`),
  )
}
