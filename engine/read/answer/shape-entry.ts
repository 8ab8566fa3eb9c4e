import { bindForLocale } from '../plan/bound-query.js'
import type {
  ComponentPlan,
  EdgePlan,
  Link,
  MemberPlan,
  MorphPlan,
  NodePlan,
  ReadPlan,
  ValuesPlan,
  ZonePlan,
} from '../plan/read-plan.js'
import type { ReadResult } from '../compile/read-result.js'
import type { Stored } from '../stored/stored-document.js'
import { layoutOf, locate } from '../stored/stored-document.js'
import { decode, embeddedAt, localeOf, slotOf, zonePlanOf } from '../stored/stored-fields.js'
import { evaluate, sortValues } from './evaluate.js'
import type { JsonWriter } from './json-writer.js'
import type { OnMissingTarget, CountOf, Join, Places } from './join-targets.js'
import { joinTargets, joinTargetCounts } from './join-targets.js'
import type { MorphJoin, MorphTarget } from './join-morph.js'
import { joinMorph } from './join-morph.js'
import { writeField } from './write-value.js'

/** The position of a written entry in the response, and the number of entries that were populated in it. */
type Fragment = Readonly<{ from: number; to: number; entries: number }>

/** The state of serializing one response. `fragments` are the entries that are already written. */
export type Shaping = Readonly<{
  writer: JsonWriter
  plan: ReadPlan
  result: ReadResult
  fragments: Map<Stored, Fragment>
  joins: ReadonlyMap<EdgePlan, Join>
  counts: ReadonlyMap<EdgePlan, CountOf>
  /** How polymorphic relations are joined. Added when the first source of a relation is written. */
  morphs: Map<MorphPlan, MorphJoin>
  populated: PopulatedCount
  awaited?: OnMissingTarget | undefined
}>

/** Counts populated entries while they are written, to stop at the limit. */
export type PopulatedCount = {
  entries: number
  /** Adds to the count. Throws an error that names the relation if the count exceeds the limit. */
  add: (entries: number, relation: string) => void
}

export function joinBatches(
  { batches }: ReadResult,
  awaited?: OnMissingTarget,
): ReadonlyMap<EdgePlan, Join> {
  const known = new Map<readonly Stored[], Places>()
  // Leave out the edges of polymorphic relations, which `joinMorph` joins together.
  const own = [...batches].filter(([{ link }]) => !isOfMorph(link))
  return new Map(own.map(([edge, targets]) => [edge, joinTargets(edge, targets, known, awaited)]))
}

const isOfMorph = ({ stored, type }: Link): boolean =>
  stored === 'anywhere' || (stored === 'here' && type !== undefined)

export function joinCounts({ counts }: ReadResult): ReadonlyMap<EdgePlan, CountOf> {
  return new Map([...counts].map(([edge, found]) => [edge, joinTargetCounts(edge, found)]))
}

/** Writes an entry and records its position. If the response shows the entry again, `writeTarget` copies its bytes. */
export function writeEntry(node: NodePlan, entry: Stored, shaping: Shaping): void {
  const { writer, fragments, populated } = shaping
  const from = writer.length
  const before = populated.entries
  writeNode(node, entry, localeOf(entry), shaping)
  fragments.set(entry, { from, to: writer.length, entries: populated.entries - before })
}

function writeTarget({ node, name }: EdgePlan, target: Stored, shaping: Shaping): void {
  const { writer, fragments, populated } = shaping
  const known = fragments.get(target)
  populated.add(1 + (known?.entries ?? 0), name)
  if (known === undefined) writeEntry(node, target, shaping)
  else writer.again(known.from, known.to)
}

/** @param locale locale of the entry */
function writeNode(node: NodePlan, value: Stored, locale: string | null, shaping: Shaping): void {
  const { writer, plan } = shaping
  // `id` and `documentId` come first (docs/internals/decisions.md, "Order of members"). In the `v4` format, all other
  // members are inside `attributes` (docs/internals/decisions.md, "The older format").
  const leading = node.entry && plan.format === 'v4' ? 2 : Infinity
  const keys = keysOf(node)
  writer.ascii('{')
  node.members.forEach((member, place) => {
    if (place === leading) writer.ascii(place === 0 ? '"attributes":{' : ',"attributes":{')
    writer.raw((place === 0 || place === leading ? keys.first : keys.other)[place] as Uint8Array)
    writeMember(member, value, locale, shaping)
  })
  if (node.component !== null) {
    if (node.members.length > 0) writer.ascii(',')
    writer.utf8(`"__component":${JSON.stringify(node.component)}`)
  }
  const constants = Object.entries(node.constants ?? {})
  const isOpen = leading === 2 && node.members.length > leading
  if (leading === 2 && !isOpen) writer.ascii(',"attributes":{')
  constants.forEach(([name, value], place) => {
    const separator = place === 0 && leading === 2 && !isOpen ? '' : ','
    writer.utf8(`${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`)
  })
  writer.ascii(leading === 2 ? '}}' : '}')
}

function writeMember(
  member: MemberPlan,
  value: Stored,
  locale: string | null,
  shaping: Shaping,
): void {
  switch (member.kind) {
    case 'field':
      return writeField(shaping, member.form, value, slotOf(value, member.path))
    case 'component':
      return writeComponent(member, value, locale, shaping)
    case 'zone':
      return writeZone(member, value, locale, shaping)
    case 'edge':
      return writeEdge(member, value, locale, shaping)
    case 'morph':
      return writeMorph(member, value, locale, shaping)
  }
}

function writeComponent(
  member: ComponentPlan,
  parent: Stored,
  locale: string | null,
  shaping: Shaping,
): void {
  const { node, repeatable } = member
  const layout = layoutOf(node)
  const all = embeddedAt(parent, slotOf(parent, member.path))
  const starts = shownOf(member, parent.bytes, all, locale, shaping)
  const write = (start: number): void =>
    writeNode(node, locate(parent.bytes, start, layout), locale, shaping)
  return repeatable
    ? writeList(starts, shaping.writer, write)
    : writeOne(starts[0], shaping.writer, write)
}

/**
 * Returns the positions of the component values to show, in their order. `starts` are the positions of all stored
 * values.
 */
function shownOf(
  { filter, sort }: ValuesPlan,
  bytes: Buffer,
  starts: readonly number[],
  locale: string | null,
  { result }: Shaping,
): readonly number[] {
  if (filter === null && sort.length === 0) return starts
  const startOf = new Map(starts.map((start) => [decode(bytes, start), start]))
  const bound = filter === null ? undefined : result.bound.get(filter)
  const condition = bound === undefined ? null : bindForLocale(locale, bound)
  const kept = [...startOf.keys()].filter(
    (value) => condition === null || evaluate(condition, value),
  )
  return sortValues(kept, sort).map((value) => startOf.get(value) as number)
}

function writeZone(zone: ZonePlan, parent: Stored, locale: string | null, shaping: Shaping): void {
  const { bytes } = parent
  const starts = embeddedAt(parent, slotOf(parent, zone.path))
  if (zone.count) return writeCount(starts.length, shaping.writer)
  const values = starts.flatMap((start) => {
    const plan = zonePlanOf(zone, bytes, start)
    return plan === undefined ? [] : { plan, start }
  })
  const shown = inOrder(values, (plan, own) => shownOf(plan, bytes, own, locale, shaping))
  return writeList(shown, shaping.writer, ({ plan: { node }, start }) =>
    writeNode(node, locate(bytes, start, layoutOf(node)), locale, shaping),
  )
}

/** A value of a dynamic zone. `start` is its position in the bytes of the entry. */
type ZoneValue = Readonly<{ plan: ValuesPlan; start: number }>

/**
 * Filters and sorts the values of a dynamic zone. If the values of one component are sorted, those of others stay where
 * they are.
 */
function inOrder(
  values: readonly ZoneValue[],
  shownOf: (plan: ValuesPlan, starts: readonly number[]) => readonly number[],
): readonly ZoneValue[] {
  const refined = values.some(({ plan: { filter, sort } }) => filter !== null || sort.length > 0)
  if (!refined) return values
  const shown = new Map<ValuesPlan, readonly number[]>()
  const kept = new Set<number>()
  for (const { plan } of values) {
    if (shown.has(plan)) continue
    const own = values.filter((value) => value.plan === plan).map(({ start }) => start)
    const left = shownOf(plan, own)
    shown.set(plan, left)
    for (const start of left) kept.add(start)
  }
  const taken = new Map<ValuesPlan, number>()
  return values.flatMap(({ plan, start }) => {
    if (!kept.has(start)) return []
    const place = taken.get(plan) ?? 0
    taken.set(plan, place + 1)
    return { plan, start: shown.get(plan)?.[place] ?? start }
  })
}

function writeEdge(edge: EdgePlan, parent: Stored, locale: string | null, shaping: Shaping): void {
  const { writer } = shaping
  const count = shaping.counts.get(edge)
  if (count !== undefined) return writeCount(count(parent, locale), writer)
  const targets = shaping.joins.get(edge)?.(parent, locale) ?? []
  if (edge.count) return writeCount(targets.length, writer)
  const write = (target: Stored): void => writeTarget(edge, target, shaping)
  writeTargets({ many: edge.link.many, wrapped: edge.wrapped }, targets, write, shaping)
}

function writeMorph(
  morph: MorphPlan,
  parent: Stored,
  locale: string | null,
  shaping: Shaping,
): void {
  const { writer, morphs, result, awaited } = shaping
  const join = morphs.get(morph) ?? joinMorph(morph, result.batches, awaited)
  morphs.set(morph, join)
  const targets = join(parent, locale)
  if (morph.count) return writeCount(targets.length, writer)
  const write = ({ edge, target }: MorphTarget): void => writeTarget(edge, target, shaping)
  writeTargets(morph, targets, write, shaping)
}

function writeTargets<T>(
  { many, wrapped }: Readonly<{ many: boolean; wrapped: boolean }>,
  targets: readonly T[],
  write: (target: T) => void,
  { writer, plan }: Shaping,
): void {
  const isWrapped = wrapped || plan.format === 'v4'
  if (isWrapped) writer.ascii('{"data":')
  if (many) writeList(targets, writer, write)
  else writeOne(targets[0], writer, write)
  if (isWrapped) writer.ascii('}')
}

function writeCount(count: number, writer: JsonWriter): void {
  writer.ascii(`{"count":${count}}`)
}

export function writeList<T>(
  values: readonly T[],
  writer: JsonWriter,
  write: (value: T) => void,
): void {
  writer.ascii('[')
  values.forEach((value, place) => {
    if (place > 0) writer.ascii(',')
    write(value)
  })
  writer.ascii(']')
}

function writeOne<T>(value: T | undefined, writer: JsonWriter, write: (value: T) => void): void {
  if (value !== undefined) write(value)
  else writer.ascii('null')
}

/**
 * The members' names as JSON keys: `first` for the first member of an object; `other`, with a leading comma, for the
 * others.
 */
type Keys = Readonly<{ first: readonly Uint8Array[]; other: readonly Uint8Array[] }>

const keys = new WeakMap<NodePlan, Keys>()

function keysOf(node: NodePlan): Keys {
  const known = keys.get(node)
  if (known !== undefined) return known
  const first = node.members.map(({ name }) => Buffer.from(`${JSON.stringify(name)}:`))
  const other = first.map((key) => Buffer.concat([Buffer.from(','), key]))
  keys.set(node, { first, other })
  return { first, other }
}
