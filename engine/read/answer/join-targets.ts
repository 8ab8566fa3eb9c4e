import type { EdgePlan } from '../plan/read-plan.js'
import { documentKey } from '../plan/bound-query.js'
import type { Stored } from '../stored/stored-document.js'
import {
  documentIdOf,
  idOf,
  localeOf,
  referencesAt,
  referredAt,
  slotOf,
} from '../stored/stored-fields.js'

/**
 * Returns the number of targets that a source shows. `locale` is that of the source or, for a component, of its entry.
 */
export type CountOf = (parent: Stored, locale: string | null) => number

/** Returns the targets that a source shows. `locale` is the same as in `CountOf`. */
export type Join = (parent: Stored, locale: string | null) => readonly Stored[]

/** Called if the target of a relation does not exist or is not visible. */
export type OnMissingTarget = (edge: EdgePlan) => void

/** The targets of one batch by `keyOf`. `rank` is a target's position in the batch. */
export type Places = ReadonlyMap<string, Readonly<{ target: Stored; rank: number }>>

/**
 * Joins the targets of one batch to their sources by documentId, and by locale if the targets depend on the source's
 * locale. Without a sort, targets are in the order of the references. The source's own versions in other locales are
 * ordered by `id`.
 * @param known results of earlier calls, for edges that share a batch
 */
export function joinTargets(
  edge: EdgePlan,
  targets: readonly Stored[],
  known: Map<readonly Stored[], Places>,
  awaited?: OnMissingTarget,
): Join {
  const join = joins[edge.link.stored](edge, targets, known, awaited)
  const { page } = edge
  if (page === null) return join
  return (parent, locale) => join(parent, locale).slice(page.start, page.start + page.limit)
}

/**
 * Returns a function for the number of targets that each source shows. `counts` contains the numbers in the database.
 */
export function joinTargetCounts(edge: EdgePlan, counts: ReadonlyMap<string, number>): CountOf {
  const { start, limit } = edge.page ?? { start: 0, limit: Infinity }
  return (parent, locale) => {
    const all = counts.get(keyOf(edge, documentIdOf(parent), locale)) ?? 0
    return Math.min(Math.max(all - start, 0), limit)
  }
}

const joins = {
  here: joinReferred,
  there: joinReferring,
  sibling: joinSiblings,
  anywhere: joinUsing,
}

function joinReferred(
  edge: EdgePlan,
  targets: readonly Stored[],
  known: Map<readonly Stored[], Places>,
  awaited?: OnMissingTarget,
): Join {
  // Edges that share a batch depend on the locale in the same way (`isReadTogether`).
  const byKey = known.get(targets) ?? placesOf(edge, targets)
  known.set(targets, byKey)
  return (parent, locale) => {
    const found: { target: Stored; rank: number }[] = []
    for (const documentId of referredAt(parent, slotOf(parent, edge.link.path))) {
      const there = byKey.get(keyOf(edge, documentId, locale))
      if (there !== undefined) found.push(there)
      else awaited?.(edge)
    }
    if (edge.sort.length > 0) found.sort((a, b) => a.rank - b.rank)
    return found.map(({ target }) => target)
  }
}

function placesOf(edge: EdgePlan, targets: readonly Stored[]): Places {
  return new Map(
    targets.map((target, rank) => [
      keyOf(edge, documentIdOf(target), localeOf(target)),
      { target, rank },
    ]),
  )
}

function joinReferring(edge: EdgePlan, targets: readonly Stored[]): Join {
  type Referring = { target: Stored; order: number; id: number }
  const byParent = new Map<string, Referring[]>()
  for (const target of targets) {
    const [id, locale] = [idOf(target), localeOf(target)]
    for (const reference of referencesAt(target, slotOf(target, edge.link.path))) {
      const { documentId, order } = reference
      if (edge.link.type !== undefined && reference.__type !== edge.link.type) continue
      append(byParent, keyOf(edge, documentId, locale), { target, order, id })
    }
  }
  if (edge.sort.length === 0) {
    for (const list of byParent.values()) list.sort((a, b) => a.order - b.order || a.id - b.id)
  }
  return (parent, locale) =>
    (byParent.get(keyOf(edge, documentIdOf(parent), locale)) ?? []).map(({ target }) => target)
}

/**
 * Attaches to each file the entries that use it, each entry once. Without a sort, the oldest (lowest id) comes first.
 */
function joinUsing(edge: EdgePlan, targets: readonly Stored[]): Join {
  const byParent = new Map<string, Stored[]>()
  const ordered = edge.sort.length > 0 ? targets : targets.toSorted((a, b) => idOf(a) - idOf(b))
  for (const target of ordered) {
    for (const documentId of new Set(referredAt(target, slotOf(target, edge.link.path))))
      append(byParent, documentId, target)
  }
  return (parent) => byParent.get(documentIdOf(parent)) ?? []
}

function joinSiblings(edge: EdgePlan, targets: readonly Stored[]): Join {
  const byDocument = new Map<string, Stored[]>()
  const ordered = edge.sort.length > 0 ? targets : targets.toSorted((a, b) => idOf(a) - idOf(b))
  for (const target of ordered) append(byDocument, documentIdOf(target), target)
  return (parent, locale) =>
    (byDocument.get(documentIdOf(parent)) ?? []).filter((target) => localeOf(target) !== locale)
}

function keyOf({ link }: EdgePlan, documentId: string, locale: string | null): string {
  return documentKey(documentId, link.locale.kind === 'same' ? locale : null)
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
