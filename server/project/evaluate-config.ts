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
        return called(node.callee, node.arguments, read)
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
          .map(({ value: { cooked = '' } }, at) =>
            at < values.length ? `${cooked}${String(values[at])}` : cooked,
          )
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
function called(
  callee: Node,
  [first, second]: readonly Node[],
  read: (node: Node) => unknown,
): unknown {
  if (callee.type === 'Identifier' && first !== undefined) {
    const convert = conversions.get(callee.name)
    if (convert === undefined) return nothing
    const [value, radix] = [read(first), second && read(second)]
    return isPrimitive(value) && isPrimitive(radix) ? convert(value, radix) : nothing
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

const conversions = new Map<string, (value: Primitive, radix: Primitive) => number>([
  ['Number', (value) => Number(value)],
  ['parseFloat', (value) => Number.parseFloat(String(value))],
  ['parseInt', (value, radix) => Number.parseInt(String(value), Number(radix))],
])

function calculated(operator: BinaryExpression['operator'], a: unknown, b: unknown): unknown {
  if (!isPrimitive(a) || !isPrimitive(b)) return nothing
  if (operator === '===') return a === b
  if (operator === '!==') return a !== b
  if (operator === '==') return looselyEquals(a, b)
  if (operator === '!=') return !looselyEquals(a, b)
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

/** Compares as `==` does. */
function looselyEquals(a: Primitive, b: Primitive): boolean {
  const isNullish = [a, b].map((value) => value === null || value === undefined)
  if (isNullish.includes(true)) return !isNullish.includes(false)
  return typeof a === typeof b ? a === b : Number(a) === Number(b)
}

type Primitive = string | number | boolean | null | undefined

const isPrimitive = (value: unknown): value is Primitive =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)
