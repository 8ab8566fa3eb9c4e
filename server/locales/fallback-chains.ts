/** The `fallback` of each locale, by the locale's code. */
export type Fallbacks = ReadonlyMap<string, readonly string[]>

/**
 * Returns the locale itself and all locales that it falls back to: first the locales in its `fallback`, in order, then
 * their fallbacks, and so on. Each locale occurs once, even if concurrent writes have created a cycle.
 */
export function chainOf(code: string, fallbacks: Fallbacks): readonly string[] {
  const chain = new Set([code])
  for (const one of chain) fallbacks.get(one)?.forEach((next) => chain.add(next))
  return [...chain]
}

/**
 * Returns what is wrong with the `fallback` of a locale; undefined if nothing is. `fallbacks` must contain every
 * configured locale.
 */
export function problemOf(code: string, fallbacks: Fallbacks): string | undefined {
  const named = fallbacks.get(code) ?? []
  const unknown = named.find((one) => !fallbacks.has(one))
  if (unknown !== undefined) return `The locale "${unknown}" is not configured`
  const back = named.find((one) => chainOf(one, fallbacks).includes(code))
  if (back === undefined) return undefined
  return `The locale "${code}" cannot fall back to itself${back === code ? '' : ` through "${back}"`}`
}
