import type { Query } from '../resolve/query.js'
import type { Value } from '../values/value-test.js'
import type { ShapePlan } from './plan-shape.js'
import type { Condition, NodePlan, SortKey } from './read-plan.js'
import { fillTemplate } from './template.js'

/** The plan of a query, whichever documents it is asked of. */
export type QueryPlan = Readonly<{
  query: Query
  conditions: readonly Condition[]
  /** Of a list. */
  sort: readonly SortKey[]
  /** Of one document: which of several versions counts. */
  firstBy: readonly SortKey[]
  node: NodePlan
  /** How many relations the filter goes through. */
  relations: number
}>

/** Puts the values of a query into the plan of its shape. */
export function planQuery(plan: ShapePlan, query: Query): QueryPlan {
  const { filter, relations, sort, firstBy } = plan
  const { locales, values } = query
  const node = fillTemplate(plan.node, values)
  return {
    query,
    conditions: [
      ...(locales === 'all' ? [] : [inLocales(locales)]),
      ...(filter === null ? [] : [fillTemplate(filter, values)]),
    ],
    sort,
    firstBy,
    node,
    relations,
  }
}

function inLocales(codes: readonly string[]): Condition {
  const values = codes.map((value): Value => ({ as: 'text', value }))
  return { kind: 'test', path: 'locale', test: { op: 'in', values } }
}
