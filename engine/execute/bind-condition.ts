import type { KeyRow } from '../compile/keys.js'
import { compileKeys } from '../compile/keys.js'
import { compileModified } from '../compile/modified.js'
import type { BoundCondition, Joined, OpenCondition } from '../plan/bound-condition.js'
import { close, keysIn } from '../plan/bound-condition.js'
import type { Condition, Link } from '../plan/read-plan.js'
import { always, isNever, never } from '../plan/read-plan.js'
import type { RelationChoice } from '../plan/read-result.js'
import type { Binding } from './read-keys.js'
import { choiceOf, keysOf, readKeys } from './read-keys.js'

/**
 * The most keys that a relation is known by inside a `$lookup`, where its list would be read again for
 * every entry.
 */
const maxKeysInLookup = 100

/** Answers the relations of a condition on the entries of a collection, so that it can be matched. */
export async function bindCondition(
  condition: Condition,
  binding: Binding,
): Promise<BoundCondition> {
  const answer = await answerRelations(condition, binding)
  const { match, choices } = fitting(answer, maxKeysInCommand)
  binding.choices.push(...choices)
  return match
}

/**
 * What all lists of a command hold together: a key takes 37 bytes, a command 16 MB. Lists add up, and one
 * comes more than once where entries of several locales are asked for.
 */
const maxKeysInCommand = 400_000

export type Answer = Readonly<{
  condition: OpenCondition
  /** The same for entries that are looked up one by one. */
  inLookup: OpenCondition
  choices: readonly RelationChoice[]
}>

/**
 * Answers the relations of a condition. Each becomes the documentIds of the holders that satisfy it (a
 * semi-join), asked for with one command, or two where having no target satisfies it as well. Where there
 * are more than `maxKeys` of them it becomes a `$lookup` in the pipeline of its holders.
 */
async function answerRelations(condition: Condition, binding: Binding): Promise<Answer> {
  switch (condition.kind) {
    case 'all':
    case 'any': {
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
      const parts = [answerPart(link, of, false, binding)]
      if (orNone) parts.push(answerPart(link, always, true, binding))
      return both(await Promise.all(parts), (members) => ({ kind: 'any', of: members }))
    }
    case 'modified': {
      const { link, drafts, not } = condition
      const pipeline = compileModified(link, drafts, binding.maxKeys + 1)
      const joined: Joined = { kind: 'joined', link, asks: { kind: 'modified', drafts }, not }
      return choose(joined, await readKeys(link, pipeline, binding), binding)
    }
  }
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

/** That a target satisfies `of`, or with `not` that none does. */
async function answerPart(
  link: Link,
  of: Condition,
  not: boolean,
  binding: Binding,
): Promise<Answer> {
  if (isNever(of)) {
    const nothing = not ? always : never
    return { condition: nothing, inLookup: nothing, choices: [] }
  }
  const targets = await answerRelations(of, binding)
  const { match, choices } = fitting(targets, maxKeysInCommand)
  const pipeline = compileKeys(link, match, { limit: binding.maxKeys + 1, among: null })
  const asks = { kind: 'satisfies' as const, of: close(targets.inLookup) }
  const joined: Joined = { kind: 'joined', link, asks, not }
  return choose(joined, await readKeys(link, pipeline, binding), binding, choices)
}

/** The condition as one command may hold it: where its keys would be too many, all but short lists are lookups. */
export function fitting(
  { condition, inLookup: lookups, choices }: Answer,
  maxKeys: number,
): Readonly<{ match: BoundCondition; choices: readonly RelationChoice[] }> {
  const match = close(condition)
  if (keysIn(match) <= maxKeys) return { match, choices }
  return { match: close(lookups), choices: choices.map(inLookup) }
}

/** Keys, or lookups where there are too many of them; `inner` is what was chosen for the targets. */
function choose(
  joined: Joined,
  rows: readonly KeyRow[],
  { maxKeys }: Binding,
  inner: readonly RelationChoice[] = [],
): Answer {
  const { link, not } = joined
  const isMany = rows.reduce((sum, { count }) => sum + count, 0) > maxKeys
  const condition = isMany ? joined : keysOf(link, rows, not)
  return {
    condition,
    inLookup: rows.length > maxKeysInLookup ? joined : condition,
    choices: [
      choiceOf(link, isMany ? null : rows.length, maxKeys),
      ...(isMany ? inner.map(inLookup) : inner),
    ],
  }
}

/** What becomes of a choice for entries that are looked up one by one. */
function inLookup(choice: RelationChoice): RelationChoice {
  const isFew = choice.keys === null || choice.keys <= maxKeysInLookup
  return isFew ? choice : { ...choice, form: 'lookup', maxKeys: maxKeysInLookup }
}
