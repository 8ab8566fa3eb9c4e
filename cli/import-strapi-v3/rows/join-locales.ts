import type { ObjectId } from 'mongodb'
import type { IdList } from './id-list.js'

/** Finds the rows that are locales of the same document. Each row is identified by its index in `ids`. */
export function joinLocales(ids: IdList) {
  const parents: number[] = []
  const locales: string[] = []
  // Pairs of a row and the id to which it refers, for ids that are not in `ids` yet. They are resolved after the last
  // row.
  const pending: (readonly [number, ObjectId])[] = []
  const rootOf = (index: number): number => {
    const parent = parents[index] ?? index
    const root = parent === index ? index : rootOf(parent)
    parents[index] = root
    return root
  }
  /** Joins the documents of two rows. Returns false if the row with the given id was not added yet. */
  const unite = (index: number, id: ObjectId): boolean => {
    const other = ids.indexOf(id)
    if (other === undefined) return false
    const [first, second] = [rootOf(index), rootOf(other)]
    parents[Math.max(first, second)] = Math.min(first, second)
    return true
  }
  return {
    /** @param localizations ids of the other locales of the same document */
    add: (index: number, locale: string, localizations: readonly ObjectId[]): void => {
      parents[index] = index
      locales[index] = locale
      for (const id of localizations) if (!unite(index, id)) pending.push([index, id])
    },
    /**
     * Returns a function that maps each row to the first row of its document. Strapi 3 allows one row per document and
     * locale, so a second one becomes a separate document, and is passed to `onSecond`.
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
