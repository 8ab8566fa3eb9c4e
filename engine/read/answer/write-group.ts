import { Decimal128 } from 'mongodb'
import { plainDecimal } from '../../values/decimal.js'
import type { FieldForm, GroupsPlan } from '../plan/read-plan.js'
import type { FoundGroup } from '../compile/read-result.js'
import type { JsonWriter } from './json-writer.js'

/**
 * Writes a group, whose members are in the requested order: `{"group":{"kind":"news"},"count":2,"sum":{"views":7}}`.
 */
export function writeGroup(
  writer: JsonWriter,
  { keys, count, measures }: GroupsPlan,
  found: FoundGroup,
): void {
  const group = keys.map(({ name, form }, at) => memberOf(name, textOf(found.keys[at], form)))
  const parts = [memberOf('group', `{${group.join()}}`)]
  if (count) parts.push(memberOf('count', String(found.count)))
  const measured = new Map<string, string[]>()
  measures.forEach(({ of, name, form }, at) => {
    const member = memberOf(name, textOf(found.measures[at], of === 'avg' ? 'number' : form))
    const there = measured.get(of)
    if (there === undefined) measured.set(of, [member])
    else there.push(member)
  })
  for (const [of, members] of measured) parts.push(memberOf(of, `{${members.join()}}`))
  writer.utf8(`{${parts.join()}}`)
}

const memberOf = (name: string, json: string): string => `${JSON.stringify(name)}:${json}`

/** Returns the JSON of a value, in the form in which entries show it. Decimals of equal value give the same JSON. */
function textOf(value: unknown, form: FieldForm): string {
  switch (form) {
    case 'text':
      return typeof value === 'string' ? JSON.stringify(value) : 'null'
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : 'null'
    case 'date':
      return value instanceof Date ? JSON.stringify(value) : 'null'
    case 'number':
    case 'decimal':
      return numberText(value) ?? 'null'
    // Return a string, as in entries (docs/internals/decisions.md, "Strict values").
    case 'long': {
      const digits = numberText(value)
      return digits === null ? 'null' : `"${digits}"`
    }
    case 'json':
    case 'link':
    case 'versions':
    case 'blocks':
      throw new Error(`Nothing is grouped by ${form}`)
  }
}

function numberText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value === 'bigint') return String(value)
  const plain = value instanceof Decimal128 ? plainDecimal(value.toString()) : undefined
  return typeof plain === 'string' ? plain : null
}
