import { compileEdge } from '../compile/compile-read.js'
import type { OpenCondition } from '../plan/bound-condition.js'
import { fail } from '../errors.js'
import type { Condition, EdgePlan, MemberPlan, NodePlan } from '../plan/read-plan.js'
import type { Stored } from '../plan/stored.js'
import { localeOf, referencesOf, valuesOf, zoneNodeOf } from '../plan/stored.js'
import { answerRelations, bindCondition } from './bind-condition.js'
import type { Reader } from './reader.js'

/** A holder of references: an entry or a component value, and the locale of the entry it is in. */
export type Holder = Readonly<{ value: Stored; locale: string | null }>

/** Collects what the edges of a plan show while its levels are read. */
export type Populating = Readonly<{
  reader: Reader
  maxPopulatedEntries: number
  batches: Map<EdgePlan, readonly Stored[]>
  /** Filters of populated components, with their relations answered. */
  bound: Map<Condition, OpenCondition>
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
    case 'component': {
      const values = embedded(holders, member.path)
      if (member.filter !== null) {
        populating.bound.set(member.filter, await answerRelations(member.filter, populating.reader))
      }
      return executePopulate(member.node, values, populating)
    }
    case 'zone': {
      const values = embedded(holders, member.path)
      const nodes = Object.values(member.nodes)
      await Promise.all(
        nodes.map((node) => {
          const own = values.filter(({ value }) => zoneNodeOf(member.nodes, value) === node)
          return executePopulate(node, own, populating)
        }),
      )
      return
    }
    case 'edge':
      return executeEdge(member, holders, populating)
  }
}

async function executeEdge(
  edge: EdgePlan,
  holders: readonly Holder[],
  populating: Populating,
): Promise<void> {
  const { reader, maxPopulatedEntries } = populating
  const documentIds = wanted(edge, holders)
  if (documentIds.length === 0) return
  const locales = [...new Set(holders.flatMap(({ locale }) => locale ?? []))]
  const match = edge.match === null ? null : await bindCondition(edge.match, reader)
  const pipeline = compileEdge(edge, { documentIds, locales }, match, maxPopulatedEntries + 1)
  const targets = await reader.read(edge.link.collection, pipeline, `populate ${edge.name}`)
  if (targets.length > maxPopulatedEntries) throw tooManyEntries(edge.name, maxPopulatedEntries)
  populating.batches.set(edge, targets)
  if (edge.count) return
  await executePopulate(edge.node, targets.map(toHolder), populating)
}

/** D15: the bound and the relation that went beyond it. */
export function tooManyEntries(relation: string, limit: number): Error {
  const bound = 'api.rest.maxPopulatedEntries'
  return fail(
    'limit-exceeded',
    { what: `The number of populated entries at ${relation}`, bound, limit },
    { bound, limit, relation },
  )
}

function wanted({ link }: EdgePlan, holders: readonly Holder[]): string[] {
  const ids =
    link.stored === 'here'
      ? holders.flatMap(({ value }) => referencesOf(value, link.path).map((it) => it.documentId))
      : holders.map(({ value }) => value['documentId'] as string)
  return [...new Set(ids)]
}

function embedded(holders: readonly Holder[], path: string): Holder[] {
  return holders.flatMap(({ value, locale }) =>
    valuesOf(value[path]).map((inner) => ({ value: inner, locale })),
  )
}

/** An entry as the holder of its own references. */
export function toHolder(value: Stored): Holder {
  return { value, locale: localeOf(value) }
}
