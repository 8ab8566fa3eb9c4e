import type { Query } from '../resolve/query.js'
import type { Value } from '../schema/value-test.js'
import type { ShapePlan } from './plan-shape.js'
import type { Condition, NodePlan, SortKey } from './read-plan.js'

/** The plan of a query, whichever documents it is asked of. */
export type QueryPlan = Readonly<{
  query: Query
  conditions: readonly Condition[]
  /** Of a list. */
  sort: readonly SortKey[]
  /** Of one document: which of several versions counts. */
  firstBy: readonly SortKey[]
  node: NodePlan
}>

/** Puts the values of a query into the plan of its shape. */
export function planQuery({ node, filter, sort, firstBy }: ShapePlan, query: Query): QueryPlan {
  const { locales, values } = query
  return {
    query,
    conditions: [
      ...(locales === 'all' ? [] : [inLocales(locales)]),
      ...(filter === null ? [] : [filter(values)]),
    ],
    sort,
    firstBy,
    node: node(values),
  }
}

function inLocales(codes: readonly string[]): Condition {
  const values = codes.map((value): Value => ({ as: 'text', value }))
  return { kind: 'test', path: 'locale', test: { op: 'in', values } }
}
