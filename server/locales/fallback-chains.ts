/** The `fallback` of each locale, by code. */
export type Fallbacks = ReadonlyMap<string, readonly string[]>

/**
 * Returns the locale, then the locales in its `fallback`, in order, then their fallbacks, and so on. Each occurs once,
 * even in a cycle that concurrent writes created.
 */
export function chainOf(code: string, fallbacks: Fallbacks): readonly string[] {
  const chain = new Set([code])
  for (const one of chain) fallbacks.get(one)?.forEach((next) => chain.add(next))
  return [...chain]
}

/** Returns what is wrong with a locale's `fallback`, if anything. `fallbacks` must contain every configured locale. */
export function problemOf(code: string, fallbacks: Fallbacks): string | undefined {
  const named = fallbacks.get(code) ?? []
  const unknown = named.find((one) => !fallbacks.has(one))
  if (unknown !== undefined) return `The locale "${unknown}" is not configured`
  const back = named.find((one) => chainOf(one, fallbacks).includes(code))
  if (back === undefined) return undefined
  return `The locale "${code}" cannot fall back to itself${back === code ? '' : ` through "${back}"`}`
}
