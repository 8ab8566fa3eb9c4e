import type { Query, QueryShape, Slot, SlotValue, Groups } from '../resolve/query.js'
import { planCondition, relationsIn } from './plan-filters.js'
import { type VersionContext, onlyOf } from './plan-relation.js'
import { planEntryNode, formOf } from './plan-populate.js'
import { planSort, planKey } from './plan-sort.js'
import type { Condition, GroupsPlan, NodePlan, SortKey, FieldForm } from './read-plan.js'

/** The plan that queries of the same shape and the same locales share. */
export type ShapePlan = Readonly<{
  shape: QueryShape
  node: Template<NodePlan>
  filter: Template<Condition> | null
  relations: number
  /** Empty for an aggregation. */
  sort: readonly SortKey[]
  /** Sort for reading one document: decides which version is shown. */
  firstBy: readonly SortKey[]
  groups?: Omit<GroupsPlan, 'withTotal'> | undefined
}>

/** Returns the read context of the listed entries. */
export function contextOfQuery({ shape, locales, contextLocales, chain }: Query): VersionContext {
  const { type, status } = shape
  const locale = locales === 'all' ? null : onlyOf(locales)
  return { status, localized: type.localized, locale, contextLocales, chain }
}

/** Plans everything that does not depend on the values of a query; pure. */
export function planShape(shape: QueryShape, context: VersionContext): ShapePlan {
  const { selection, filter, sort, groups } = shape
  // A document has one version per locale and status. With several locales, `firstBy` decides which one is shown.
  const oneVersion = !context.localized || context.locale !== null
  const planned = planEntryNode(selection, context)
  // A tree of deep populate has no slots.
  const node: Template<NodePlan> =
    planned.shared === true ? { kind: 'closed', tree: planned as NodePlan } : templateOf(planned)
  const condition = filter === null ? null : planCondition(filter, context)
  return {
    shape,
    node,
    filter: condition === null ? null : templateOf(condition),
    relations: condition === null ? 0 : relationsIn(condition),
    sort: groups === undefined ? planSort(sort, context) : [],
    groups: groups && planGroups(groups, context),
    firstBy: oneVersion ? [] : planSort([], context),
  }
}

/** A plan with slots for the values of a query; `closed`: without slots. */
type Template<T> = Readonly<{ kind: 'closed'; tree: T }> | Readonly<{ kind: 'open'; fill: Fill<T> }>

type Fill<T> = (values: readonly SlotValue[]) => T

function templateOf(tree: NodePlan<Slot>): Template<NodePlan>
function templateOf(tree: Condition<Slot>): Template<Condition>
function templateOf(tree: NodePlan<Slot> | Condition<Slot>): Template<unknown> {
  const fill = fillOf(tree)
  return fill === undefined ? { kind: 'closed', tree } : { kind: 'open', fill }
}

/** Fills the slots of a template. Copies only the path to each slot. */
export function fillTemplate<T>(template: Template<T>, values: readonly SlotValue[]): T {
  return template.kind === 'closed' ? template.tree : template.fill(values)
}

/** Compiles a function that fills the slots of a tree; undefined without slots. */
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
