/** Splits a list into lists of at most `size` members. */
export function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

const maxBytes = 8 * 1024 * 1024

/**
 * Groups members into batches of at most `size` members and 8 MB, to limit memory.
 * @param bytesOf returns the approximate size of a member in bytes
 */
export async function* batchesOf<T>(
  members: AsyncIterable<T>,
  size: number,
  bytesOf: (member: T) => number,
): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  let bytes = 0
  for await (const member of members) {
    batch.push(member)
    bytes += bytesOf(member)
    if (batch.length < size && bytes < maxBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Groups items by the value of a field. */
export function groupBy<T, K extends keyof T>(
  items: readonly T[],
  field: K,
): ReadonlyMap<T[K], readonly T[]> {
  const groups = new Map<T[K], T[]>()
  for (const item of items) {
    const value = item[field]
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [item])
    else group.push(item)
  }
  return groups
}
