import type {
  Filter,
  Populated,
  PopulatedEdge,
  PopulatedMorph,
  PopulatedValues,
  Selection,
  Slot,
} from '../query/query.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import { planCondition } from './plan-filters.js'
import type { Standing } from './plan-relation.js'
import { localesKey, planLink, standingOf } from './plan-relation.js'
import { planKey, planSort } from './plan-sort.js'
import type {
  Condition,
  EdgePlan,
  FieldForm,
  FieldPlan,
  MemberPlan,
  MorphPlan,
  NodePlan,
  ValuesPlan,
} from './read-plan.js'
import { valueForms } from '../../values/value-forms.js'

/** Plans what is read and shown of an entry. A selection that several edges lead to is planned once. */
export function planEntryNode(selection: Selection, standing: Standing): NodePlan<Slot> {
  return plannedEntries.of(selection, standing, () => ({
    members: planMembers(selection, standing),
    localized: standing.localized,
    entry: true,
    component: null,
    ...(selection.shared === true ? { shared: true } : {}),
  }))
}

const plannedEntries = createPlanned<Selection, NodePlan<Slot>>()
const plannedMatches = createPlanned<Filter, Condition<Slot>>()

type Planned<K, P> = Readonly<{ of: (key: K, standing: Standing, make: () => P) => P }>

/** Caches the plans of each part of a query by read context, for as long as the part exists. */
function createPlanned<K extends object, P>(): Planned<K, P> {
  const known = new WeakMap<K, Map<string, P>>()
  return {
    of: (key, standing, make) => {
      const plans = known.get(key) ?? new Map<string, P>()
      if (plans.size === 0) known.set(key, plans)
      const where = `${standing.status} ${standing.localized} ${localesKey(standing)}`
      const plan = plans.get(where) ?? make()
      plans.set(where, plan)
      return plan
    },
  }
}

function planComponentNode(
  selection: Selection,
  standing: Standing,
  component: string | null,
): NodePlan<Slot> {
  return {
    members: planMembers(selection, standing),
    localized: standing.localized,
    entry: false,
    component,
  }
}

function planMembers(selection: Selection, standing: Standing): readonly MemberPlan<Slot>[] {
  const { leading, fields, trailing, populated } = selection
  return [
    ...[...leading, ...fields, ...trailing].map(planField),
    ...populated.map((member) => planPopulated(member, standing)),
  ]
}

function planField(attribute: ScalarAttribute): FieldPlan {
  const { name, storedAs } = attribute
  return { kind: 'field', name, path: storedAs, form: formOf(attribute) }
}

/** Returns the form in which values of an attribute are shown. */
export const formOf = ({ type, holds }: ScalarAttribute): FieldForm =>
  holds ?? valueForms[type].stored

function planPopulated(member: Populated, standing: Standing): MemberPlan<Slot> {
  switch (member.kind) {
    case 'component': {
      const { attribute } = member
      return {
        kind: 'component',
        name: attribute.name,
        path: attribute.storedAs,
        repeatable: attribute.repeatable,
        ...planValues(member, standing, null),
      }
    }
    case 'zone': {
      const { attribute, components, count } = member
      const plans = [...components].map(([uid, values]) => [uid, planValues(values, standing, uid)])
      return {
        kind: 'zone',
        name: attribute.name,
        path: attribute.storedAs,
        components: Object.fromEntries(plans) as Record<string, ValuesPlan<Slot>>,
        count,
      }
    }
    case 'edge':
      return planEdge(member, standing)
    case 'morph':
      return planMorph(member, standing)
  }
}

/**
 * Plans a polymorphic relation. Shown entries contain their type, as values of a dynamic zone contain their component.
 */
function planMorph(member: PopulatedMorph, standing: Standing): MorphPlan<Slot> {
  const { attribute, edges, count, wrapped } = member
  const { name, storedAs: path, many } = attribute
  const plans = [...edges].map(([uid, populated]) => {
    const edge = planEdge(populated, standing)
    return [uid, { ...edge, node: typed(edge.node, uid) }] as const
  })
  return { kind: 'morph', name, path, many, edges: Object.fromEntries(plans), count, wrapped }
}

const typedNodes = new WeakMap<NodePlan<Slot>, NodePlan<Slot>>()

/** Adds the type to the shown members. All edges to a node share the result. */
function typed(node: NodePlan<Slot>, uid: string): NodePlan<Slot> {
  const known = typedNodes.get(node)
  if (known !== undefined) return known
  const made = { ...node, constants: { __type: uid } }
  typedNodes.set(node, made)
  return made
}

/**
 * Plans component values.
 * @param uid the shown name of the component in a dynamic zone; null elsewhere
 */
function planValues(
  { selection, filter, sort }: PopulatedValues,
  standing: Standing,
  uid: string | null,
): ValuesPlan<Slot> {
  return {
    node: planComponentNode(selection, standing, uid),
    filter: filter === null ? null : planCondition(filter, standing),
    sort: sort.map((key) => planKey(key, standing)),
  }
}

function planEdge(populated: PopulatedEdge, standing: Standing): EdgePlan<Slot> {
  const { name, edge, selection, filter, sort, count, wrapped, page } = populated
  const target = standingOf(edge, standing)
  return {
    kind: 'edge',
    name,
    link: planLink(edge, standing),
    match:
      filter === null
        ? null
        : plannedMatches.of(filter, target, () => planCondition(filter, target)),
    sort: sort.length === 0 ? [] : planSort(sort, target),
    node: planEntryNode(selection, target),
    count,
    wrapped,
    page,
  }
}
