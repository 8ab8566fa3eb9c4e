/** The codes in each locale's `fallback`, by the locale's code. */
export type Fallbacks = ReadonlyMap<string, readonly string[]>

/**
 * Returns a locale's code, then the codes in its `fallback`, in order, then the codes in their fallbacks, and so on.
 * Each code occurs once, even in a cycle that concurrent writes have created.
 */
export function chainOf(code: string, fallbacks: Fallbacks): readonly string[] {
  const chain = new Set([code])
  for (const one of chain) fallbacks.get(one)?.forEach((next) => chain.add(next))
  return [...chain]
}

/**
 * Returns what is wrong with a locale's `fallback`; undefined if nothing is. `fallbacks` must contain every configured
 * locale.
 */
export function problemOf(code: string, fallbacks: Fallbacks): string | undefined {
  const named = fallbacks.get(code) ?? []
  const unknown = named.find((one) => !fallbacks.has(one))
  if (unknown !== undefined) return `The locale "${unknown}" is not configured`
  const back = named.find((one) => chainOf(one, fallbacks).includes(code))
  if (back === undefined) return undefined
  return `The locale "${code}" cannot fall back to itself${back === code ? '' : ` through "${back}"`}`
}
