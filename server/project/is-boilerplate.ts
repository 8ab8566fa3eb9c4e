import type { Node, Statement } from '@babel/types'
import { bare, constantsOf, exportedBy, parseModule, type Constants } from './parse-module.js'

/**
 * Returns whether a file does nothing of its own: it is empty, or exports only empty functions, empty lists, or results
 * of Strapi's factories, such as `factories.createCoreController('api::post.post')`. False if the file cannot be
 * parsed.
 */
export function isBoilerplate(text: string, file: string): boolean {
  const parsed = parseModule(text, file)
  if ('fault' in parsed) return false
  const exported = exportedBy(parsed.body)
  return exported === undefined
    ? parsed.body.every(isIdle)
    : doesNothing(exported, constantsOf(parsed.body), maxDepth)
}

/** Maximum nesting of boilerplate; generated code is nested less deeply. */
const maxDepth = 20

/** Whether a statement is an import, a declaration or empty. */
function isIdle({ type }: Statement): boolean {
  return (
    ['ImportDeclaration', 'EmptyStatement', 'VariableDeclaration', 'FunctionDeclaration'].includes(
      type,
    ) || type.startsWith('TS')
  )
}

function doesNothing(written: Node, constants: Constants, depth: number): boolean {
  if (depth === 0) return false
  const isEmpty = (inner: Node): boolean => doesNothing(inner, constants, depth - 1)
  const node = bare(written)
  switch (node.type) {
    case 'Identifier': {
      const constant = constants.get(node.name)
      return constant !== undefined && isEmpty(constant)
    }
    case 'ArrayExpression':
      return node.elements.length === 0
    case 'ObjectExpression':
      return node.properties.every((member) => {
        if (member.type === 'ObjectProperty') return isEmpty(member.value)
        return member.type === 'ObjectMethod' && isEmpty(member.body)
      })
    case 'BlockStatement':
      return node.body.every(
        (statement) =>
          statement.type === 'ReturnStatement' &&
          (!statement.argument || isEmpty(statement.argument)),
      )
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return isEmpty(node.body)
    case 'CallExpression':
      return isFactory(node.callee) && node.arguments.slice(1).every(isEmpty)
    default:
      return false
  }
}

/**
 * Returns whether a called function is `createCoreRouter`, `factories.createCoreRouter` or
 * `strapi.factories.createCoreRouter`, or the same for controllers or services.
 */
function isFactory(callee: Node): boolean {
  const name = callee.type === 'MemberExpression' && !callee.computed ? callee.property : callee
  return name.type === 'Identifier' && /^createCore(Controller|Router|Service)$/.test(name.name)
}
