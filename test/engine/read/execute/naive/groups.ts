import type { DateUnit, Measure } from '../../../../../engine/read/parse/group-words.js'
import type { ContentType } from '../../../../../engine/schema/content-type.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'
import { find, viewOf } from './answer.js'
import { behind, join } from './follow.js'
import { digitsOf } from './json.js'
import { pageOf } from './page.js'
import type { Query } from './query.js'
import { compare, scalarOf, scalarTypeOf } from './values.js'
import type { Row, View, World } from './world.js'

/** An aggregation, in the form that is printed as a query string. */
export type GroupQuery = Pick<
  Query,
  'filters' | 'pagination' | 'status' | 'locale' | 'fallback' | '_q' | 'publicationFilter'
> &
  Readonly<{ groupBy: readonly string[]; count?: '*'; sort?: readonly string[] }> &
  Readonly<Partial<Record<Measure, readonly string[]>>>

/** A group as parsed JSON. Sums and averages have the precision of doubles. */
export type Group = Readonly<{
  group: Readonly<Record<string, unknown>>
  count?: number
}> &
  Readonly<Partial<Record<Measure, Readonly<Record<string, unknown>>>>>

/** Computes an aggregation over arrays, in the simplest code, as documented. */
export function answerGroups(
  world: World,
  type: ContentType,
  query: GroupQuery,
): Readonly<{ data: readonly Group[]; meta: object }> {
  const view = viewOf(world, query)
  const keys = query.groupBy.map(parseKey)
  const groups = new Map<string, Making>()
  const empty = keys.length === 0 ? [[[]]] : []
  for (const [values = []] of empty) groups.set('[]', { values, rows: [] })
  for (const row of find(view, type, query)) {
    for (const values of combinations(view, row, keys)) {
      const name = nameOf(values)
      const there = groups.get(name) ?? { values, rows: [] }
      groups.set(name, { values, rows: [...there.rows, row] })
    }
  }
  const ordered = inOrder([...groups.values()], query, type, view)
  const { start, limit, meta } = pageOf(query.pagination, ordered.length)
  return {
    data: ordered.slice(start, start + limit).map((it) => show(it, query, type, view)),
    meta,
  }
}

type Making = Readonly<{ values: readonly Valued[]; rows: readonly Row[] }>
type Valued = Readonly<{ type: ScalarType; value: unknown }>
type Key = Readonly<{ at: number; path: readonly string[]; unit: DateUnit | undefined }>

function parseKey(text: string, at: number): Key {
  const [path = '', unit] = text.split(':')
  return { at, path: path.split('.'), unit: unit as DateUnit | undefined }
}

/** Returns the groups that a row belongs to. Keys through the same relation take their values from the same target. */
function combinations(view: View, row: Row, keys: readonly Key[]): readonly (readonly Valued[])[] {
  const found = combine(view, row, keys)
  const different = new Map(
    found.map((values) => {
      const ordered = values.toSorted((a, b) => a.at - b.at)
      return [nameOf(ordered), ordered]
    }),
  )
  return [...different.values()]
}

type Placed = Valued & Readonly<{ at: number }>

function combine(view: View, row: Row, keys: readonly Key[]): readonly (readonly Placed[])[] {
  const own = keys.filter(({ path }) => path.length === 1)
  const steps = new Set(keys.flatMap(({ path: [step], path }) => (path.length > 1 ? [step] : [])))
  let found: readonly (readonly Placed[])[] = [own.map((key) => valueOf(row, key))]
  for (const step of steps) {
    const behind = keys
      .filter(({ path }) => path.length > 1 && path[0] === step)
      .map((key) => ({ ...key, path: key.path.slice(1) }))
    const inner = join(view, row, step ?? '').flatMap((it) => combine(view, it, behind))
    found = found.flatMap((values) => inner.map((more) => [...values, ...more]))
  }
  return found
}

function valueOf(row: Row, { at, path: [name = ''], unit }: Key): Placed {
  const type = scalarTypeOf(row.structure, name)
  if (type === undefined) throw new Error(`${name} is no scalar`)
  const value = scalarOf(row, name)
  return { at, type, value: unit === undefined ? value : beginning(value, unit) }
}

const dayMs = 86_400_000

function beginning(value: unknown, unit: DateUnit): unknown {
  if (typeof value === 'string') {
    return (beginning(new Date(value), unit) as Date).toISOString().slice(0, 10)
  }
  if (!(value instanceof Date)) return null
  const [year, month, day] = [value.getUTCFullYear(), value.getUTCMonth(), value.getUTCDate()]
  switch (unit) {
    case 'year':
      return new Date(Date.UTC(year, 0))
    case 'quarter':
      return new Date(Date.UTC(year, month - (month % 3)))
    case 'month':
      return new Date(Date.UTC(year, month))
    case 'week':
      return new Date(Date.UTC(year, month, day) - ((value.getUTCDay() + 6) % 7) * dayMs)
    case 'day':
      return new Date(Date.UTC(year, month, day))
    case 'hour':
      return new Date(Date.UTC(year, month, day, value.getUTCHours()))
  }
}

const nameOf = (values: readonly Valued[]): string =>
  JSON.stringify(values.map(({ value }) => textOf(value)))

const textOf = (value: unknown): string => {
  if (value === null) return 'null'
  return value instanceof Date ? value.toISOString() : `${typeof value} ${digitsOf(value)}`
}

function inOrder(
  groups: readonly Making[],
  query: GroupQuery,
  type: ContentType,
  view: View,
): readonly Making[] {
  const keys = query.groupBy.map((text) => text.split(':')[0] ?? '')
  const orders = [...(query.sort ?? []), ...keys].map((text) => text.split(':'))
  return orders.reduceRight(
    (ordered, [name = '', direction]) => {
      const by = keys.indexOf(name)
      const sign = direction === 'desc' ? -1 : 1
      return ordered.toSorted((a, b) => {
        if (by >= 0) return compareValued(a.values[by], b.values[by]) * sign
        if (name === 'count') return (a.rows.length - b.rows.length) * sign
        const [of = '', ...path] = name.split('.')
        const [one, other] = [a, b].map((it) => extreme(it.rows, of, path, type, view))
        return compareValued(one, other) * sign
      })
    },
    orderedByAll(groups, keys.length),
  )
}

function orderedByAll(groups: readonly Making[], keys: number): readonly Making[] {
  let ordered = groups
  for (let at = keys - 1; at >= 0; at -= 1)
    ordered = ordered.toSorted((a, b) => compareValued(a.values[at], b.values[at]))
  return ordered
}

const compareValued = (a: Valued | undefined, b: Valued | undefined): number =>
  a === undefined || b === undefined ? 0 : compare(a.type, a.value, b.value)

function show({ values, rows }: Making, query: GroupQuery, type: ContentType, view: View): Group {
  const measured = (['sum', 'avg', 'min', 'max'] as const).filter((of) => query[of] !== undefined)
  const isCounted = query.count === '*' || measured.length === 0
  const member = (of: Measure, name: string): unknown =>
    of === 'min' || of === 'max'
      ? shown(extreme(rows, of, name.split('.'), type, view))
      : added(rows, of, name.split('.'), type, view)
  return {
    group: Object.fromEntries(query.groupBy.map((name, at) => [name, shown(values[at])])),
    ...(isCounted ? { count: rows.length } : {}),
    ...Object.fromEntries(
      measured.map((of) => [
        of,
        Object.fromEntries((query[of] ?? []).map((name) => [name, member(of, name)])),
      ]),
    ),
  }
}

function shown(valued: Valued | undefined): unknown {
  const { type, value } = valued ?? { type: 'string', value: null }
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (type === 'biginteger') return digitsOf(value)
  return type === 'decimal' ? Number(digitsOf(value)) : value
}

function valuesAt(
  rows: readonly Row[],
  path: readonly string[],
  type: ContentType,
  view: View,
): Readonly<{ type: ScalarType; values: readonly unknown[] }> {
  const [names, name] = [path.slice(0, -1), path.at(-1) ?? '']
  const structure = names.reduce<Row['structure']>((here, step) => behind(view, here, step), type)
  const scalar = scalarTypeOf(structure, name)
  if (scalar === undefined) throw new Error(`${name} is no scalar`)
  const values = rows.map((row) => {
    const holder = names.reduce<Row | undefined>(
      (here, step) => here && join(view, here, step)[0],
      row,
    )
    return holder === undefined ? null : scalarOf(holder, name)
  })
  return { type: scalar, values: values.filter((value) => value !== null) }
}

function extreme(
  rows: readonly Row[],
  of: string,
  path: readonly string[],
  type: ContentType,
  view: View,
): Valued {
  const { type: scalar, values } = valuesAt(rows, path, type, view)
  const sorted = values.toSorted((a, b) => compare(scalar, a, b))
  return { type: scalar, value: (of === 'min' ? sorted[0] : sorted.at(-1)) ?? null }
}

/** Sums of 64-bit integers are strings, like the integers. */
function added(
  rows: readonly Row[],
  of: 'sum' | 'avg',
  path: readonly string[],
  type: ContentType,
  view: View,
): unknown {
  const { type: scalar, values } = valuesAt(rows, path, type, view)
  if (scalar === 'biginteger') {
    const sum = values.reduce<bigint>((total, value) => total + BigInt(value as bigint), 0n)
    if (of === 'sum') return String(sum)
    return values.length === 0 ? null : Number(sum) / values.length
  }
  const sum = values.reduce<number>((total, value) => total + Number(digitsOf(value)), 0)
  if (of === 'sum') return sum
  return values.length === 0 ? null : sum / values.length
}
