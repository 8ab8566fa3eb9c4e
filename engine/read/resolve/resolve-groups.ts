import { fail } from '../../errors.js'
import { isMeasurable, unitsOf } from '../parse/group-words.js'
import type { GroupKey, GroupMeasure, GroupOrder, Groups } from './query.js'
import type { RawGroupKey, RawGroups, RawMeasure, RawSort } from '../parse/raw-query.js'
import type { Model } from './resolve-attributes.js'
import { refusedName, unknownName } from './resolve-attributes.js'
import type { ScalarPath } from './resolve-path.js'
import { resolvePath } from './resolve-path.js'
import type { Scope } from './scope.js'

/**
 * Resolves the parameters of an aggregation. Paths lead only through types that this caller may find. Throws a 400 for
 * attributes that cannot be grouped or measured, and for a sort by a value that is not in the response.
 */
export function resolveGroups(
  scope: Scope,
  model: Model,
  { by, count, measures }: RawGroups,
  sort: readonly RawSort[],
): Groups {
  const keys = by.map((key) => resolveKey(scope, model, key))
  const measured = measures.map((measure) => resolveMeasure(scope, model, measure))
  return { keys, count, measures: measured, sort: resolveOrder(sort, keys, count, measured) }
}

function resolveKey(scope: Scope, model: Model, { name, path, unit }: RawGroupKey): GroupKey {
  const found = resolvePath(scope, model, path, 'groupBy')
  refuseLinks(found, path, 'groupBy')
  const { type } = found.attribute
  const units = unitsOf(type)
  if (unit !== undefined && !units.includes(unit)) {
    const among = units.length === 0 ? 'no unit' : `one of: ${units.join(', ')}`
    const message = `Invalid unit ${unit} at ${path.join('.')}. Of ${type}, expected ${among}`
    throw fail('validation', message, placeOf('groupBy', path))
  }
  return { ...found, name, unit }
}

/** Rejects relations and lists, which may lead to several values for one entry. */
function resolveMeasure(scope: Scope, model: Model, { of, path }: RawMeasure): GroupMeasure {
  const found = resolvePath(scope, model, path, of)
  refuseLinks(found, path, of)
  const { steps, attribute } = found
  const several = steps.findIndex((step) => step.kind === 'edge' || step.attribute.repeatable)
  if (several >= 0) throw refusedName(path[several] ?? '', path.slice(0, several), of)
  if (!isMeasurable(of, attribute.type)) {
    const what = of === 'sum' || of === 'avg' ? 'a number' : 'what has an order'
    const message = `Invalid attribute ${path.join('.')} at ${of}. Expected ${what}, received ${attribute.type}`
    throw fail('validation', message, placeOf(of, path))
  }
  return { ...found, of, name: path.join('.') }
}

/** Throws a 400 for URLs of files, because they are only signed when files are shown. */
function refuseLinks({ attribute }: ScalarPath, path: readonly string[], param: string): void {
  if (attribute.holds === undefined) return
  throw refusedName(path.at(-1) ?? '', path.slice(0, -1), param)
}

/**
 * Resolves the sort of groups: by a key without its unit, by `count`, or by a measure such as `sum.views`. All
 * remaining keys follow, because pages must not overlap.
 */
function resolveOrder(
  raw: readonly RawSort[],
  keys: readonly GroupKey[],
  count: boolean,
  measures: readonly GroupMeasure[],
): readonly GroupOrder[] {
  const places = new Map<string, GroupOrder['by']>()
  const add = (name: string, by: GroupOrder['by']): void => {
    if (!places.has(name)) places.set(name, by)
  }
  keys.forEach(({ name, unit }, at) =>
    add(unit === undefined ? name : name.slice(0, -unit.length - 1), { kind: 'key', at }),
  )
  if (count) add('count', { kind: 'count' })
  measures.forEach(({ of, name }, at) => add(`${of}.${name}`, { kind: 'measure', at }))
  const order = new Map<string, GroupOrder>()
  for (const { path, order: direction } of raw) {
    const name = path.join('.')
    const by = places.get(name)
    if (by === undefined) throw unknownName(name, [], 'sort', places.keys())
    if (!order.has(name)) order.set(name, { by, order: direction })
  }
  const sorted = [...order.values()]
  const rest = keys.flatMap((_, at): GroupOrder[] =>
    sorted.some(({ by }) => by.kind === 'key' && by.at === at)
      ? []
      : [{ by: { kind: 'key', at }, order: 'asc' }],
  )
  return [...sorted, ...rest]
}

const placeOf = (param: string, path: readonly string[]) => ({
  path: path.join('.'),
  source: 'query',
  param,
})
