import type { BinaryExpression, Node } from '@babel/types'
import { isObject } from '../../engine/values/is-object.js'
import { bare, isNamed, memberOf } from './parse-module.js'
import { readVariable, type ProjectEnvironment } from './project-environment.js'
import { nothing, type Evaluate } from './read-module.js'

/**
 * Evaluates expressions in configurations without executing code: `env('X', 'a')` and variants, `process.env.X`, `60 *
 * 60`, `a || b`, `a ? b : c`, templates, members of constants, `text.split(',')` and number conversions.
 */
export function createEvaluate(env: ProjectEnvironment): Evaluate {
  return (node, read) => {
    switch (node.type) {
      case 'CallExpression':
      case 'OptionalCallExpression': {
        const [first, ...rest] = node.arguments
        const kind = envKind(node.callee)
        if (kind !== undefined && first !== undefined)
          return variable(env, kind, read(first), rest, read)
        return called(node.callee, first, read)
      }
      case 'MemberExpression':
      case 'OptionalMemberExpression': {
        const name = memberOf(node)
        if (name === undefined) return nothing
        if (isNamed(node.object, 'process', 'env')) return env[name]
        if (bare(node.object).type !== 'Identifier') return nothing
        const object = read(node.object)
        return isObject(object) && Object.hasOwn(object, name) ? object[name] : nothing
      }
      case 'LogicalExpression': {
        const left = read(node.left)
        if (left === nothing) return nothing
        if (node.operator === '||') return left ? left : read(node.right)
        if (node.operator === '&&') return left ? read(node.right) : left
        return left ?? read(node.right)
      }
      case 'ConditionalExpression': {
        const test = read(node.test)
        if (test === nothing) return nothing
        return read(test ? node.consequent : node.alternate)
      }
      case 'UnaryExpression': {
        const value = node.operator === '!' ? read(node.argument) : nothing
        return value === nothing ? nothing : !value
      }
      case 'BinaryExpression':
        return calculated(node.operator, read(node.left), read(node.right))
      case 'TemplateLiteral': {
        const values = node.expressions.map(read)
        if (!values.every(isPrimitive)) return nothing
        return node.quasis
          .map(({ value }, at) => (value.cooked ?? '') + String(values[at] ?? ''))
          .join('')
      }
      default:
        return nothing
    }
  }
}

/**
 * Returns how `env` is called: `text` for `env(…)`, `int` for `env.int(…)` and `context.env.int(…)`. Returns undefined
 * for calls of other functions.
 */
function envKind(callee: Node): string | undefined {
  if (isEnv(callee)) return 'text'
  if (callee.type !== 'MemberExpression' || !isEnv(callee.object)) return undefined
  return memberOf(callee)
}

function isEnv(node: Node): boolean {
  if (node.type === 'MemberExpression') return memberOf(node) === 'env'
  return isNamed(node, 'env')
}

function variable(
  env: ProjectEnvironment,
  kind: string,
  name: unknown,
  rest: readonly Node[],
  read: (node: Node) => unknown,
): unknown {
  if (typeof name !== 'string') return nothing
  const fallbackAt = kind === 'oneOf' ? 1 : 0
  const fallback = (): unknown => {
    const written = rest[fallbackAt]
    return written && read(written)
  }
  if (kind !== 'oneOf') {
    const found = readVariable(env, kind, name, fallback)
    return found === undefined ? nothing : found.value
  }
  const expected = rest[0] && read(rest[0])
  const value = readVariable(env, 'text', name, fallback)?.value
  return Array.isArray(expected) && expected.includes(value) ? value : fallback()
}

/** Evaluates `Number(x)`, `parseInt(x, 10)`, `x.split(',')`, `x.trim()` etc. */
function called(callee: Node, first: Node | undefined, read: (node: Node) => unknown): unknown {
  if (callee.type === 'Identifier' && first !== undefined) {
    if (!['Number', 'parseInt', 'parseFloat'].includes(callee.name)) return nothing
    const value = read(first)
    if (!isPrimitive(value)) return nothing
    return callee.name === 'parseInt' ? Number.parseInt(String(value), 10) : Number(value)
  }
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression')
    return nothing
  const name = memberOf(callee)
  if (name !== 'split' && name !== 'trim') return nothing
  const text = read(callee.object)
  if (text === undefined && callee.type === 'OptionalMemberExpression') return undefined
  if (typeof text !== 'string') return nothing
  if (name === 'trim') return text.trim()
  const by = first === undefined ? nothing : read(first)
  return typeof by === 'string' ? text.split(by) : nothing
}

function calculated(operator: BinaryExpression['operator'], a: unknown, b: unknown): unknown {
  if (!isPrimitive(a) || !isPrimitive(b)) return nothing
  if (operator === '===' || operator === '==') return a === b
  if (operator === '!==' || operator === '!=') return a !== b
  if (operator === '+' && (typeof a === 'string' || typeof b === 'string'))
    return `${String(a)}${String(b)}`
  if (typeof a !== 'number' || typeof b !== 'number') return nothing
  const results: Partial<Record<typeof operator, number>> = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': a / b,
    '**': a ** b,
  }
  return results[operator] ?? nothing
}

const isPrimitive = (value: unknown): value is string | number | boolean | null | undefined =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)
