import type { Query, QueryShape, Slot, SlotValue } from '../query/query.js'
import { planCondition, relationsIn } from './plan-filters.js'
import type { Standing } from './plan-relation.js'
import { onlyOf } from './plan-relation.js'
import { planGroups } from './plan-groups.js'
import { planEntryNode } from './plan-populate.js'
import { planSort } from './plan-sort.js'
import type { Condition, GroupsPlan, NodePlan, SortKey } from './read-plan.js'

/** What the plans of all queries of a shape in one locale have in common. */
export type ShapePlan = Readonly<{
  shape: QueryShape
  node: Template<NodePlan>
  filter: Template<Condition> | null
  /** How many relations the filter goes through. */
  relations: number
  /** Of a list; of an aggregation empty. */
  sort: readonly SortKey[]
  /** Of one document: which of several versions counts. */
  firstBy: readonly SortKey[]
  groups?: Omit<GroupsPlan, 'withTotal'> | undefined
}>

/** Where the entries that a query lists stand: their status, and the locales it asks for. */
export function standingOfQuery({ shape, locales, contextLocales, chain }: Query): Standing {
  const { type, status } = shape
  const locale = locales === 'all' ? null : onlyOf(locales)
  return { status, localized: type.localized, locale, contextLocales, chain }
}

/** Pure: everything that the values of a query do not change. */
export function planShape(shape: QueryShape, standing: Standing): ShapePlan {
  const { selection, filter, sort, groups } = shape
  // A document has one version in a locale and status; in several locales the first one counts.
  const oneVersion = !standing.localized || standing.locale !== null
  const planned = planEntryNode(selection, standing)
  // Deep populate asks for nothing that requests differ in.
  const node: Template<NodePlan> =
    planned.shared === true ? { kind: 'closed', tree: planned as NodePlan } : templateOf(planned)
  const condition = filter === null ? null : planCondition(filter, standing)
  return {
    shape,
    node,
    filter: condition === null ? null : templateOf(condition),
    relations: condition === null ? 0 : relationsIn(condition),
    sort: groups === undefined ? planSort(sort, standing) : [],
    groups: groups && planGroups(groups, standing),
    firstBy: oneVersion ? [] : planSort([], standing),
  }
}

/** A tree to be filled with the values of many queries; `closed`: it has no slots. */
type Template<T> = Readonly<{ kind: 'closed'; tree: T }> | Readonly<{ kind: 'open'; fill: Fill<T> }>

type Fill<T> = (values: readonly SlotValue[]) => T

function templateOf(tree: NodePlan<Slot>): Template<NodePlan>
function templateOf(tree: Condition<Slot>): Template<Condition>
function templateOf(tree: NodePlan<Slot> | Condition<Slot>): Template<unknown> {
  const fill = fillOf(tree)
  return fill === undefined ? { kind: 'closed', tree } : { kind: 'open', fill }
}

/**
 * Copies the way to each slot and nothing else: what has no slot below it is the same object in every
 * tree that comes of a template.
 */
export function fillTemplate<T>(template: Template<T>, values: readonly SlotValue[]): T {
  return template.kind === 'closed' ? template.tree : template.fill(values)
}

/** Undefined for a tree without slots. */
function fillOf(tree: object): Fill<unknown> | undefined {
  if (isSlot(tree)) {
    const { at } = tree
    return (values) => values[at]
  }
  const open: (readonly [string, Fill<unknown>])[] = []
  for (const [key, member] of Object.entries(tree) as [string, unknown][]) {
    if (typeof member !== 'object' || member === null) continue
    const fill = fillOf(member)
    if (fill !== undefined) open.push([key, fill])
  }
  if (open.length === 0) return undefined
  return (values) => {
    const filled = copyOf(tree)
    for (const [key, fill] of open) filled[key] = fill(values)
    return filled
  }
}

const copyOf = (tree: object): Record<string, unknown> =>
  (Array.isArray(tree) ? tree.slice() : { ...tree }) as Record<string, unknown>

function isSlot(tree: object): tree is Slot {
  return 'kind' in tree && tree.kind === 'slot'
}
