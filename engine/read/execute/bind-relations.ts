import type { Command } from '../compile/compile-command.js'
import type { KeyRow } from '../compile/compile-relations.js'
import { compileKeys, readKeyRow } from '../compile/compile-relations.js'
import { compileMarked, dependsOnParent, markedAndLater } from '../compile/compile-lookup.js'
import type {
  BoundCondition,
  Joined,
  OpenCondition,
  Keys,
  LocaleKeys,
} from '../plan/bound-query.js'
import { bindLocales, keysIn } from '../plan/bound-query.js'
import type { Condition, Link } from '../plan/read-plan.js'
import { always, isNever, never } from '../plan/read-plan.js'
import type { RelationChoice } from '../compile/read-result.js'
import type { Reader } from './reader.js'

/** Maximum length of a list of keys in a `$lookup`, because it reads the list again for every entry. */
const maxKeysInLookup = 100

/** Resolves the relations of a condition, so that `$match` can test it. */
export async function bindCondition(
  condition: Condition,
  binding: Binding,
): Promise<BoundCondition> {
  const answer = await answerRelations(condition, binding)
  const { match, choices } = fitting(answer, maxKeysInCommand)
  binding.choices.push(...choices)
  return match
}

/** Maximum number of keys in a command (16 MB), at 37 bytes each. A list is repeated for each locale. */
const maxKeysInCommand = 400_000

export type Answer = Readonly<{
  condition: OpenCondition
  /** For use inside a `$lookup`, with only short lists of keys. */
  inLookup: OpenCondition
  choices: readonly RelationChoice[]
}>

/**
 * Resolves the relations of a condition. Each becomes a list of documentIds by which matching sources are found (a
 * semi-join). One command reads the list, or two if sources without a target match as well. With more than `maxKeys`
 * documentIds, it becomes a `$lookup`.
 */
async function answerRelations(condition: Condition, binding: Binding): Promise<Answer> {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none': {
      const of = await Promise.all(condition.of.map((member) => answerRelations(member, binding)))
      return both(of, (members) => ({ kind: condition.kind, of: members }))
    }
    case 'test':
      return { condition, inLookup: condition, choices: [] }
    case 'element': {
      const { path, orEmpty } = condition
      const of = await answerRelations(condition.of, binding)
      return both([of], ([member = never]) => ({ kind: 'element', path, of: member, orEmpty }))
    }
    case 'related': {
      const { link, of, orNone } = condition
      const conditions = orNone ? [of, always] : [of]
      const parts = await Promise.all(conditions.map((one) => answerPart(link, one, binding)))
      return both(parts, ([found = never, ...there]) =>
        orNone ? { kind: 'any', of: [found, { kind: 'none', of: there }] } : found,
      )
    }
    case 'modified':
      return answerModified(condition, binding)
  }
}

async function answerModified(
  { link, drafts, not, by }: Extract<Condition, { kind: 'modified' }>,
  binding: Binding,
): Promise<Answer> {
  if (by === 'own mark') {
    const own = markedAndLater(link)
    return { condition: own, inLookup: own, choices: [choiceOf(link, null, null)] }
  }
  const joined: Joined = { kind: 'joined', link, test: { kind: 'modified', drafts } }
  const aggregate = compileMarked(link, binding.maxKeys + 1)
  const rows = await readKeys({ ...link, collection: drafts }, { aggregate }, binding)
  const answer = choose(joined, rows, binding)
  return not ? both([answer], (of) => ({ kind: 'none', of })) : answer
}

function both(
  of: readonly Answer[],
  combine: (members: readonly OpenCondition[]) => OpenCondition,
): Answer {
  return {
    condition: combine(of.map(({ condition }) => condition)),
    inLookup: combine(of.map(({ inLookup }) => inLookup)),
    choices: of.flatMap(({ choices }) => choices),
  }
}

/** Resolves the condition that at least one target matches `of`. */
async function answerPart(link: Link, of: Condition, binding: Binding): Promise<Answer> {
  if (isNever(of)) return { condition: never, inLookup: never, choices: [] }
  const targets = await answerRelations(of, binding)
  const { match, choices } = fitting(targets, maxKeysInCommand)
  const command = compileKeys(link, match, { limit: binding.maxKeys + 1, among: null })
  const test = { kind: 'satisfies' as const, of: bindLocales(targets.inLookup) }
  const joined: Joined = { kind: 'joined', link, test }
  return choose(joined, await readKeys(link, command, binding), binding, choices)
}

/** Returns the condition for one command. With too many keys, the long lists become lookups. */
export function fitting(
  { condition, inLookup: lookups, choices }: Answer,
  maxKeys: number,
): Readonly<{ match: BoundCondition; choices: readonly RelationChoice[] }> {
  const match = bindLocales(condition)
  if (keysIn(match) <= maxKeys) return { match, choices }
  return { match: bindLocales(lookups), choices: choices.map(inLookup) }
}

/** Returns a list of keys, or a lookup if there are too many. `inner`: how the targets' relations were resolved. */
function choose(
  joined: Joined,
  rows: readonly KeyRow[],
  { maxKeys }: Binding,
  inner: readonly RelationChoice[] = [],
): Answer {
  const { link } = joined
  const isMany = rows.reduce((sum, { count }) => sum + count, 0) > maxKeys
  const condition = isMany ? joined : keysOf(link, rows)
  return {
    condition,
    inLookup: rows.length > maxKeysInLookup ? joined : condition,
    choices: [
      choiceOf(link, isMany ? null : rows.length, maxKeys),
      ...(isMany ? inner.map(inLookup) : inner),
    ],
  }
}

function inLookup(choice: RelationChoice): RelationChoice {
  const isFew = choice.keys === null || choice.keys <= maxKeysInLookup
  return isFew ? choice : { ...choice, form: 'lookup', maxKeys: maxKeysInLookup }
}

export type Binding = Readonly<{
  reader: Reader
  /** See `ReadPlan.maxKeys`. */
  maxKeys: number
  choices: RelationChoice[]
}>

/** Reads the keys of the sources whose targets match. */
export async function readKeys(
  link: Link,
  command: Command,
  { reader }: Binding,
): Promise<readonly KeyRow[]> {
  const rows = await reader.read(link.collection, command, `filter through ${link.path}`)
  return rows.map(readKeyRow)
}

/** Returns the keys as a condition that selects their sources. */
export function keysOf(link: Link, rows: readonly KeyRow[]): Keys | LocaleKeys {
  const path = link.stored === 'here' ? `${link.path}.documentId` : 'documentId'
  if (!dependsOnParent(link)) {
    const listed = link.stored === 'here' && link.listed === true ? { listed: link.path } : {}
    return { kind: 'keys', path, values: rows.map(({ key }) => key), ...listed }
  }
  const values = new Map<string, string[]>()
  for (const { key, locale } of rows) {
    const there = values.get(locale ?? '')
    if (there === undefined) values.set(locale ?? '', [key])
    else there.push(key)
  }
  const of = link.locale.kind === 'same' ? 'same' : 'other'
  return { kind: 'localeKeys', path, values, of }
}

/** Describes how a relation of a filter was resolved. `keys` is null if there are more than `maxKeys`. */
export function choiceOf(link: Link, keys: number | null, maxKeys: number | null): RelationChoice {
  const form = keys === null ? 'lookup' : 'keys'
  return { purpose: 'filter', through: link.path, collection: link.collection, form, keys, maxKeys }
}
