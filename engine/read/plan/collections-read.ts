import { leavesOf } from './condition-tree.js'
import type {
  Condition,
  EdgePlan,
  Link,
  MemberPlan,
  NodePlan,
  ReadPlan,
  SortKey,
} from './read-plan.js'

/** Collections that the response of a plan depends on. */
export type CollectionsRead = Readonly<{
  all: ReadonlySet<string>
  /**
   * Collections in which any entry may change the response. In the others, only entries that are found by references
   * may change it.
   */
  searched: ReadonlySet<string>
}>

type Found = Readonly<{ all: Set<string>; searched: Set<string> }>

/** Returns every collection that a plan may read. */
export const collectionsOf = (plan: ReadPlan): ReadonlySet<string> => collectionsRead(plan).all

export function collectionsRead(plan: ReadPlan): CollectionsRead {
  const { answer, collection, match, sort, node, groups } = plan
  const found = nothingFound()
  found.all.add(collection)
  if (answer === 'list') found.searched.add(collection)
  addAll(inNode(node), found)
  addCondition(match, found)
  addSort(sort, found)
  if (groups !== undefined) addSort(groups.keys, found)
  return found
}

const nothingFound = (): Found => ({ all: new Set(), searched: new Set() })

/** Cached by node, because plans of the same query shape share nodes. */
const known = new WeakMap<NodePlan, CollectionsRead>()

function inNode(node: NodePlan): CollectionsRead {
  const before = known.get(node)
  if (before !== undefined) return before
  const found = nothingFound()
  // Several edges may lead to this node, but only the first gets here.
  for (const member of node.members) addMember(member, found)
  known.set(node, found)
  return found
}

function addMember(member: MemberPlan, found: Found): void {
  switch (member.kind) {
    case 'field':
      return
    case 'component':
      return addValues(member, found)
    case 'zone':
      return Object.values(member.components).forEach((values) => addValues(values, found))
    case 'edge':
      found.all.add(member.link.collection)
      if (!isNamed(member)) found.searched.add(member.link.collection)
      if (member.match !== null) addCondition(member.match, found)
      addSort(member.sort, found)
      return addAll(inNode(member.node), found)
    case 'morph':
      return Object.values(member.edges).forEach((edge) => addMember(edge, found))
  }
}

type Values = Extract<MemberPlan, { kind: 'component' }>

function addValues(
  { node, filter, sort }: Pick<Values, 'node' | 'filter' | 'sort'>,
  found: Found,
): void {
  if (filter !== null) addCondition(filter, found)
  addSort(sort, found)
  addAll(inNode(node), found)
}

function addCondition(condition: Condition, found: Found): void {
  for (const { leaf } of leavesOf(condition)) {
    if (leaf.kind === 'test') continue
    addLink(leaf.link, found)
    if (leaf.kind === 'related') addCondition(leaf.of, found)
    else add(leaf.drafts, found)
  }
}

function addSort(sort: readonly Pick<SortKey, 'through'>[], found: Found): void {
  for (const { through } of sort)
    for (const step of through) if (step.kind === 'link') addLink(step.link, found)
}

/**
 * Whether a source determines the documentIds of all its targets: by its stored references or, if the targets are
 * versions of the same document, by its own documentId.
 */
const isNamed = ({ link, page, count }: EdgePlan): boolean =>
  link.stored === 'sibling' || (link.stored === 'here' && page === null && !count)

const addLink = ({ collection }: Link, found: Found): void => add(collection, found)

function add(collection: string, { all, searched }: Found): void {
  all.add(collection)
  searched.add(collection)
}

function addAll(more: CollectionsRead, found: Found): void {
  for (const one of more.all) found.all.add(one)
  for (const one of more.searched) found.searched.add(one)
}
