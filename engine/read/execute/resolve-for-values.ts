import { compileKeys } from '../compile/compile-relations.js'
import type { LocaleDependentCondition } from '../plan/bound-query.js'
import type { Condition, Link } from '../plan/read-plan.js'
import { always, isNever, never } from '../plan/read-plan.js'
import { valueAt, valuesOf } from '../stored/stored-decode.js'
import type { Decoded } from '../stored/stored-fields.js'
import type { Binding } from './bind-relations.js'
import { bindCondition, choiceOf, keysOf, readKeys } from './bind-relations.js'

/** Resolves the relations of a condition on component values. Only searches the documents to which the values refer. */
export async function resolveForValues(
  condition: Condition,
  values: readonly Decoded[],
  binding: Binding,
): Promise<LocaleDependentCondition> {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none': {
      const members = condition.of.map((member) => resolveForValues(member, values, binding))
      return { kind: condition.kind, of: await Promise.all(members) }
    }
    case 'test':
      return condition
    case 'element': {
      const { path, orEmpty } = condition
      const elements = values.flatMap((value) => valuesOf(valueAt(value, path)))
      const of = await resolveForValues(condition.of, elements, binding)
      return { kind: 'element', path, of, orEmpty }
    }
    case 'modified':
      throw new Error('A component value has no versions')
    case 'related': {
      const { link, of, orNone } = condition
      const among = referredBy(values, link)
      const conditions = orNone ? [of, always] : [of]
      const parts = conditions.map((one) => answerAmong(link, one, among, binding))
      const [found = never, ...there] = await Promise.all(parts)
      return orNone ? { kind: 'any', of: [found, { kind: 'none', of: there }] } : found
    }
  }
}

function referredBy(values: readonly Decoded[], { path }: Link): readonly string[] {
  const references = values.flatMap((value) => valuesOf(valueAt(value, path)))
  return [...new Set(references.map(({ documentId }) => documentId as string))]
}

async function answerAmong(
  link: Link,
  of: Condition,
  among: readonly string[],
  binding: Binding,
): Promise<LocaleDependentCondition> {
  if (among.length === 0 || isNever(of)) return never
  const match = await bindCondition(of, binding)
  const command = compileKeys(link, match, { limit: null, among })
  const rows = await readKeys(link, command, binding)
  binding.choices.push(choiceOf(link, rows.length, null))
  return keysOf(link, rows)
}
