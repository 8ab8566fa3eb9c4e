import type { Query, QueryShape } from '../resolve/query.js'
import type { Fill } from './fill.js'
import { fillable } from './fill.js'
import { planCondition } from './plan-condition.js'
import type { Standing } from './plan-edge.js'
import { planEntryNode } from './plan-node.js'
import { planSort } from './plan-sort.js'
import type { Condition, NodePlan, SortKey } from './read-plan.js'

/** What the plans of all queries of a shape in one locale have in common. */
export type ShapePlan = Readonly<{
  node: Fill<NodePlan>
  filter: Fill<Condition> | null
  /** Of a list. */
  sort: readonly SortKey[]
  /** Of one document: which of several versions counts. */
  firstBy: readonly SortKey[]
}>

/** Where the entries that a query lists stand: their status, and the locales it asks for. */
export function standingOfQuery({ shape, locales, contextLocale }: Query): Standing {
  const { type, status } = shape
  const locale = locales !== 'all' && locales.length === 1 ? (locales[0] ?? null) : null
  return { status, localized: type.localized, locale, contextLocale }
}

/** Pure: everything that the values of a query do not change. */
export function planShape({ selection, filter, sort }: QueryShape, standing: Standing): ShapePlan {
  // A document has one version in a locale and status; in several locales the first one counts.
  const oneVersion = !standing.localized || standing.locale !== null
  return {
    node: fillable(planEntryNode(selection, standing)),
    filter: filter === null ? null : fillable(planCondition(filter, standing)),
    sort: planSort(sort, standing),
    firstBy: oneVersion ? [] : planSort([], standing),
  }
}
