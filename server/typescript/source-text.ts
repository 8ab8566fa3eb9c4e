import { isIdentifier } from '../../engine/values/is-identifier.js'
import { isObject } from '../../engine/values/is-object.js'

/** A member of an interface: `name?: type`. */
export type Member = Readonly<{ name: string; type: string; optional?: boolean }>

export function declareInterface(
  name: string,
  members: readonly Member[],
  { description, bases = [] }: Readonly<{ description?: string; bases?: readonly string[] }> = {},
): string {
  const head = `export interface ${name}${bases.length === 0 ? '' : ` extends ${bases.join(', ')}`}`
  const comment = description === undefined ? '' : `/** ${oneLine(description)} */\n`
  if (members.length === 0) return `${comment}${head} {}\n`
  const lines = members.map(
    ({ name, type, optional }) => `  ${key(name)}${optional === true ? '?' : ''}: ${type}\n`,
  )
  return `${comment}${head} {\n${lines.join('')}}\n`
}

/** Returns a name as a key, quoted if necessary. */
export const key = (name: string): string => (isIdentifier(name) ? name : literal(name))

/** Returns a string literal in single quotes. */
export const literal = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Returns `A | B`, or `never` if there are no types. */
export const union = (types: readonly string[]): string =>
  types.length === 0 ? 'never' : types.join(' | ')

/** Returns the type whose only value is this JSON value. */
export function literalType(value: unknown): string {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return `readonly [${value.map(literalType).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, inner]) => `${key(name)}: ${literalType(inner)}`,
  )
  return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`
}

/** Puts a user's text on one line, and escapes what would end a comment. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')
