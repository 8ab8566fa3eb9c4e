import ts from 'typescript'

/** One import or re-export, static or dynamic. */
export type Import = Readonly<{
  /** As written: `../errors.js`, `mongodb`. */
  specifier: string
  line: number
  typeOnly: boolean
}>

/** What the layer check needs to know of a file. */
export type Source = Readonly<{
  /** From the project's root, with `/`: `engine/read.ts`. */
  file: string
  imports: readonly Import[]
  /** The lines that read `process.env`. */
  environmentLines: readonly number[]
  /** Syntax that no file may use: `export … from` and `enum`. */
  refused: readonly Readonly<{ line: number; why: string }>[]
}>

export function readSource(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  const environmentLines: number[] = []
  const refused: { line: number; why: string }[] = []
  const lineOf = (node: ts.Node): number =>
    tree.getLineAndCharacterOfPosition(node.getStart()).line + 1

  const visit = (node: ts.Node): void => {
    const found = importOf(node)
    if (found) imports.push({ ...found, line: lineOf(node) })
    if (readsEnvironment(node)) environmentLines.push(lineOf(node))
    const why = refusalOf(node)
    if (why !== undefined) refused.push({ line: lineOf(node), why })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { file, imports, environmentLines, refused }
}

function importOf(node: ts.Node): Omit<Import, 'line'> | undefined {
  if (ts.isImportDeclaration(node))
    return named(node.moduleSpecifier, isTypeOnlyImport(node.importClause))
  if (ts.isExportDeclaration(node))
    return node.moduleSpecifier && named(node.moduleSpecifier, node.isTypeOnly)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return named(node.argument.literal, true)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0] && named(node.arguments[0], false)
  return undefined
}

const named = (specifier: ts.Node, typeOnly: boolean): Omit<Import, 'line'> | undefined =>
  ts.isStringLiteralLike(specifier) ? { specifier: specifier.text, typeOnly } : undefined

function isTypeOnlyImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const bindings = clause.namedBindings
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  )
}

const readsEnvironment = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) && node.getText() === 'process.env'

function refusalOf(node: ts.Node): string | undefined {
  if (ts.isExportDeclaration(node) && node.moduleSpecifier)
    return 'import from the file that declares it'
  return ts.isEnumDeclaration(node) ? 'use a union of string literals' : undefined
}
