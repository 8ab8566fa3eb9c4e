import type { Holders } from './compile-read.js'
import { compileCounts, compileEdge, readCountRow } from './compile-read.js'
import type { OpenAnswer } from './bound-query.js'
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
import type { Stored } from './stored-document.js'
import { layoutOf, locate } from './stored-document.js'
import {
  decode,
  documentIdOf,
  embeddedAt,
  localeOf,
  referredAt,
  slotOf,
  typedReferencesAt,
  zonePlanOf,
} from './stored-fields.js'
import { answerForValues } from './answer-for-values.js'
import type { Ranking, Binding } from './bind-relations.js'
import { bindCondition, bindSort } from './bind-relations.js'

/** A holder of references: an entry or a component value, and the locale of the entry it is in. */
export type Holder = Readonly<{ value: Stored; locale: string | null }>

/** Collects what the edges of a plan show while its levels are read. */
export type Populating = Readonly<{
  binding: Binding & Ranking
  maxPopulatedEntries: number
  batches: Map<EdgePlan, readonly Stored[]>
  counts: Map<EdgePlan, ReadonlyMap<string, number>>
  /** Filters of populated components, with their relations answered. */
  bound: Map<Condition, OpenAnswer>
}>

/**
 * Reads everything that a node populates, level by level: one command per edge, however many holders
 * there are, and the edges of a level at the same time.
 */
export async function executePopulate(
  node: NodePlan,
  holders: readonly Holder[],
  populating: Populating,
): Promise<void> {
  if (holders.length === 0) return
  await Promise.all(node.members.map((member) => executeMember(member, holders, populating)))
}

async function executeMember(
  member: MemberPlan,
  holders: readonly Holder[],
  populating: Populating,
): Promise<void> {
  switch (member.kind) {
    case 'field':
      return
    case 'component':
      return executeValues(member, () => embedded(holders, member), populating)
    case 'zone': {
      const plans = Object.values(member.components)
      await Promise.all(
        plans.map((plan) => executeValues(plan, () => ofZone(holders, member, plan), populating)),
      )
      return
    }
    case 'edge':
      return executeEdge(member, wanted(member, holders), holders, populating)
    case 'morph': {
      const byType = wantedByType(member, holders)
      await Promise.all(
        Object.entries(member.edges).map(([type, edge]) =>
          executeEdge(edge, [...(byType.get(type) ?? [])], holders, populating),
        ),
      )
    }
  }
}

/** The documentIds that holders refer to through a polymorphic relation. */
function wantedByType(
  { path }: MorphPlan,
  holders: readonly Holder[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const byType = new Map<string, Set<string>>()
  for (const { value } of holders) {
    for (const { __type: type, documentId } of typedReferencesAt(value, slotOf(value, path))) {
      const ids = byType.get(type)
      if (ids === undefined) byType.set(type, new Set([documentId]))
      else ids.add(documentId)
    }
  }
  return byType
}

/** Component values are tested where they are shown; here the relations of their filter are answered. */
async function executeValues(
  { filter, node }: ValuesPlan,
  find: () => readonly Holder[],
  populating: Populating,
): Promise<void> {
  if (filter === null && !hasEdges(node)) return
  const holders = find()
  if (filter !== null) {
    const values = holders.map(({ value: { bytes, start } }) => decode(bytes, start))
    populating.bound.set(filter, await answerForValues(filter, values, populating.binding))
  }
  await executePopulate(node, holders, populating)
}

/** `documentIds`: what it asks for. */
async function executeEdge(
  edge: EdgePlan,
  documentIds: readonly string[],
  holders: readonly Holder[],
  populating: Populating,
): Promise<void> {
  const { binding, maxPopulatedEntries } = populating
  if (documentIds.length === 0) return
  const locales = [...new Set(holders.flatMap(({ locale }) => locale ?? []))]
  const holding = { documentIds, locales }
  if (edge.count && edge.link.stored === 'there') {
    populating.counts.set(edge, await executeCount(edge, holding, binding))
    return
  }
  const [match, sort] = await Promise.all([
    bindCondition(edge.match ?? always, binding),
    bindSort(edge.sort, binding),
  ])
  const pipeline = compileEdge(edge, holding, { match, sort }, maxPopulatedEntries + 1)
  const found = await binding.reader.readStored(
    edge.link.collection,
    pipeline,
    `populate ${edge.name}`,
  )
  if (found.length > maxPopulatedEntries) throw tooManyEntries(edge.name, maxPopulatedEntries)
  const layout = layoutOf(edge.node, edge.link.path)
  const targets = found.map((bytes) => locate(bytes, 0, layout))
  populating.batches.set(edge, targets)
  if (edge.count) return
  await executePopulate(edge.node, targets.map(toHolder), populating)
}

/** Targets that hold the references themselves are counted in the database, however many they are. */
async function executeCount(
  edge: EdgePlan,
  holders: Holders,
  binding: Binding,
): Promise<ReadonlyMap<string, number>> {
  const match = await bindCondition(edge.match ?? always, binding)
  const pipeline = compileCounts(edge, holders, match)
  const rows = await binding.reader.read(edge.link.collection, pipeline, `populate ${edge.name}`)
  return new Map(rows.map(readCountRow))
}

/** docs/decisions.md, "Everything is bounded": the bound and the relation that went beyond it. */
export function tooManyEntries(relation: string, limit: number): Error {
  const bound = 'api.rest.maxPopulatedEntries'
  return fail(
    'limit-exceeded',
    { what: `The number of populated entries at ${relation}`, bound, limit },
    { bound, limit, relation },
  )
}

/** What an edge asks for: the documentIds that holders refer to, or their own. */
function wanted({ link }: EdgePlan, holders: readonly Holder[]): string[] {
  const ids = new Set<string>()
  for (const { value } of holders) {
    if (link.stored !== 'here') ids.add(documentIdOf(value))
    else for (const documentId of referredAt(value, slotOf(value, link.path))) ids.add(documentId)
  }
  return [...ids]
}

/** The values of a component as holders of references. */
function embedded(holders: readonly Holder[], { path, node }: ComponentPlan): Holder[] {
  const layout = layoutOf(node)
  return holders.flatMap(({ value, locale }) =>
    embeddedAt(value, slotOf(value, path)).map((start) => ({
      value: locate(value.bytes, start, layout),
      locale,
    })),
  )
}

/** The values of a dynamic zone that are of one component. */
function ofZone(holders: readonly Holder[], zone: ZonePlan, plan: ValuesPlan): Holder[] {
  const layout = layoutOf(plan.node)
  return holders.flatMap(({ value, locale }) =>
    embeddedAt(value, slotOf(value, zone.path))
      .filter((start) => zonePlanOf(zone, value.bytes, start) === plan)
      .map((start) => ({ value: locate(value.bytes, start, layout), locale })),
  )
}

/** Whether anything is to be read for the values of a node; filters of components may ask for relations. */
function hasEdges(node: NodePlan): boolean {
  return node.members.some((member) => member.kind !== 'field')
}

/** An entry as the holder of its own references. */
export function toHolder(value: Stored): Holder {
  return { value, locale: localeOf(value) }
}
