import type { Parents } from '../compile/compile-read.js'
import { compileCounts, compileEdge, readCountRow } from '../compile/compile-read.js'
import type { LocaleDependentCondition } from '../plan/bound-query.js'
import { fail } from '../../errors.js'
import type {
  ComponentPlan,
  Condition,
  EdgePlan,
  MemberPlan,
  MorphPlan,
  NodePlan,
  ValuesPlan,
  ZonePlan,
} from '../plan/read-plan.js'
import { always } from '../plan/read-plan.js'
import type { Stored } from '../stored/stored-document.js'
import { layoutOf, locate } from '../stored/stored-document.js'
import type { Batch, Batches } from '../compile/compile-batches.js'
import { compileBatches } from '../compile/compile-batches.js'
import {
  decode,
  documentIdOf,
  embeddedAt,
  localeOf,
  referredAt,
  slotOf,
  typedReferencesAt,
  zonePlanOf,
} from '../stored/stored-fields.js'
import { resolveForValues } from './resolve-for-values.js'
import type { Binding } from './bind-relations.js'
import { bindCondition } from './bind-relations.js'
import type { Ranking } from './bind-sort.js'
import { bindSort } from './bind-sort.js'

/** An entry or component value with references, and its entry's locale. */
export type Parent = Readonly<{ value: Stored; locale: string | null }>

/** State of populating a response. Collects the targets of each relation while the levels are read. */
export type Populating = Readonly<{
  binding: Binding & Ranking
  maxPopulatedEntries: number
  batches: Map<EdgePlan, readonly Stored[]>
  counts: Map<EdgePlan, ReadonlyMap<string, number>>
  /** Filters of populated components, with resolved relations. */
  bound: Map<Condition, LocaleDependentCondition>
  /** Set for a plan with shared nodes. Otherwise, each relation has its own command. */
  gathering: Gathering | null
}>

/** Relations and sources collected so far. */
export type Gathering = Readonly<{
  batches: Batches
  edges: Map<Batch, Held[]>
  nodes: Map<NodePlan, Readonly<{ batches: number; parents: readonly Parent[] }>>
}>

/** A relation in a batch, with the documentIds to read and its sources. */
type Held = Readonly<{
  edge: EdgePlan
  documentIds: readonly string[]
  parents: readonly Parent[]
}>

/**
 * Populates a node level by level. One command per relation reads the targets of all sources; with shared nodes, one
 * command reads all relations that lead to the same node. The relations of a level are read concurrently.
 */
export async function executePopulate(
  node: NodePlan,
  parents: readonly Parent[],
  populating: Populating,
): Promise<void> {
  // With shared nodes, continue even without sources: a batch is read after all its relations have been collected.
  if (parents.length === 0 && populating.gathering === null) return
  await Promise.all(node.members.map((member) => executeMember(member, parents, populating)))
}

async function executeMember(
  member: MemberPlan,
  parents: readonly Parent[],
  populating: Populating,
): Promise<void> {
  switch (member.kind) {
    case 'field':
      return
    case 'component':
      return executeValues(member, () => embedded(parents, member), populating)
    case 'zone': {
      const plans = Object.values(member.components)
      await Promise.all(
        plans.map((plan) => executeValues(plan, () => ofZone(parents, member, plan), populating)),
      )
      return
    }
    case 'edge':
      return executeEdge(member, wanted(member, parents), parents, populating)
    case 'morph': {
      const byType = wantedByType(member, parents)
      await Promise.all(
        Object.entries(member.edges).map(([type, edge]) => {
          const isHeld = edge.link.stored === 'here'
          const requested = isHeld ? [...(byType.get(type) ?? [])] : wanted(edge, parents)
          return executeEdge(edge, requested, parents, populating)
        }),
      )
    }
  }
}

/** Collects the documentIds of a polymorphic relation by the type of the target. */
function wantedByType(
  { path }: MorphPlan,
  parents: readonly Parent[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const byType = new Map<string, Set<string>>()
  for (const { value } of parents) {
    for (const { __type: type, documentId } of typedReferencesAt(value, slotOf(value, path))) {
      const ids = byType.get(type)
      if (ids === undefined) byType.set(type, new Set([documentId]))
      else ids.add(documentId)
    }
  }
  return byType
}

/** Only resolves the relations of a component's filter. `shape-entry.ts` applies the filter. */
async function executeValues(
  { filter, node }: ValuesPlan,
  find: () => readonly Parent[],
  populating: Populating,
): Promise<void> {
  if (filter === null && !hasEdges(node)) return
  const parents = find()
  if (filter !== null) {
    const values = parents.map(({ value: { bytes, start } }) => decode(bytes, start))
    populating.bound.set(filter, await resolveForValues(filter, values, populating.binding))
  }
  await executePopulate(node, parents, populating)
}

/**
 * Reads a relation. If the relation belongs to a batch, only adds it to the batch. The last relation that is added
 * reads the whole batch.
 * @param documentIds of the targets, or of the sources if the targets store the references
 */
async function executeEdge(
  edge: EdgePlan,
  documentIds: readonly string[],
  parents: readonly Parent[],
  populating: Populating,
): Promise<void> {
  const gathered = gatherEdges({ edge, documentIds, parents }, populating.gathering)
  if (gathered !== null) await executeBatch(edge, gathered, populating)
}

/** Adds a relation to its batch. Returns the batch if it is complete. A relation without a batch is returned alone. */
function gatherEdges(held: Held, gathering: Gathering | null): readonly Held[] | null {
  const batch = gathering?.batches.of.get(held.edge)
  if (gathering === null || batch === undefined) return [held]
  const come = gathering.edges.get(batch) ?? []
  come.push(held)
  gathering.edges.set(batch, come)
  return come.length === batch.edges ? come : null
}

/** The relations of a batch differ only in their sources, so `edge` may be any of them. */
async function executeBatch(
  edge: EdgePlan,
  batch: readonly Held[],
  populating: Populating,
): Promise<void> {
  const { binding } = populating
  const documentIds = new Set(batch.flatMap((held) => held.documentIds))
  if (documentIds.size === 0) return executeTargets(edge, [], populating)
  const locales = new Set(
    batch.flatMap(({ parents }) => parents.flatMap(({ locale }) => locale ?? [])),
  )
  const holding = { documentIds: [...documentIds], locales: [...locales] }
  if (edge.count && edge.link.stored === 'there') {
    populating.counts.set(edge, await executeCount(edge, holding, binding))
    return
  }
  const targets = await readTargets(edge, holding, populating)
  for (const held of batch) populating.batches.set(held.edge, targets)
  if (!edge.count) await executeTargets(edge, targets, populating)
}

async function readTargets(
  edge: EdgePlan,
  holding: Parents,
  { binding, maxPopulatedEntries }: Populating,
): Promise<readonly Stored[]> {
  const [match, sort] = await Promise.all([
    bindCondition(edge.match ?? always, binding),
    bindSort(edge.sort, binding),
  ])
  const command = compileEdge(edge, holding, { match, sort }, maxPopulatedEntries + 1)
  const found = await binding.reader.readStored(
    edge.link.collection,
    command,
    `populate ${edge.name}`,
  )
  if (found.length > maxPopulatedEntries) throw tooManyEntries(edge.name, maxPopulatedEntries)
  const { path, stored } = edge.link
  const isReferring = stored === 'there' || stored === 'anywhere'
  const layout = layoutOf(edge.node, isReferring ? path : undefined)
  return found.map((bytes) => locate(bytes, 0, layout))
}

/** Populates the targets, but only after all batches that lead to their node have been read. */
async function executeTargets(
  { node }: EdgePlan,
  targets: readonly Stored[],
  populating: Populating,
): Promise<void> {
  const { gathering } = populating
  const own = targets.map(toParent)
  const expected = gathering?.batches.leadingTo.get(node)
  if (gathering === null || expected === undefined) return executePopulate(node, own, populating)
  const come = gathering.nodes.get(node) ?? { batches: 0, parents: [] }
  const all = { batches: come.batches + 1, parents: [...come.parents, ...own] }
  gathering.nodes.set(node, all)
  if (all.batches === expected) await executePopulate(node, all.parents, populating)
}

/** Counts the targets of each source in the database. Used if the targets store the references. */
async function executeCount(
  edge: EdgePlan,
  parents: Parents,
  binding: Binding,
): Promise<ReadonlyMap<string, number>> {
  const match = await bindCondition(edge.match ?? always, binding)
  const command = compileCounts(edge, parents, match)
  const rows = await binding.reader.read(edge.link.collection, command, `populate ${edge.name}`)
  return new Map(rows.map(readCountRow))
}

/** Creates the error that names the limit and the relation (docs/internals/decisions.md, "Everything is bounded"). */
export function tooManyEntries(relation: string, limit: number): Error {
  const bound = 'api.rest.maxPopulatedEntries'
  return fail(
    'limit-exceeded',
    { what: `The number of populated entries at ${relation}`, bound, limit },
    { bound, limit, relation },
  )
}

/** Returns the documentIds to which the sources refer or, if the targets store the references, those of the sources. */
function wanted({ link }: EdgePlan, parents: readonly Parent[]): string[] {
  const ids = new Set<string>()
  for (const { value } of parents) {
    if (link.stored !== 'here') ids.add(documentIdOf(value))
    else for (const documentId of referredAt(value, slotOf(value, link.path))) ids.add(documentId)
  }
  return [...ids]
}

function embedded(parents: readonly Parent[], { path, node }: ComponentPlan): Parent[] {
  const layout = layoutOf(node)
  return parents.flatMap(({ value, locale }) =>
    embeddedAt(value, slotOf(value, path)).map((start) => ({
      value: locate(value.bytes, start, layout),
      locale,
    })),
  )
}

function ofZone(parents: readonly Parent[], zone: ZonePlan, plan: ValuesPlan): Parent[] {
  const layout = layoutOf(plan.node)
  return parents.flatMap(({ value, locale }) =>
    embeddedAt(value, slotOf(value, zone.path))
      .filter((start) => zonePlanOf(zone, value.bytes, start) === plan)
      .map((start) => ({ value: locate(value.bytes, start, layout), locale })),
  )
}

/** Whether populating a node may need commands. Even a component may need them, for its filter. */
function hasEdges(node: NodePlan): boolean {
  return node.members.some((member) => member.kind !== 'field')
}

/** Returns the state for collecting batches; null if the plan has no shared nodes. */
export function gatheringOf(node: NodePlan): Gathering | null {
  if (node.shared !== true) return null
  const batches = knownBatches.get(node) ?? compileBatches(node)
  knownBatches.set(node, batches)
  return { batches, edges: new Map(), nodes: new Map() }
}

const knownBatches = new WeakMap<NodePlan, Batches>()

/** Wraps an entry as a source of relations. */
export function toParent(value: Stored): Parent {
  return { value, locale: localeOf(value) }
}
