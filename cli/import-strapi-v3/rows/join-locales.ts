import type { ObjectId } from 'mongodb'
import type { IdList } from './id-list.js'

/** Which rows are locales of one document, each by its place in the list of ids. */
type LocaleJoin = Readonly<{
  /** @param localizations what the row names as its other locales */
  add: (index: number, locale: string, localizations: readonly ObjectId[]) => void
  /**
   * The first row of each row's document. A Strapi 3 allows no second row of a document in a locale; where there is one,
   * it is a document of its own.
   * @param onSecond told of each
   */
  leaders: (onSecond: (index: number) => void) => (index: number) => number
}>

export function joinLocales(ids: IdList): LocaleJoin {
  const parents: number[] = []
  const locales: string[] = []
  // What is named before it was seen: each row names the others, so that one of two has seen the other.
  const pending: (readonly [number, ObjectId])[] = []
  const rootOf = (index: number): number => {
    let root = index
    for (let parent = parents[root]; parent !== undefined && parent !== root;) {
      root = parent
      parent = parents[root]
    }
    for (let at = index; at !== root;) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const unite = (one: number, other: number): void => {
    const [first, second] = [rootOf(one), rootOf(other)]
    if (first !== second) parents[Math.max(first, second)] = Math.min(first, second)
  }
  return {
    add: (index, locale, localizations) => {
      parents[index] = index
      locales[index] = locale
      for (const id of localizations) {
        const other = ids.indexOf(id)
        if (other === undefined) pending.push([index, id])
        else unite(index, other)
      }
    },
    leaders: (onSecond) => {
      for (const [index, id] of pending.splice(0)) {
        const other = ids.indexOf(id)
        if (other !== undefined) unite(index, other)
      }
      const seen = new Map<number, Set<string>>()
      const alone = new Set<number>()
      for (const [index, locale] of locales.entries()) {
        const root = rootOf(index)
        const there = seen.get(root) ?? new Set()
        seen.set(root, there)
        if (there.has(locale)) {
          alone.add(index)
          onSecond(index)
        } else there.add(locale)
      }
      return (index) => (alone.has(index) ? index : rootOf(index))
    },
  }
}
