/** Adds the collections that a command names, at any depth, to `found`. */
export function addCollections(command: unknown, found: Set<string>): void {
  if (typeof command !== 'object' || command === null) return
  for (const [name, value] of Object.entries(command)) {
    const isNamed = name === 'collection' || name === 'from' || name === 'coll'
    if (isNamed && typeof value === 'string') found.add(value)
    else addCollections(value, found)
  }
}
