import type { ArticleTranslation } from './article-seed.js'
import { articles } from './articles.js'
import { german } from './translations/de.js'
import { french } from './translations/fr.js'

/** Articles in other languages, by locale; the oldest article first, as the articles themselves. */
export const translations: Readonly<Record<'fr' | 'de', readonly ArticleTranslation[]>> = {
  fr: inOrder(french),
  de: inOrder(german),
}

/** Slugs of the articles that can be referred to in a locale: a relation leads to the same language. */
export function articlesIn(locale: string): ReadonlySet<string> {
  if (locale === 'fr' || locale === 'de') return new Set(translations[locale].map(({ of }) => of))
  return new Set(articles.map(({ slug }) => slug))
}

function inOrder(texts: readonly ArticleTranslation[]): readonly ArticleTranslation[] {
  const order = articles.map(({ slug }) => slug)
  return [...texts].sort((a, b) => order.indexOf(a.of) - order.indexOf(b.of))
}
