import type { Node } from '@babel/types'
import { createEvaluate } from './evaluate-config.js'
import { bare, constantsOf, parseExport, type Constants } from './parse-module.js'
import type { ProjectEnvironment } from './project-environment.js'
import { readExpression, type ModuleRead } from './read-module.js'

/**
 * Reads what a module in `config/` exports, without executing it: a literal, or a function that returns one, as in `({
 * env }) => ({ port: env.int('PORT', 1337) })`.
 */
export function readConfigModule(text: string, file: string, env: ProjectEnvironment): ModuleRead {
  const parsed = parseExport(text, file)
  if ('fault' in parsed) return parsed
  const returned = returnedBy(parsed.exported, parsed.constants, maxSteps)
  if (returned === undefined)
    return { fault: 'exports a function that does more than return a value' }
  return readExpression(returned.node, returned.constants, createEvaluate(env))
}

/** Maximum number of names, functions and `defineConfig` calls to follow from `export default` to the object. */
const maxSteps = 10

type Returned = Readonly<{ node: Node; constants: Constants }>

/**
 * Follows names, functions and `defineConfig(…)` to the expression with the configuration. Returns it with the
 * constants that it can use; undefined if the code is not supported.
 */
function returnedBy(written: Node, constants: Constants, steps: number): Returned | undefined {
  if (steps === 0) return undefined
  const node = bare(written)
  switch (node.type) {
    case 'Identifier': {
      const constant = constants.get(node.name)
      return constant === undefined
        ? { node, constants }
        : returnedBy(constant, constants, steps - 1)
    }
    case 'CallExpression': {
      const last = node.arguments.at(-1)
      return isDefiner(node.callee) && last !== undefined
        ? returnedBy(last, constants, steps - 1)
        : { node, constants }
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration': {
      const { body } = node
      if (body.type !== 'BlockStatement') return returnedBy(body, constants, steps - 1)
      const last = body.body.at(-1)
      const isPlain = body.body
        .slice(0, -1)
        .every(({ type }) => type === 'VariableDeclaration' || type === 'FunctionDeclaration')
      if (!isPlain || last?.type !== 'ReturnStatement') return undefined
      if (!last.argument) return undefined
      const names = new Map([...constants, ...constantsOf(body.body)])
      return returnedBy(last.argument, names, steps - 1)
    }
    default:
      return { node, constants }
  }
}

/** `defineConfig('api', …)` and `defineApiConfig(…)`, whose last argument is the configuration. */
const isDefiner = (callee: Node): boolean =>
  callee.type === 'Identifier' && /^define[A-Za-z]*Config$/.test(callee.name)
