import { parse } from '@babel/parser'
import type {
  Expression,
  FunctionDeclaration,
  MemberExpression,
  Node,
  OptionalMemberExpression,
  Statement,
} from '@babel/types'

/** Parses a module, without executing it, as JavaScript or TypeScript according to the extension of `file`. */
export function parseModule(
  text: string,
  file: string,
): Readonly<{ body: readonly Statement[] }> | Readonly<{ fault: string }> {
  try {
    const { program } = parse(text, {
      sourceType: 'unambiguous',
      plugins: /\.[cm]?ts$/.test(file) ? ['typescript'] : [],
    })
    return { body: program.body }
  } catch (error) {
    return { fault: `cannot be parsed: ${(error as Error).message}` }
  }
}

/** Returns the node that a module exports, with the module's constants; a fault if it exports none. */
export function parseExport(
  text: string,
  file: string,
): Readonly<{ exported: Node; constants: Constants }> | Readonly<{ fault: string }> {
  const parsed = parseModule(text, file)
  if ('fault' in parsed) return parsed
  const exported = exportedBy(parsed.body)
  if (exported === undefined) return { fault: 'has neither `export default` nor `module.exports`' }
  return { exported, constants: constantsOf(parsed.body) }
}

/** Returns the node after `export default` or `module.exports =`. */
export function exportedBy(body: readonly Statement[]): Node | undefined {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration
    if (statement.type === 'TSExportAssignment') return statement.expression
    if (statement.type !== 'ExpressionStatement') continue
    const { expression } = statement
    if (expression.type === 'AssignmentExpression' && isModuleExports(expression.left))
      return expression.right
  }
  return undefined
}

/** Functions and `const` variables declared at the top level of a module or of a function's body, by name. */
export type Constants = ReadonlyMap<string, Expression | FunctionDeclaration>

export function constantsOf(body: readonly Statement[]): Constants {
  const constants = new Map<string, Expression | FunctionDeclaration>()
  for (const statement of body) {
    const declared =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement
    if (declared.type === 'FunctionDeclaration' && declared.id)
      constants.set(declared.id.name, declared)
    if (declared.type !== 'VariableDeclaration' || declared.kind !== 'const') continue
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init) constants.set(id.name, init)
  }
  return constants
}

/** Removes parentheses and TypeScript syntax around an expression: `{} as const`, `x satisfies T`. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return bare(node.expression)
    default:
      return node
  }
}

export function lineOf({ loc }: Node): number {
  return loc?.start.line ?? 0
}

/** Whether a node is `module.exports`, or `exports.default`, which compilers write. */
const isModuleExports = (node: Node): boolean =>
  isNamed(node, 'module', 'exports') || isNamed(node, 'exports', 'default')

/** Whether an expression is the identifier `first` or, with `second`, the member `first.second`. */
export function isNamed(written: Node, first: string, second?: string): boolean {
  const node = bare(written)
  if (second === undefined) return node.type === 'Identifier' && node.name === first
  return (
    node.type === 'MemberExpression' && isNamed(node.object, first) && memberOf(node) === second
  )
}

/** Returns the name of the accessed member if it is written as an identifier or a string literal. */
export function memberOf({
  property,
  computed,
}: MemberExpression | OptionalMemberExpression): string | undefined {
  if (property.type === 'StringLiteral') return property.value
  return property.type === 'Identifier' && !computed ? property.name : undefined
}
