import type {
  ComponentPlan,
  Condition,
  EdgePlan,
  MemberPlan,
  NodePlan,
  ReadPlan,
  ZonePlan,
} from '../plan/read-plan.js'
import { closeFor } from '../plan/bound-condition.js'
import { evaluate, sortValues } from './evaluate.js'
import type { ReadResult } from '../plan/read-result.js'
import type { Stored } from '../plan/stored.js'
import { localeOf, valuesOf, zoneNodeOf } from '../plan/stored.js'
import type { Join } from './stitch.js'
import { stitch } from './stitch.js'
import { shapeValue } from './shape-value.js'

/** JSON text, and the number of populated entries in it. */
export type Fragment = Readonly<{ json: string; entries: number }>

/** What shaping one answer needs to know; `fragments` holds what was already shaped. */
export type Shaping = Readonly<{
  plan: ReadPlan
  result: ReadResult
  fragments: Map<Stored, Fragment>
  joins: ReadonlyMap<EdgePlan, Join>
  /** Throws when an answer holds more populated entries than `api.rest.maxPopulatedEntries`. */
  tooMany: (relation: string) => Error
}>

export function joinBatches({ batches }: ReadResult): ReadonlyMap<EdgePlan, Join> {
  return new Map([...batches].map(([edge, targets]) => [edge, stitch(edge, targets)]))
}

/**
 * An entry or component value as JSON text; `locale` is that of the entry it is or is in. Distinct entries are written once per answer and their text
 * is joined wherever they are shown again, which is most of the work of a deep populate.
 */
export function shapeNode(
  node: NodePlan,
  value: Stored,
  locale: string | null,
  shaping: Shaping,
): Fragment {
  const known = shaping.fragments.get(value)
  if (known !== undefined) return known
  const fragment = write(node, value, locale, shaping)
  if (node.entry) shaping.fragments.set(value, fragment)
  return fragment
}

function write(node: NodePlan, value: Stored, locale: string | null, shaping: Shaping): Fragment {
  let entries = 0
  const parts: string[] = []
  for (const member of node.members) {
    const fragment = shapeMember(member, value, locale, shaping)
    entries += fragment.entries
    parts.push(`${JSON.stringify(member.name)}:${fragment.json}`)
  }
  if (node.component !== null) parts.push(`"__component":${JSON.stringify(node.component)}`)
  const nested = node.entry && shaping.plan.format === 'v4'
  // `id` and `documentId` lead every entry (D5); under v4 the rest goes below `attributes` (D6).
  const json = nested
    ? `{${parts.slice(0, 2).join(',')},"attributes":{${parts.slice(2).join(',')}}}`
    : `{${parts.join(',')}}`
  return { json, entries }
}

function shapeMember(
  member: MemberPlan,
  value: Stored,
  locale: string | null,
  shaping: Shaping,
): Fragment {
  switch (member.kind) {
    case 'field':
      return { json: shapeValue(member.form, value[member.path]), entries: 0 }
    case 'component':
      return shapeComponent(member, value[member.path], locale, shaping)
    case 'zone':
      return shapeZone(member, value[member.path], locale, shaping)
    case 'edge':
      return shapeEdge(member, value, locale, shaping)
  }
}

function shapeComponent(
  member: ComponentPlan,
  stored: unknown,
  locale: string | null,
  shaping: Shaping,
): Fragment {
  const { filter, node, repeatable, sort } = member
  const all = valuesOf(stored)
  const kept = filter === null ? all : all.filter((value) => passes(filter, value, locale, shaping))
  const fragments = sortValues(kept, sort).map((value) => shapeNode(node, value, locale, shaping))
  return repeatable ? list(fragments) : (fragments[0] ?? nothing)
}

function passes(
  filter: Condition,
  value: Stored,
  locale: string | null,
  { result }: Shaping,
): boolean {
  const bound = result.bound.get(filter)
  return bound !== undefined && evaluate(closeFor(locale, bound), value)
}

function shapeZone(
  { nodes, count }: ZonePlan,
  stored: unknown,
  locale: string | null,
  shaping: Shaping,
): Fragment {
  const values = valuesOf(stored)
  if (count) return { json: `{"count":${values.length}}`, entries: 0 }
  return list(
    values.flatMap((value) => {
      const node = zoneNodeOf(nodes, value)
      return node === undefined ? [] : shapeNode(node, value, locale, shaping)
    }),
  )
}

function shapeEdge(
  edge: EdgePlan,
  holder: Stored,
  locale: string | null,
  shaping: Shaping,
): Fragment {
  const targets = shaping.joins.get(edge)?.(holder, locale) ?? []
  if (edge.count) return { json: `{"count":${targets.length}}`, entries: 0 }
  const { maxPopulatedEntries, format } = shaping.plan
  const fragments: Fragment[] = []
  let entries = 0
  for (const target of targets) {
    const fragment = shapeNode(edge.node, target, localeOf(target), shaping)
    entries += 1 + fragment.entries
    if (entries > maxPopulatedEntries) throw shaping.tooMany(edge.name)
    fragments.push(fragment)
  }
  const json = edge.link.many ? list(fragments).json : (fragments[0] ?? nothing).json
  return { json: edge.wrapped || format === 'v4' ? `{"data":${json}}` : json, entries }
}

const nothing: Fragment = { json: 'null', entries: 0 }

function list(fragments: readonly Fragment[]): Fragment {
  return {
    json: `[${fragments.map(({ json }) => json).join(',')}]`,
    entries: fragments.reduce((sum, { entries }) => sum + entries, 0),
  }
}
