import type { Document } from 'mongodb'
import type { BoundCondition } from '../plan/bound-query.js'
import type { Branch, KnownTargets } from './compile-group-keys.js'
import { compileBranches, compileGroupValue } from './compile-group-keys.js'
import { compileShown } from './compile-read.js'
import type { GroupsPlan, MeasurePlan, ReadPlan } from '../plan/read-plan.js'
import type { FoundGroup } from './read-result.js'

/** `known` are the targets that were read in advance. */
type BoundBranches = Readonly<{
  branches: readonly Branch[]
  known: ReadonlyMap<Branch, KnownTargets>
}>

/**
 * Compiles the aggregation for a page of groups. Entries are first grouped by stored values, so that relations are
 * looked up only once for each distinct set of references. An entry counts once in a group, even if several of its
 * targets have the group's values.
 */
export function compileGroups(
  plan: Pick<ReadPlan, 'collection' | 'chain' | 'skip' | 'limit'>,
  groups: GroupsPlan,
  match: BoundCondition,
  { branches, known }: BoundBranches,
): Document[] {
  const { own, joins } = compileShown(plan, match)
  const { keys, measures } = groups
  const { held, stages, values } = compileBranches(plan.collection, branches, known)
  const ownKeys = keys.flatMap((key, at) =>
    key.through.length === 0 ? [[`k${at}`, compileGroupValue(key, `$${key.path}`)] as const] : [],
  )
  const first = {
    $group: {
      _id: orNull({ ...Object.fromEntries<Document>(ownKeys), ...held }),
      _count: { $sum: 1 },
      ...each(measures, (measure, at) => gathered(measure, at)),
    },
  }
  const again = {
    $group: {
      _id: Object.fromEntries(keys.map((_, at) => [`k${at}`, values.get(at) ?? `$_id.k${at}`])),
      _count: { $sum: '$_count' },
      ...each(measures, (measure, at) => merged(measure, at)),
    },
  }
  const averages = each(measures, (measure, at) => (measure.of === 'avg' ? averaged(at) : []))
  return [
    { $match: own },
    ...joins,
    first,
    ...(values.size === 0 ? [] : [...stages, again]),
    ...(Object.keys(averages).length === 0 ? [] : [{ $set: averages }]),
    ...compilePage(groups, plan),
  ]
}

/** A null `_id` puts all entries into one group. */
const orNull = (id: Document): Document | null => (Object.keys(id).length === 0 ? null : id)

const each = (
  measures: readonly MeasurePlan[],
  make: (measure: MeasurePlan, at: number) => readonly (readonly [string, unknown])[],
): Document => Object.fromEntries(measures.flatMap(make))

/**
 * Field names of a measure. `total` contains its value or sum. If it is an average, `number` contains the number of
 * values.
 */
const [total, number] = [(at: number) => `_m${at}`, (at: number) => `_n${at}`]

function gathered(measure: MeasurePlan, at: number): (readonly [string, unknown])[] {
  const { of, path, form } = measure
  const value = compileGroupValue(measure, `$${path}`)
  if (of === 'min' || of === 'max') return [[total(at), { [`$${of}`]: value }]]
  // Sums of 64-bit integers may need more than 64 bits.
  const added = form === 'long' ? { $toDecimal: value } : value
  const sum = [total(at), { $sum: added }] as const
  if (of === 'sum') return [sum]
  return [sum, [number(at), { $sum: { $cond: [{ $eq: [value, null] }, 0, 1] } }]]
}

function merged({ of }: MeasurePlan, at: number): (readonly [string, unknown])[] {
  const one = (field: string): readonly [string, unknown] => [
    field,
    { [of === 'avg' ? '$sum' : `$${of}`]: `$${field}` },
  ]
  return of === 'avg' ? [one(total(at)), one(number(at))] : [one(total(at))]
}

function averaged(at: number): (readonly [string, unknown])[] {
  const [sum, count] = [`$${total(at)}`, `$${number(at)}`]
  return [[total(at), { $cond: [{ $eq: [count, 0] }, null, { $divide: [sum, count] }] }]]
}

function compilePage(
  { keys, sort, withTotal }: GroupsPlan,
  { skip, limit }: Pick<ReadPlan, 'skip' | 'limit'>,
) {
  if (keys.length === 0) return []
  const order = sort.map(({ by, direction }) => {
    const field =
      by.kind === 'count' ? '_count' : by.kind === 'key' ? `_id.k${by.at}` : total(by.at)
    return [field, direction] as const
  })
  const page: Document[] = [
    { $sort: Object.fromEntries(order) },
    ...(skip === 0 ? [] : [{ $skip: skip }]),
    { $limit: limit },
  ]
  return withTotal ? [{ $facet: { page, total: [{ $count: 'total' }] } }] : page
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the documents that the command of `compileGroups` returns. Without keys, there is always one group. */
export function readGroups(
  { skip, limit }: Pick<ReadPlan, 'skip' | 'limit'>,
  { keys, measures, withTotal }: GroupsPlan,
  rows: readonly Document[],
): Readonly<{ groups: readonly FoundGroup[]; total: number | null }> {
  const [row = {}] = rows
  const read = (group: Document): FoundGroup => ({
    keys: keys.map((_, at) => (group['_id'] as Fields)[`k${at}`]),
    count: Number(group['_count'] ?? 0),
    measures: measures.map(
      ({ of }, at) => (group as Fields)[total(at)] ?? (of === 'sum' ? 0 : null),
    ),
  })
  if (keys.length === 0) {
    const one = [read(row)].slice(skip, skip + limit)
    return { groups: one, total: withTotal ? 1 : null }
  }
  if (!withTotal) return { groups: rows.map(read), total: null }
  const [counted] = row['total'] as readonly Document[]
  return {
    groups: (row['page'] as readonly Document[]).map(read),
    total: Number(counted?.['total'] ?? 0),
  }
}
