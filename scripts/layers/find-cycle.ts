/**
 * A cycle of a directed graph as the path that walks it (`[a, b, a]`), or undefined. Targets that
 * are no nodes are passed over.
 */
export function findCycle(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const finished = new Set<string>()
  const path: string[] = []

  const walk = (node: string): readonly string[] | undefined => {
    const start = path.indexOf(node)
    if (start >= 0) return [...path.slice(start), node]
    if (finished.has(node)) return undefined
    path.push(node)
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next)
      if (cycle) return cycle
    }
    path.pop()
    finished.add(node)
    return undefined
  }

  for (const node of graph.keys()) {
    const cycle = walk(node)
    if (cycle) return cycle
  }
  return undefined
}
