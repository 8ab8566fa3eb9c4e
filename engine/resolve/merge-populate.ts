import type { RawPopulate, RawPopulateEntry, RawPopulateOptions } from '../parse/raw-query.js'

/** `author.avatar,author.favorite` names `author` twice: one entry with both below it. */
export function mergePopulate(entries: readonly RawPopulateEntry[]): readonly RawPopulateEntry[] {
  const merged = new Map<string, RawPopulateEntry>()
  for (const entry of entries) {
    const before = merged.get(entry.name)
    merged.set(entry.name, before === undefined ? entry : mergeEntries(before, entry))
  }
  return [...merged.values()]
}

function mergeEntries(first: RawPopulateEntry, second: RawPopulateEntry): RawPopulateEntry {
  const populate = mergeNested(first.options.populate, second.options.populate)
  const options: RawPopulateOptions = {
    ...first.options,
    ...second.options,
    ...(populate === undefined ? {} : { populate }),
  }
  return { ...first, options }
}

function mergeNested(
  first: RawPopulate | undefined,
  second: RawPopulate | undefined,
): RawPopulate | undefined {
  if (first === undefined || second === undefined) return first ?? second
  if (first === '*' || second === '*') return '*'
  return [...first, ...second]
}
