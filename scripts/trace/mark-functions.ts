import ts from 'typescript'

/** Makes every function in compiled JavaScript report its file to `globalThis.quireTrace` when it is called. */
export function markFunctions(source: string, file: string): string {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS)
  const entered = `globalThis.quireTrace?.(${JSON.stringify(file)})`
  const inserted: { at: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    const body =
      ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined
    if (body !== undefined) {
      const at = body.getStart(tree)
      if (ts.isBlock(body)) inserted.push({ at: at + 1, text: `${entered};` })
      else inserted.push({ at, text: `(${entered}, ` }, { at: body.getEnd(), text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return inserted
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), source)
}
