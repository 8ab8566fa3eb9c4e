import { compileKeys } from '../compile/compile-read.js'
import type { BoundCondition } from '../plan/bound-condition.js'
import { fail } from '../errors.js'
import type { Condition, Link } from '../plan/read-plan.js'
import { always } from '../plan/read-plan.js'
import type { Reader } from './reader.js'

/** Keys that one relation of a filter may yield; a list of more would not fit into one command. */
const maxKeys = 100_000

/**
 * Answers the relations of a condition: each becomes the documentIds of the holders that satisfy it
 * (a semi-join), asked for with one command, or two where having no target satisfies it as well.
 */
export async function bindCondition(condition: Condition, reader: Reader): Promise<BoundCondition> {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const of = await Promise.all(condition.of.map((member) => bindCondition(member, reader)))
      return { kind: condition.kind, of }
    }
    case 'test':
      return condition
    case 'element': {
      const { path, orEmpty } = condition
      return { kind: 'element', path, of: await bindCondition(condition.of, reader), orEmpty }
    }
    case 'related':
      return bindRelated(condition, reader)
  }
}

async function bindRelated(
  { link, of, orNone }: Extract<Condition, { kind: 'related' }>,
  reader: Reader,
): Promise<BoundCondition> {
  const path = link.stored === 'here' ? `${link.path}.documentId` : 'documentId'
  const matching = bindCondition(of, reader).then((bound) => readKeys(link, bound, reader))
  if (!orNone) return { kind: 'keys', path, values: await matching, not: false }
  const existing = bindCondition(always, reader).then((bound) => readKeys(link, bound, reader))
  const [holding, any] = await Promise.all([matching, existing])
  return {
    kind: 'any',
    of: [
      { kind: 'keys', path, values: holding, not: false },
      { kind: 'keys', path, values: any, not: true },
    ],
  }
}

async function readKeys(link: Link, match: BoundCondition, reader: Reader): Promise<string[]> {
  const rows = await reader.read(
    link.collection,
    compileKeys(link, match, maxKeys + 1),
    `filter through ${link.path}`,
  )
  if (rows.length > maxKeys) {
    throw fail('validation', {
      message: `The filter on ${link.path} is satisfied by more than ${maxKeys} related entries; add a condition`,
    })
  }
  return rows.map(({ _id }) => _id as unknown as string)
}
