import type {
  Filter,
  Populated,
  PopulatedEdge,
  PopulatedMorph,
  PopulatedValues,
  Selection,
} from '../resolve/query.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import { planCondition } from './plan-filters.js'
import type { VersionContext } from './plan-relation.js'
import { localesKey, planLink, contextOf } from './plan-relation.js'
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

/** Plans which members of an entry are read and shown. The plan of a selection is cached by read context. */
export function planEntryNode(selection: Selection, context: VersionContext): NodePlan {
  return plannedEntries.of(selection, context, () => ({
    members: planMembers(selection, context),
    localized: context.localized,
    entry: true,
    component: null,
    ...(selection.shared === true ? { shared: true } : {}),
  }))
}

const plannedEntries = createPlanned<Selection, NodePlan>()
const plannedMatches = createPlanned<Filter, Condition>()

type Planned<K, P> = Readonly<{ of: (key: K, context: VersionContext, make: () => P) => P }>

/** Caches the plans of a part of a query (`key`) by read context, as long as the part itself is in memory. */
function createPlanned<K extends object, P>(): Planned<K, P> {
  const known = new WeakMap<K, Map<string, P>>()
  return {
    of: (key, context, make) => {
      const plans = known.get(key) ?? new Map<string, P>()
      if (plans.size === 0) known.set(key, plans)
      const where = `${context.status} ${context.localized} ${localesKey(context)}`
      const plan = plans.get(where) ?? make()
      plans.set(where, plan)
      return plan
    },
  }
}

function planComponentNode(
  selection: Selection,
  context: VersionContext,
  component: string | null,
): NodePlan {
  return {
    members: planMembers(selection, context),
    localized: context.localized,
    entry: false,
    component,
  }
}

function planMembers(selection: Selection, context: VersionContext): readonly MemberPlan[] {
  const { leading, fields, trailing, populated } = selection
  return [
    ...[...leading, ...fields, ...trailing].map(planField),
    ...populated.map((member) => planPopulated(member, context)),
  ]
}

function planField(attribute: ScalarAttribute): FieldPlan {
  const { name, storedAs } = attribute
  return { kind: 'field', name, path: storedAs, form: formOf(attribute) }
}

/** Returns the form in which values of an attribute are shown. */
export const formOf = ({ type, holds }: ScalarAttribute): FieldForm =>
  holds ?? valueForms[type].stored

function planPopulated(member: Populated, context: VersionContext): MemberPlan {
  switch (member.kind) {
    case 'component': {
      const { attribute } = member
      return {
        kind: 'component',
        name: attribute.name,
        path: attribute.storedAs,
        repeatable: attribute.repeatable,
        ...planValues(member, context, null),
      }
    }
    case 'zone': {
      const { attribute, components, count } = member
      const plans = [...components].map(([uid, values]) => [uid, planValues(values, context, uid)])
      return {
        kind: 'zone',
        name: attribute.name,
        path: attribute.storedAs,
        components: Object.fromEntries(plans) as Record<string, ValuesPlan>,
        count,
      }
    }
    case 'edge':
      return planEdge(member, context)
    case 'morph':
      return planMorph(member, context)
  }
}

/** Plans a polymorphic relation. Shown entries contain their type. */
function planMorph(member: PopulatedMorph, context: VersionContext): MorphPlan {
  const { attribute, edges, count, wrapped } = member
  const { name, storedAs: path, many } = attribute
  const plans = [...edges].map(([uid, populated]) => {
    const edge = planEdge(populated, context)
    return [uid, { ...edge, node: typed(edge.node, uid) }] as const
  })
  return { kind: 'morph', name, path, many, edges: Object.fromEntries(plans), count, wrapped }
}

const typedNodes = new WeakMap<NodePlan, NodePlan>()

/** Adds `__type` to the members of a node. The cached result is shared by all edges to the node. */
function typed(node: NodePlan, uid: string): NodePlan {
  const known = typedNodes.get(node)
  if (known !== undefined) return known
  const made = { ...node, constants: { __type: uid } }
  typedNodes.set(node, made)
  return made
}

/** @param uid uid of the component if the response shows it, as in a dynamic zone; otherwise null */
function planValues(
  { selection, filter, sort }: PopulatedValues,
  context: VersionContext,
  uid: string | null,
): ValuesPlan {
  return {
    node: planComponentNode(selection, context, uid),
    filter: filter === null ? null : planCondition(filter, context),
    sort: sort.map((key) => planKey(key, context)),
  }
}

function planEdge(populated: PopulatedEdge, context: VersionContext): EdgePlan {
  const { name, edge, selection, filter, sort, count, wrapped, page } = populated
  const target = contextOf(edge, context)
  return {
    kind: 'edge',
    name,
    link: planLink(edge, context),
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
