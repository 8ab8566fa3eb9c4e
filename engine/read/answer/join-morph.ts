import type { EdgePlan, MorphPlan } from '../plan/read-plan.js'
import { documentKey } from '../plan/bound-query.js'
import type { Stored } from '../stored/stored-document.js'
import type { OnMissingTarget } from './join-targets.js'
import { joinTargets } from './join-targets.js'
import { documentIdOf, localeOf, slotOf, typedReferencesAt } from '../stored/stored-fields.js'

/** A target, with the part of the plan that describes the relation to targets of its type. */
export type MorphTarget = Readonly<{ edge: EdgePlan; target: Stored }>

/** Returns the targets that a source shows. `locale` is that of the source or, for a component, of its entry. */
export type MorphJoin = (parent: Stored, locale: string | null) => readonly MorphTarget[]

/**
 * Joins the targets of a polymorphic relation to their sources, in the order of the references. If the targets of one
 * type are sorted, those of other types stay where they are.
 */
export function joinMorph(
  { path, edges }: MorphPlan,
  batches: ReadonlyMap<EdgePlan, readonly Stored[]>,
  awaited?: OnMissingTarget,
): MorphJoin {
  if (Object.values(edges).some(({ link }) => link.stored === 'anywhere'))
    return joinUses(edges, batches)
  const types = new Map(
    Object.entries(edges).map(([type, edge]) => [type, byKeyOf(edge, batches.get(edge) ?? [])]),
  )
  return (parent, locale) => {
    const found: Ranked[] = []
    for (const { __type: type, documentId } of typedReferencesAt(parent, slotOf(parent, path))) {
      const targets = types.get(type)
      const there = targets?.byKey.get(targets.keyOf(documentId, locale))
      if (there !== undefined) found.push(there)
      else if (targets !== undefined) awaited?.(targets.edge)
    }
    return inOrder(found)
  }
}

/** Attaches to each source the entries that refer to it: first all of one type, then all of the next. */
function joinUses(
  edges: MorphPlan['edges'],
  batches: ReadonlyMap<EdgePlan, readonly Stored[]>,
): MorphJoin {
  const joins = Object.values(edges).map((edge) => ({
    edge,
    join: joinTargets(edge, batches.get(edge) ?? [], new Map()),
  }))
  return (parent, locale) =>
    joins.flatMap(({ edge, join }) => join(parent, locale).map((target) => ({ edge, target })))
}

type Ranked = MorphTarget & Readonly<{ rank: number }>

type Targets = Readonly<{
  edge: EdgePlan
  keyOf: (documentId: string, locale: string | null) => string
  byKey: ReadonlyMap<string, Ranked>
}>

function byKeyOf(edge: EdgePlan, targets: readonly Stored[]): Targets {
  const isSame = edge.link.locale.kind === 'same'
  const keyOf = (documentId: string, locale: string | null): string =>
    documentKey(documentId, isSame ? locale : null)
  const byKey = targets.map(
    (target, rank) =>
      [keyOf(documentIdOf(target), localeOf(target)), { edge, target, rank }] as const,
  )
  return { edge, keyOf, byKey: new Map(byKey) }
}

function inOrder(found: readonly Ranked[]): readonly MorphTarget[] {
  if (found.every(({ edge }) => edge.sort.length === 0)) return found
  const sorted = new Map<EdgePlan, Iterator<Ranked>>()
  for (const { edge } of found) {
    if (edge.sort.length === 0 || sorted.has(edge)) continue
    const own = found.filter((one) => one.edge === edge).toSorted((a, b) => a.rank - b.rank)
    sorted.set(edge, own.values())
  }
  return found.map((one) => (sorted.get(one.edge)?.next().value as Ranked | undefined) ?? one)
}
