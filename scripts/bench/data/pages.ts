import type { ApiClient } from '../../../cli/seed/api-client.js'
import { documentIdOf, throwDice } from './random.js'
import { sentence, title } from './words.js'

/** Pages that there are. */
export const pageCount = 100

export const pageSlug = (index: number): string => `page-${index}`

/** Writes them through the API. */
export async function createPages(api: ApiClient, articles: number): Promise<void> {
  for (let index = 0; index < pageCount; index += 1) {
    await api.post('/api/pages', { data: makePage(index, articles) })
  }
}

/** The nth page as the API takes it: a zone with one of each of six components, over `articles` articles. */
function makePage(index: number, articles: number): object {
  const dice = throwDice(index)
  const [first = '', second = '', ...others] = dice
    .distinct(6, articles)
    .map((article) => documentIdOf('article', article))
  return {
    title: title(dice),
    slug: pageSlug(index),
    blocks: [
      {
        ...{ __component: 'block.hero', title: title(dice), subtitle: sentence(dice, 40) },
        article: first,
      },
      { __component: 'block.text', heading: title(dice), body: sentence(dice, 300) },
      { __component: 'block.list', heading: title(dice), articles: others },
      { __component: 'block.quote', text: sentence(dice, 90), by: title(dice) },
      { __component: 'block.feature', label: title(dice), article: second },
      {
        ...{ __component: 'block.banner', text: sentence(dice, 60) },
        seo: {
          metaTitle: title(dice),
          metaDescription: sentence(dice, 120),
          keywords: title(dice).toLowerCase(),
        },
      },
    ],
  }
}
