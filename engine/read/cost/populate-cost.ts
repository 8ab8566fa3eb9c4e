import type { CollectionFacts, CollectionSample, FactsOf } from './collection-facts.js'
import { entriesPerValue, fieldBytes, listLength } from './collection-facts.js'
import { assumed, costs } from './cost-units.js'
import { always, isReadTogether } from '../plan/read-plan.js'
import type { EdgePlan, Link, MemberPlan, MorphPlan, NodePlan } from '../plan/read-plan.js'
import { costOfEntry, costOfPreparing, costOfTests } from './list-cost.js'

/** Sources of relations: entries or component values. `facts` describes their collection. */
type Sources = Readonly<{ count: number; facts: CollectionFacts }>

type Populating = Readonly<{
  factsOf: FactsOf
  /** If a relation has more entries, the request is rejected, so the others are not read. */
  maxPopulatedEntries: number
  /**
   * Adds the cost of a part. `once`: its command, preparing its filter and, for a relation, testing with the filter.
   * `entries`: all other costs, for all its entries.
   */
  add: (part: string, once: number, entries: number) => void
  /** Nodes estimated so far. Several edges may lead to the same node. */
  met: Map<NodePlan, Met>
}>

/** The first edge to a node counts in full. Each further edge counts only the entries that no earlier edge reads. */
type Met = {
  readonly edges: EdgePlan[]
  /** Number of entries that all edges so far read together. */
  read: number
  /** Cost of one entry and of the relations below it, without commands and the filters of relations. */
  readonly each: number
  /** Bytes of one entry in the response. */
  readonly bytes: number
}

/**
 * Adds the cost of populating some sources. Returns the bytes that the populated entries add to one source.
 * @param path of the sources in the `populate` parameter, with a final dot; empty for the entries of the page
 */
export function costOfPopulate(
  node: NodePlan,
  sources: Sources,
  populating: Populating,
  path = '',
): number {
  return node.members.reduce(
    (bytes, member) => bytes + costOfMember(member, sources, populating, path),
    0,
  )
}

/** Estimates the cost of reading an entry and writing `bytes` of it, without its populated entries. */
export const costOfShown = (bytes: number): number => costs.shown + bytes * costs.shownByte

const sizes = new WeakMap<NodePlan, Readonly<{ sample: CollectionSample; bytes: number }>>()

/** Estimates the shown bytes of an entry's fields and components, with their names. */
export function bytesOf(node: NodePlan, facts: CollectionFacts): number {
  const { sample } = facts
  if (sample === undefined) return assumed.documentBytes
  const known = sizes.get(node)
  if (known?.sample === sample) return known.bytes
  const bytes = node.members.reduce((sum, member) => {
    const isStored = member.kind !== 'edge' && member.kind !== 'morph'
    return sum + member.name.length + 4 + (isStored ? fieldBytes(facts, member.path) : 0)
  }, 0)
  sizes.set(node, { sample, bytes })
  return bytes
}

/** Returns the bytes that the member adds to each source. */
function costOfMember(
  member: MemberPlan,
  { count, facts }: Sources,
  populating: Populating,
  path: string,
): number {
  // The sample describes entries, not their components and references.
  const unknown = { ...facts, sample: undefined }
  const name = path + member.name
  switch (member.kind) {
    case 'field':
      return 0
    case 'component':
    case 'zone': {
      const plans = member.kind === 'zone' ? Object.values(member.components) : [member]
      const isOne = member.kind === 'component' && !member.repeatable
      const each = isOne ? 1 : listLength(facts, member.path)
      const values = { count: count * each, facts: unknown }
      // Without a sample, the bytes are those of one text.
      const listed = facts.sample === undefined ? 1 : Math.max(1, each)
      const textBytes = fieldBytes(facts, member.path) / listed
      const bytes = plans.map(({ node, filter }) => {
        if (filter !== null) {
          const tests = values.count * costOfTests(filter, () => textBytes)
          populating.add(`populate ${name}`, costOfPreparing(filter, populating.factsOf), tests)
        }
        return costOfPopulate(node, values, populating, `${name}.`)
      })
      // Assume the component that shows the most bytes.
      return each * Math.max(0, ...bytes)
    }
    case 'edge':
      return costOfEdge(member, { count, facts }, populating, path)
    case 'morph':
      return costOfMorph(member, { count, facts }, populating, path)
  }
}

/** References are assumed to be spread evenly over the types. */
function costOfMorph(
  { path: field, many, edges: byType }: MorphPlan,
  { count, facts }: Sources,
  populating: Populating,
  path: string,
): number {
  const edges = Object.values(byType)
  // Entries of each type may refer to any source.
  if (edges.some(({ link }) => link.stored === 'anywhere')) {
    const sources = { count, facts }
    return edges.reduce((bytes, edge) => bytes + costOfEdge(edge, sources, populating, path), 0)
  }
  const each = many ? listLength(facts, field) : 1
  // A command is only sent for a type to which a source refers.
  const types = Math.min(edges.length, count * each)
  if (types === 0) return 0
  const share = types / edges.length
  const referring: Populating = {
    ...populating,
    add: (part, once, entries) => populating.add(part, once * share, entries * share),
  }
  const sources = { count: (count * each) / types, facts }
  const bytes = edges.map((edge) =>
    costOfEdge({ ...edge, link: { ...edge.link, many: false } }, sources, referring, path),
  )
  return each * Math.max(0, ...bytes)
}

function costOfEdge(
  edge: EdgePlan,
  sources: Sources,
  populating: Populating,
  path: string,
): number {
  const { factsOf, maxPopulatedEntries, add, met } = populating
  const { link, match, sort, page, node } = edge
  const facts = factsOf(link.collection)
  const distinct = (targets: number): number =>
    facts.entries === 0 ? targets : Math.min(targets, facts.entries)
  const name = path + edge.name
  const filter = match ?? always
  const targets = targetsOf(link, sources, facts)
  const links = sort.reduce((sum, { through }) => sum + through.length, 0)
  const read = Math.min(distinct(targets), maxPopulatedEntries + 1)
  const fetched = match === null && !edge.count ? read : distinct(targets)
  const found = fetched * costOfEntry(filter, facts, link.locale.kind === 'first')
  const tested = match === null ? 0 : found
  const once = costs.command + links * costs.link + costOfPreparing(filter, factsOf) + tested
  const fetching = found - tested
  if (edge.count) {
    add(`populate ${name}`, once, fetching)
    return countBytes
  }
  const onPages = page === null ? targets : sources.count * page.limit
  const shown = Math.min(targets, onPages, maxPopulatedEntries)
  const ofEach = sources.count === 0 ? 0 : shown / sources.count
  const known = met.get(node)
  if (known !== undefined) {
    const isRead = known.edges.some((it) => isReadTogether(it, edge))
    const more = distinct(known.read + targets) - known.read
    const copied = Math.max(0, shown - more) * costs.shown
    add(`populate ${name}`, isRead ? 0 : once, more * known.each + copied)
    known.edges.push(edge)
    known.read += more
    return ofEach * known.bytes
  }
  const own = bytesOf(node, facts)
  let cost = fetching + Math.max(shown, read) * costs.shown + read * own * costs.shownByte
  add(`populate ${name}`, once, cost)
  const below: Populating = {
    ...populating,
    add: (part, once, entries) => {
      cost += entries
      add(part, once, entries)
    },
  }
  const bytes = own + costOfPopulate(node, { count: read, facts }, below, `${name}.`)
  met.set(node, { edges: [edge], read, each: read === 0 ? 0 : cost / read, bytes })
  return ofEach * bytes
}

/** Bytes of `{"count":12}`. */
const countBytes = 12

/** Estimates the number of targets of some sources, counted once for each reference. */
function targetsOf(
  { stored, many, path, places = [] }: Link,
  { count, facts }: Sources,
  targets: CollectionFacts,
): number {
  const referring = (field: string): number | undefined => {
    const entries = entriesPerValue(targets, `${field}.documentId`, facts.entries)
    // Assume that the source to which most entries refer is among these.
    return entries && (count === 0 ? 0 : count * entries.usual + (entries.most - entries.usual))
  }
  switch (stored) {
    case 'here':
      return count * (many ? listLength(facts, path) : 1)
    case 'there':
      return referring(path) ?? count * (many ? assumed.fanOut : 1)
    case 'sibling':
      return count * (many ? assumed.fanOut : 1)
    case 'anywhere': {
      const own = places.filter(({ segments }) => segments.length === 0)
      // Nothing is known about references in components: assume one per source.
      return own.reduce((sum, { field }) => sum + (referring(field) ?? 0), count)
    }
  }
}
