import type { Query, QueryShape } from '../resolve/query.js'
import { planCondition } from './plan-condition.js'
import type { Standing } from './plan-edge.js'
import { planEntryNode } from './plan-node.js'
import { planSort } from './plan-sort.js'
import type { Condition, NodePlan, SortKey } from './read-plan.js'
import { relationsIn } from './relations-in.js'
import type { Template } from './template.js'
import { templateOf } from './template.js'

/** What the plans of all queries of a shape in one locale have in common. */
export type ShapePlan = Readonly<{
  shape: QueryShape
  node: Template<NodePlan>
  filter: Template<Condition> | null
  /** How many relations the filter goes through. */
  relations: number
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
export function planShape(shape: QueryShape, standing: Standing): ShapePlan {
  const { selection, filter, sort } = shape
  // A document has one version in a locale and status; in several locales the first one counts.
  const oneVersion = !standing.localized || standing.locale !== null
  const node = templateOf(planEntryNode(selection, standing))
  const condition = filter === null ? null : planCondition(filter, standing)
  return {
    shape,
    node,
    filter: condition === null ? null : templateOf(condition),
    relations: condition === null ? 0 : relationsIn(condition),
    sort: planSort(sort, standing),
    firstBy: oneVersion ? [] : planSort([], standing),
  }
}
