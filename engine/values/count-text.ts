/** Returns a count with its noun: `1 entry`, `2 entries`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
