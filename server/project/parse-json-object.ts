import { parseExpression } from '@babel/parser'
import type { Node } from '@babel/types'
import { isObject, type PlainObject } from '../../engine/values/is-object.js'

/** Parses a JSON object. Returns a fault with its position for invalid JSON or a duplicate key. */
export function parseJsonObject(
  text: string,
): Readonly<{ value: PlainObject }> | Readonly<{ fault: string }> {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    const value: unknown = JSON.parse(json)
    if (!isObject(value)) return { fault: 'must hold a JSON object' }
    const fault = repeatedKey(json)
    return fault === undefined ? { value } : { fault }
  } catch (error) {
    return { fault: `is not JSON: ${placed((error as Error).message, json)}` }
  }
}

/**
 * Replaces the offset in V8's message by line and column. If the text ends too early, V8 gives none; then uses the end
 * of the text.
 */
function placed(message: string, json: string): string {
  const offset = /at position (\d+)/.exec(message)?.[1]
  const before = json.slice(0, offset === undefined ? json.length : Number(offset))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return `${message.replace(/ \(line \d+ column \d+\)$/, '')} (line ${line}, column ${column})`
}

/** Describes the first duplicate key, of which `JSON.parse` would silently keep the last value. */
function repeatedKey(json: string): string | undefined {
  // The text is valid JSON here.
  const waiting: Node[] = [parseExpression(json)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'ArrayExpression')
      waiting.push(...node.elements.filter((element) => element !== null))
    if (node.type !== 'ObjectExpression') continue
    const names = new Set<string>()
    for (const member of node.properties) {
      if (member.type !== 'ObjectProperty' || member.key.type !== 'StringLiteral') continue
      const { value, loc } = member.key
      if (names.has(value))
        return `has the key "${value}" twice (line ${loc?.start.line ?? 0}, column ${(loc?.start.column ?? 0) + 1})`
      names.add(value)
      waiting.push(member.value)
    }
  }
  return undefined
}
