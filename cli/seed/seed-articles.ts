import type { ApiClient } from './api-client.js'
import type { ArticleSeed, ArticleTranslation } from './content/article-seed.js'
import { articles } from './content/articles.js'
import { articlesIn, translations } from './content/translations.js'
import { listEntries, lookUp, type Entry } from './entries.js'
import { toLocalizedArticle, toSharedArticle, type Names } from './to-data.js'

export type SeededArticles = Readonly<{
  ids: ReadonlyMap<string, string>
  created: number
  translated: number
}>

/**
 * Creates the articles that are not there yet, then the languages that they lack, then the changes that
 * wait for publication. Every step looks at what is there, so that a seed that was interrupted is completed.
 */
export async function seedArticles(
  client: ApiClient,
  others: Omit<Names, 'articles'>,
): Promise<SeededArticles> {
  const drafts = await listDrafts(client)
  const ids = new Map(
    drafts
      .filter(({ locale }) => locale === 'en')
      .map(({ slug, documentId }) => [slug, documentId]),
  )
  const names: Names = { ...others, articles: ids }
  const missing = articles.filter(({ slug }) => !ids.has(slug))
  for (const article of missing) {
    const data = {
      ...toSharedArticle(article, names),
      ...toLocalizedArticle(article, article, names),
    }
    const path = article.draft === true ? '/api/articles?status=draft' : '/api/articles'
    ids.set(article.slug, (await client.post<{ data: Entry }>(path, { data })).data.documentId)
  }
  const translated = await translate(client, names, drafts)
  await changeDrafts(client, ids)
  return { ids, created: missing.length, translated }
}

const listDrafts = (client: ApiClient): Promise<readonly Entry[]> =>
  listEntries(client, 'articles', ['slug', 'locale', 'title', 'summary'], '&status=draft&locale=*')

async function translate(
  client: ApiClient,
  names: Names,
  drafts: readonly Entry[],
): Promise<number> {
  let translated = 0
  for (const [locale, texts] of Object.entries(translations)) {
    const there = new Set(
      drafts.filter((draft) => draft.locale === locale).map(({ documentId }) => documentId),
    )
    for (const text of texts) {
      const documentId = lookUp(names.articles, text.of)
      if (there.has(documentId)) continue
      const status = text.draft === true ? '&status=draft' : ''
      await client.put(`/api/articles/${documentId}?locale=${locale}${status}`, {
        data: toLocalizedArticle(text, articleOf(text, locale), names),
      })
      translated++
    }
  }
  return translated
}

/** The English article, related to what there is in the language of its translation. */
function articleOf(text: ArticleTranslation, locale: string): ArticleSeed {
  const article = lookUp(new Map(articles.map((each) => [each.slug, each])), text.of)
  const available = articlesIn(locale)
  return { ...article, related: (article.related ?? []).filter((slug) => available.has(slug)) }
}

async function changeDrafts(client: ApiClient, ids: ReadonlyMap<string, string>): Promise<void> {
  const drafts = await listDrafts(client)
  for (const { slug, pending } of articles) {
    if (pending === undefined) continue
    const documentId = lookUp(ids, slug)
    const draft = drafts.find((each) => each.documentId === documentId && each.locale === 'en')
    const done =
      draft !== undefined &&
      Object.entries(pending).every(([key, text]) => draft[key as 'title' | 'summary'] === text)
    if (!done) await client.put(`/api/articles/${documentId}?status=draft`, { data: pending })
  }
}
