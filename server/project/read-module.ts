import type { Node, ObjectExpression } from '@babel/types'
import { bare, lineOf, parseExport, type Constants } from './parse-module.js'

/** The result of reading a module without executing it. */
export type ModuleRead =
  | Readonly<{
      value: unknown
      /** Paths of parts that were omitted because they are not literals, each with its line. */
      skipped: readonly Skipped[]
    }>
  | Readonly<{ fault: string }>

export type Skipped = Readonly<{ path: string; line: number }>

/**
 * Maximum number of values to read: far more than any definition has. Without a limit, constants that use others
 * several times could yield an endless number of values.
 */
const maxValues = 100_000

/**
 * Reads the literal that a module exports, without executing it (docs/internals/decisions.md, "Definitions of existing
 * projects"). Resolves constants of the file, and ignores type annotations (`as const`, `satisfies`).
 */
export function readModule(text: string, file: string): ModuleRead {
  const parsed = parseExport(text, file)
  return 'fault' in parsed ? parsed : readExpression(parsed.exported, parsed.constants)
}

/** Reads an expression with the given constants. Calls `evaluate` for each part that is not a literal. */
export function readExpression(
  exported: Node,
  constants: Constants,
  evaluate: Evaluate = () => nothing,
): ModuleRead {
  const reader = createReader(constants, evaluate)
  const read = reader.read(exported, '')
  if (reader.isFull()) return { fault: `contains more than ${maxValues} values` }
  if (read === nothing) return { fault: `exports no literal (line ${lineOf(exported)})` }
  return { value: read, skipped: reader.skipped }
}

/** The result if the value of an expression is unknown. Not `undefined`, which can be a known value. */
export const nothing = Symbol('nothing')

/** Returns the value of an expression, or `nothing` if it is not supported. Calls `read` for parts of it. */
export type Evaluate = (node: Node, read: (node: Node) => unknown) => unknown

function createReader(constants: Constants, evaluate: Evaluate) {
  const skipped: Skipped[] = []
  const following = new Set<string>()
  let values = 0

  const read = (written: Node, path: string): unknown => {
    values += 1
    if (values > maxValues) return nothing
    const node = bare(written)
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return node.value
      case 'NullLiteral':
        return null
      case 'RegExpLiteral':
        return node.pattern
      case 'TemplateLiteral':
        return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : other(node, path)
      case 'UnaryExpression':
        return node.operator === '-' && node.argument.type === 'NumericLiteral'
          ? -node.argument.value
          : other(node, path)
      case 'ArrayExpression':
        return node.elements.flatMap((element, at) => {
          const value = element === null ? null : read(element, `${path}.${at}`)
          return value === nothing ? [] : [value]
        })
      case 'ObjectExpression':
        return readObject(node, path)
      case 'Identifier':
        return follow(node.name, node, path)
      default:
        return other(node, path)
    }
  }

  /**
   * Evaluates an expression that is not a literal, or reports it as skipped unless one of its parts has been reported.
   */
  const other = (node: Node, path: string): unknown => {
    const skippedCount = skipped.length
    const value = evaluate(node, (inner) => read(inner, path))
    return value === nothing && skipped.length === skippedCount ? leaveOut(node, path) : value
  }

  const readObject = (node: ObjectExpression, path: string): unknown => {
    const members: [string, unknown][] = []
    for (const member of node.properties) {
      if (member.type === 'SpreadElement') {
        const value = read(member.argument, path)
        if (typeof value === 'object' && value !== null) members.push(...Object.entries(value))
        continue
      }
      const key = member.computed ? undefined : keyOf(member.key)
      const inner = path === '' ? (key ?? '') : `${path}.${key ?? ''}`
      const value =
        key === undefined || member.type === 'ObjectMethod'
          ? leaveOut(member, inner)
          : read(member.value, inner)
      if (key !== undefined && value !== nothing && value !== undefined) members.push([key, value])
    }
    return Object.fromEntries(members)
  }

  /** Returns the value of a constant in the file. Skips a constant that refers to itself. */
  const follow = (name: string, node: Node, path: string): unknown => {
    if (name === 'undefined') return undefined
    const constant = constants.get(name)
    if (constant === undefined || following.has(name)) return leaveOut(node, path)
    following.add(name)
    const value = read(constant, path)
    following.delete(name)
    return value
  }

  const leaveOut = (node: Node, path: string): typeof nothing => {
    skipped.push({ path, line: lineOf(node) })
    return nothing
  }

  return { read, skipped, isFull: () => values > maxValues }
}

function keyOf(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name
  if (key.type === 'StringLiteral') return key.value
  return key.type === 'NumericLiteral' ? String(key.value) : undefined
}
