import ts from 'typescript'

export type Size = Readonly<{
  lines: number
  /** Lines that contain at least a part of a token. */
  codeLines: number
  /** Without comments and whitespace. */
  tokens: number
}>

/** Parses the file, because the scanner alone misreads template literals and regular expressions. */
export function countCode(text: string): Size {
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  }
  const file = ts.createSourceFile('file.ts', text, options)
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line
  const codeLines = new Set<number>()
  let tokens = 0
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(file) > 0) return node.getChildren(file).forEach(visit)
    // Skip empty nodes: the end of the file, and empty lists.
    if (node.getWidth(file) === 0) return
    tokens += 1
    for (let line = lineOf(node.getStart(file)); line <= lineOf(node.end); line++)
      codeLines.add(line)
  }
  visit(file)
  return { lines: text.split('\n').length - 1, codeLines: codeLines.size, tokens }
}
