import type { Groups, Query } from '../resolve/query.js'
import type { Value } from '../../values/value-test.js'
import { planCondition, relationsIn } from './plan-filters.js'
import { type VersionContext, onlyOf } from './plan-relation.js'
import { planEntryNode, formOf } from './plan-populate.js'
import { planSort, planKey } from './plan-sort.js'
import type { Condition, GroupsPlan, NodePlan, SortKey, FieldForm } from './read-plan.js'

/** The plan of a query, before a `ReadTarget` decides which documents are read. */
export type QueryPlan = Readonly<{
  query: Query
  conditions: readonly Condition[]
  /** Empty for an aggregation. */
  sort: readonly SortKey[]
  /** Sort for reading one document: decides which version is shown. */
  firstBy: readonly SortKey[]
  node: NodePlan
  relations: number
  groups?: Omit<GroupsPlan, 'withTotal'> | undefined
}>

/** Plans everything that does not depend on which documents are read; pure. */
export function planQuery(query: Query): QueryPlan {
  const { selection, filter, sort, groups, locales } = query
  const context = contextOf(query)
  // A document has one version per locale and status. With several locales, `firstBy` decides which one is shown.
  const oneVersion = !context.localized || context.locale !== null
  const condition = filter === null ? null : planCondition(filter, context)
  return {
    query,
    conditions: [
      ...(locales === 'all' ? [] : [inLocales(locales)]),
      ...(condition === null ? [] : [condition]),
    ],
    sort: groups === undefined ? planSort(sort, context) : [],
    firstBy: oneVersion ? [] : planSort([], context),
    node: planEntryNode(selection, context),
    relations: condition === null ? 0 : relationsIn(condition),
    groups: groups && planGroups(groups, context),
  }
}

/** Returns the read context of the listed entries. */
function contextOf({ type, status, locales, contextLocales, chain }: Query): VersionContext {
  const locale = locales === 'all' ? null : onlyOf(locales)
  return { status, localized: type.localized, locale, contextLocales, chain }
}

function inLocales(codes: readonly string[]): Condition {
  const values = codes.map((value): Value => ({ as: 'text', value }))
  return { kind: 'test', path: 'locale', test: { op: 'in', values } }
}

/** `withTotal` is missing, because it depends on the requested page. */
function planGroups(
  { keys, count, measures, sort }: Groups,
  context: VersionContext,
): Omit<GroupsPlan, 'withTotal'> {
  return {
    keys: keys.map(({ name, steps, attribute, unit }) => ({
      ...pathOf(steps, attribute, context),
      name,
      unit,
    })),
    count,
    measures: measures.map(({ of, name, steps, attribute }) => {
      const { path, form } = pathOf(steps, attribute, context)
      return { of, name, path, form }
    }),
    sort: sort.map(({ by, order }) => ({ by, direction: order === 'asc' ? 1 : -1 })),
  }
}

type Key = Groups['keys'][number]
type Path = Pick<GroupsPlan['keys'][number], 'through' | 'path'> & Readonly<{ form: FieldForm }>

function pathOf(steps: Key['steps'], attribute: Key['attribute'], context: VersionContext): Path {
  const { through, path } = planKey({ steps, attribute, order: 'asc' }, context)
  return { through, path, form: formOf(attribute) }
}
