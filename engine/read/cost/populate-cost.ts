import type { CollectionFacts, CollectionSample, FactsOf } from './collection-facts.js'
import { entriesPerValue, fieldBytes, listLength } from './collection-facts.js'
import { assumed, costs } from './cost-units.js'
import { isReadTogether } from '../plan/read-plan.js'
import type {
  EdgePlan,
  Link,
  MemberPlan,
  MorphPlan,
  NodePlan,
  ValuesPlan,
} from '../plan/read-plan.js'
import {
  costOfEntry,
  costOfLinks,
  costOfFallback,
  costOfPreparing,
  costOfTests,
} from './list-cost.js'

/** Sources of relations: entries or component values. `facts` describes their collection. */
type Parents = Readonly<{ count: number; facts: CollectionFacts }>

type Adding = Readonly<{
  factsOf: FactsOf
  /** If a relation has more entries, the request is rejected, so the others are not read. */
  maxPopulatedEntries: number
  /** Adds the cost of a part: `once` for the whole request, and `each`, which is the sum over all entries. */
  add: (part: string, once: number, each: number) => void
  /** Nodes estimated so far. Several edges may lead to the same node. */
  met: Map<NodePlan, Met>
}>

/**
 * The estimated cost of a node. Its first edge counts in full, and each further edge in proportion to the entries it
 * reads.
 */
type Met = {
  readonly edges: EdgePlan[]
  /** `read`: number of entries that all edges so far read. `first`: number of entries that the first edge reads. */
  read: number
  readonly first: number
  /** Cost of the first edge and of the relations below it, without that of the commands. */
  readonly cost: number
  /** Bytes of one entry in the response. */
  readonly bytes: number
}

/**
 * Adds the cost of populating some sources. Returns the bytes of one source in the response, including its targets.
 * @param path of the sources in the `populate` parameter, with a final dot; empty for the entries of the page
 */
export function costOfNode(node: NodePlan, parents: Parents, adding: Adding, path = ''): number {
  let bytes = bytesOf(node, parents.facts)
  for (const member of node.members) {
    if (member.kind !== 'field') bytes += costOfMember(member, parents, adding, path)
  }
  return bytes
}

/** Estimates the cost of reading and writing an entry, without its populated entries. */
export function costOfShown(node: NodePlan, facts: CollectionFacts): number {
  return costs.shown + bytesOf(node, facts) * costs.shownByte
}

/** Returns the bytes that the member adds to each source. */
function costOfMember(
  member: Exclude<MemberPlan, { kind: 'field' }>,
  parents: Parents,
  adding: Adding,
  path: string,
): number {
  switch (member.kind) {
    case 'component':
      return costOfValues(member, member, parents, adding, path)
    case 'zone': {
      const plans = Object.values(member.components)
      // Assume the component that shows the most bytes.
      return Math.max(0, ...plans.map((it) => costOfValues(member, it, parents, adding, path)))
    }
    case 'edge':
      return costOfEdge(member, parents, adding, path)
    case 'morph':
      return costOfMorph(member, parents, adding, path)
  }
}

/** References are assumed to be spread evenly over the types. */
function costOfMorph(
  morph: MorphPlan,
  { count, facts }: Parents,
  adding: Adding,
  path: string,
): number {
  const all = Object.values(morph.edges)
  const there = all.filter(({ link }) => adding.factsOf(link.collection).entries > 0)
  const edges = there.length > 0 ? there : all
  if (edges.some(({ link }) => link.stored === 'anywhere')) {
    const within: Parents = { count, facts: { ...facts, sample: undefined } }
    return edges.reduce((bytes, edge) => bytes + costOfEdge(edge, within, adding, path), 0)
  }
  const each = morph.many ? (listLength(facts, morph.path) ?? assumed.fanOut) : 1
  const types = Math.min(edges.length, count * each)
  if (types === 0) return 0
  const within: Parents = { count: (count * each) / types, facts: { ...facts, sample: undefined } }
  const bytes = edges.map((edge) => {
    const one = { ...edge, link: { ...edge.link, many: false } }
    const share = { ...adding, add: scaled(adding.add, types / edges.length) }
    return costOfEdge(one, within, share, path)
  })
  return each * Math.max(0, ...bytes)
}

const scaled =
  (add: Adding['add'], factor: number): Adding['add'] =>
  (part, once, each) =>
    add(part, once * factor, each * factor)

function costOfValues(
  member: Readonly<{ name: string; path: string; repeatable?: boolean }>,
  { node, filter }: ValuesPlan,
  { count, facts }: Parents,
  adding: Adding,
  path: string,
): number {
  const each = member.repeatable === false ? 1 : (listLength(facts, member.path) ?? assumed.fanOut)
  const name = path + member.name
  if (filter !== null) {
    const bytes = fieldBytes(facts, member.path)
    const ofValue = bytes === undefined ? assumed.textBytes : bytes / Math.max(1, each)
    const tests = count * each * costOfTests(filter, () => ofValue)
    adding.add(`populate ${name}`, costOfLinks(filter, adding.factsOf), tests)
  }
  // The sample has the bytes of a whole component, not of its fields.
  const within: Parents = { count: count * each, facts: { ...facts, sample: undefined } }
  return each * costOfEdges(node, within, adding, `${name}.`)
}

function costOfEdges(node: NodePlan, parents: Parents, adding: Adding, path: string): number {
  return node.members.reduce(
    (bytes, member) =>
      member.kind === 'field' ? bytes : bytes + costOfMember(member, parents, adding, path),
    0,
  )
}

function costOfEdge(edge: EdgePlan, parents: Parents, adding: Adding, path: string): number {
  const { factsOf, maxPopulatedEntries, add, met } = adding
  const { link, match, sort, page } = edge
  const facts = factsOf(link.collection)
  const name = path + edge.name
  const targets = targetsOf(link, parents, facts)
  const candidates = distinct(targets, facts)
  const links = sort.reduce((sum, { through }) => sum + through.length, 0)
  const matchCost = match === null ? 0 : candidates * costOfEntry(match, facts)
  const filtered = match === null ? 0 : costOfLinks(match, factsOf) + costOfPreparing(match)
  const seen = costOfFallback(link, candidates)
  const common = costs.command + matchCost + filtered + seen + links * costs.link
  if (edge.count) {
    add(`populate ${name}`, common, candidates * costs.scanned)
    return countBytes
  }
  const onPages = page === null ? targets : parents.count * page.limit
  const shown = Math.min(targets, onPages, maxPopulatedEntries)
  const ofEach = parents.count === 0 ? 0 : shown / parents.count
  const known = met.get(edge.node)
  if (known !== undefined) {
    const read = Math.max(0, distinct(known.read + targets, facts) - known.read)
    const isRead = known.edges.some((it) => isReadTogether(it, edge))
    const again = known.first === 0 ? 0 : (read / known.first) * known.cost
    add(`populate ${name}`, isRead ? 0 : common, again + Math.max(0, shown - read) * costs.copied)
    known.edges.push(edge)
    known.read += read
    return ofEach * known.bytes
  }
  const read = Math.min(candidates, maxPopulatedEntries + 1)
  const own = read * costOfShown(edge.node, facts) + Math.max(0, shown - read) * costs.copied
  add(`populate ${name}`, common, own)
  let cost = own
  const below: Adding = {
    ...adding,
    add: (part, once, each) => {
      cost += each
      add(part, once, each)
    },
  }
  const bytes = costOfNode(edge.node, { count: read, facts }, below, `${name}.`)
  met.set(edge.node, { edges: [edge], read, first: read, cost, bytes })
  return ofEach * bytes
}

/** Bytes of `{"count":12}`. */
const countBytes = 12

/** Estimates the number of targets of some sources, counted once for each reference. */
function targetsOf(link: Link, parents: Parents, facts: CollectionFacts): number {
  const { count } = parents
  if (link.stored === 'sibling') {
    return count * (link.locale.kind === 'other' ? link.locale.among.length : assumed.fanOut)
  }
  if (link.stored === 'here') {
    return count * (link.many ? (listLength(parents.facts, link.path) ?? assumed.fanOut) : 1)
  }
  if (link.stored === 'anywhere') {
    const paths = (link.places ?? []).filter(({ segments }) => segments.length === 0)
    const known = paths.map(({ field }) => referring(`${field}.documentId`, parents, facts))
    // Nothing is known about references in components: assume one per source.
    return known.reduce<number>((sum, it) => sum + (it ?? 0), count)
  }
  return (
    referring(`${link.path}.documentId`, parents, facts) ?? count * (link.many ? assumed.fanOut : 1)
  )
}

/** Estimates the number of entries that refer to some sources; undefined if nothing is known about the path. */
function referring(
  path: string,
  { count, facts: { entries } }: Parents,
  facts: CollectionFacts,
): number | undefined {
  const each = entriesPerValue(facts, path, entries)
  if (each === undefined) return undefined
  // Assume that the source to which most entries refer is among these.
  return count === 0 ? 0 : count * each.usual + (each.most - each.usual)
}

function distinct(targets: number, { entries }: CollectionFacts): number {
  return entries === 0 ? targets : Math.min(targets, entries)
}

const sizes = new WeakMap<
  NodePlan,
  Readonly<{ sample: CollectionSample | undefined; bytes: number }>
>()

/** Estimates the shown bytes of an entry's fields and components, with their names. */
function bytesOf(node: NodePlan, facts: CollectionFacts): number {
  const { sample } = facts
  if (sample === undefined) return assumed.documentBytes
  const known = sizes.get(node)
  if (known?.sample === sample) return known.bytes
  const bytes = node.members.reduce((sum, member) => {
    const value =
      member.kind === 'edge' || member.kind === 'morph' ? 0 : (fieldBytes(facts, member.path) ?? 0)
    return sum + member.name.length + 4 + value
  }, 0)
  sizes.set(node, { sample, bytes })
  return bytes
}
