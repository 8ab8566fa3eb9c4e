import type { Document } from 'mongodb'
import { BSON } from 'mongodb'
import { compileFind } from '../compile/compile-command.js'
import type { Branch, KnownTargets } from '../compile/compile-group-keys.js'
import { compileGroupValue, compileTargetKey } from '../compile/compile-group-keys.js'
import { compileLocale, keepVisibleTargets } from '../compile/compile-lookup.js'
import type { Link } from '../plan/read-plan.js'
import type { RelationChoice } from '../compile/read-result.js'
import type { Reader } from './reader.js'

export type Gathering = Readonly<{
  reader: Reader
  /** See `ReadPlan.maxRanked`. */
  maxRanked: number
  choices: RelationChoice[]
}>

/** Maximum bytes that all targets add to a command, which is limited to 16 MB. */
const maxBytes = 12_000_000

/**
 * Maximum bytes that a target's key and the index of its values add to a command, besides the text of the key. Also the
 * maximum that the array element of a combination of values adds.
 */
const elementBytes = 32

/**
 * Maximum bytes of one target's values, because the values of all targets are in memory together. If a target has
 * larger values, entries look up their targets.
 */
const maxValuesBytes = 256

/**
 * Reads the targets of to-many relations in advance. Grouping entries with the same targets before a lookup, as for
 * to-one relations, would save little, because nearly every entry may have a different set of targets. Leaves relations
 * with too many or too large targets to lookups.
 */
export async function bindGroups(
  branches: readonly Branch[],
  gathering: Gathering,
): Promise<ReadonlyMap<Branch, KnownTargets>> {
  const known = new Map<Branch, KnownTargets>()
  let bytesLeft = maxBytes
  for (const branch of branches) {
    if (branch.step.kind !== 'link' || !canBeKnown(branch, branch.step.link)) continue
    const targets = await readTargets(branch, branch.step.link, { ...gathering, bytesLeft })
    if (targets === null) continue
    bytesLeft -= targets.bytes
    known.set(branch, targets)
  }
  return known
}

/**
 * Whether the targets can be read in advance: their values must depend only on the target and on the entry's locale.
 */
const canBeKnown = ({ branches }: Branch, { stored, many, locale }: Link): boolean =>
  stored === 'here' && many && locale.kind !== 'other' && branches.length === 0

async function readTargets(
  { keys }: Branch,
  link: Link,
  { reader, maxRanked, choices, bytesLeft }: Gathering & Readonly<{ bytesLeft: number }>,
): Promise<Gathered | null> {
  const values = keys.map(({ key, at }) => [`k${at}`, compileGroupValue(key, `$${key.path}`)])
  const command = compileFind({
    filter: compileLocale(link.locale, null),
    beforeSort: keepVisibleTargets(link),
    limit: maxRanked + 1,
    projection: {
      _id: 0,
      key: compileTargetKey(link, '$documentId'),
      values: whereSmall(Object.fromEntries(values) as Document),
    },
  })
  const rows =
    maxRanked === 0 ? null : await reader.read(link.collection, command, `group by ${link.path}`)
  const known = rows === null || rows.length > maxRanked ? null : gathered(rows, bytesLeft)
  choices.push({
    purpose: 'group',
    through: link.path,
    collection: link.collection,
    form: known === null ? 'lookup' : 'ranks',
    keys: known?.keys.length ?? null,
    maxKeys: maxRanked,
  })
  return known
}

const whereSmall = (values: Document): Document => ({
  $let: {
    vars: { values },
    in: { $cond: [{ $lte: [{ $bsonSize: '$$values' }, maxValuesBytes] }, '$$values', null] },
  },
})

type Gathered = KnownTargets & Readonly<{ bytes: number }>

/** Returns null if the targets are too large, or if several versions of one are visible. */
function gathered(rows: readonly Document[], bytesLeft: number): Gathered | null {
  const byBytes = new Map<string, number>()
  const combinations: Document[] = []
  const byKey = new Map<string, number>()
  let bytes = 0
  for (const row of rows) {
    const { key, values } = row as Readonly<{ key: string | null; values: Document | null }>
    if (key === null) continue
    if (values === null) return null
    const stored = BSON.serialize(values)
    const text = Buffer.from(stored).toString('latin1')
    const place = byBytes.get(text) ?? combinations.length
    if (place === combinations.length) {
      byBytes.set(text, place)
      combinations.push(values)
      bytes += stored.byteLength + elementBytes
    }
    bytes += Buffer.byteLength(key) + elementBytes
    if (bytes > bytesLeft || byKey.has(key)) return null
    byKey.set(key, place)
  }
  return { keys: [...byKey.keys()], places: [...byKey.values()], combinations, bytes }
}
