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
