import { parseExpression } from '@babel/parser'
import type { Node } from '@babel/types'

/** Where a text of JSON names a key of one object twice, of which `JSON.parse` keeps the last without a word. */
export function repeatedKey(json: string): string | undefined {
  // What the parser knows besides JSON has been refused before.
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
