import type { Document } from 'mongodb'
import { compileKeys, compileModified, dependsOnHolder } from '../compile/compile-read.js'
import type { BoundCondition, Keys, LocaleKeys, OpenCondition } from '../plan/bound-condition.js'
import { close } from '../plan/bound-condition.js'
import { fail } from '../errors.js'
import type { Condition, Link } from '../plan/read-plan.js'
import { always } from '../plan/read-plan.js'
import type { Reader } from './reader.js'

/** Keys that one relation of a filter may yield; a list of more would not fit into one command. */
const maxKeys = 100_000

/** Answers the relations of a condition on the entries of a collection, so that it can be matched. */
export async function bindCondition(condition: Condition, reader: Reader): Promise<BoundCondition> {
  return close(await answerRelations(condition, reader))
}

/**
 * Answers the relations of a condition: each becomes the documentIds of the holders that satisfy it
 * (a semi-join), asked for with one command, or two where having no target satisfies it as well.
 */
export async function answerRelations(
  condition: Condition,
  reader: Reader,
): Promise<OpenCondition> {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const of = await Promise.all(condition.of.map((member) => answerRelations(member, reader)))
      return { kind: condition.kind, of }
    }
    case 'test':
      return condition
    case 'element': {
      const { path, orEmpty } = condition
      return { kind: 'element', path, of: await answerRelations(condition.of, reader), orEmpty }
    }
    case 'related':
      return answerRelation(condition, reader)
    case 'modified': {
      const { link, drafts, not } = condition
      const pipeline = compileModified(link, drafts, maxKeys + 1)
      return keysOf(link, await readRows(link, pipeline, reader), not)
    }
  }
}

async function answerRelation(
  { link, of, orNone }: Extract<Condition, { kind: 'related' }>,
  reader: Reader,
): Promise<OpenCondition> {
  const matching = readKeys(link, of, reader)
  if (!orNone) return keysOf(link, await matching, false)
  const [holding, any] = await Promise.all([matching, readKeys(link, always, reader)])
  return { kind: 'any', of: [keysOf(link, holding, false), keysOf(link, any, true)] }
}

/** What `compileKeys` yields, by the kind of its link. */
type Key = string
type LocaleKey = Readonly<{ key: string; locale: string }>

function keysOf(link: Link, keys: readonly unknown[], not: boolean): Keys | LocaleKeys {
  const path = link.stored === 'here' ? `${link.path}.documentId` : 'documentId'
  if (!dependsOnHolder(link)) return { kind: 'keys', path, values: keys as readonly Key[], not }
  const values = new Map<string, string[]>()
  for (const { key, locale } of keys as readonly LocaleKey[]) {
    const there = values.get(locale)
    if (there === undefined) values.set(locale, [key])
    else there.push(key)
  }
  const of = link.locale.kind === 'same' ? 'same' : 'other'
  return { kind: 'localeKeys', path, values, of, not }
}

async function readKeys(link: Link, of: Condition, reader: Reader): Promise<readonly unknown[]> {
  return readRows(link, compileKeys(link, await bindCondition(of, reader), maxKeys + 1), reader)
}

async function readRows(
  link: Link,
  pipeline: Document[],
  reader: Reader,
): Promise<readonly unknown[]> {
  const rows = await reader.read(link.collection, pipeline, `filter through ${link.path}`)
  if (rows.length > maxKeys) {
    throw fail('validation', {
      message: `The filter on ${link.path} is satisfied by more than ${maxKeys} related entries; add a condition`,
    })
  }
  return rows.map(({ _id }): unknown => _id)
}
