import type { ObjectId } from 'mongodb'
import type { IdList } from './id-list.js'

/** Which rows are locales of one document, each by its place in the list of ids. */
export function joinLocales(ids: IdList) {
  const parents: number[] = []
  const locales: string[] = []
  // What is named before it was seen: each row names the others, so that one of two has seen the other.
  const pending: (readonly [number, ObjectId])[] = []
  const rootOf = (index: number): number => {
    const parent = parents[index] ?? index
    const root = parent === index ? index : rootOf(parent)
    parents[index] = root
    return root
  }
  /** Whether the other row is known. */
  const unite = (index: number, id: ObjectId): boolean => {
    const other = ids.indexOf(id)
    if (other === undefined) return false
    const [first, second] = [rootOf(index), rootOf(other)]
    parents[Math.max(first, second)] = Math.min(first, second)
    return true
  }
  return {
    /** @param localizations what the row names as its other locales */
    add: (index: number, locale: string, localizations: readonly ObjectId[]): void => {
      parents[index] = index
      locales[index] = locale
      for (const id of localizations) if (!unite(index, id)) pending.push([index, id])
    },
    /**
     * The first row of each row's document. A Strapi 3 allows no second row of a document in a locale; where there is
     * one, it is a document of its own.
     * @param onSecond told of each
     */
    leaders: (onSecond: (index: number) => void) => {
      for (const [index, id] of pending.splice(0)) unite(index, id)
      const seen = new Set<string>()
      const alone = new Set<number>()
      for (const [index, locale] of locales.entries()) {
        const key = `${rootOf(index)} ${locale}`
        if (seen.has(key)) {
          alone.add(index)
          onSecond(index)
        } else seen.add(key)
      }
      return (index: number): number => (alone.has(index) ? index : rootOf(index))
    },
  }
}
