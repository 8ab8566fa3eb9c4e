import type { Values } from './people.js'
import { counts } from './people.js'
import { throwDice } from './random.js'
import { rareWords, sentence, title } from './words.js'

export const kinds = ['essay', 'report', 'guide', 'interview', 'review'] as const

/** An article as its writer sees it; references are the numbers of what they refer to. */
export type Article = Readonly<{
  scalars: Values
  author: number
  category: number
  tags: readonly number[]
  related: readonly number[]
  seo: Values
  sections: readonly Values[]
}>

/** The nth of `size` articles. */
export function makeArticle(index: number, size: number): Article {
  const dice = throwDice(index)
  const name = title(dice)
  const text = sentence(dice, 500)
  return {
    scalars: {
      title: name,
      slug: `article-${index}`,
      summary: sentence(dice, 150),
      // A search for a rare word has to read nearly every text to the end.
      body: index % 5 === 0 ? `${text} Of the ${dice.pick(rareWords)}.` : text,
      kind: dice.pick(kinds),
      source: `The ${title(dice)}`,
      contact: `desk-${dice.whole(1, 40)}@example.org`,
      views: dice.whole(0, 100_000),
      likes: dice.whole(0, 5000),
      rating: dice.whole(10, 49) / 10 + 0.05,
      readingMinutes: dice.whole(1, 30),
      featured: dice.whole(0, 9) === 0,
      publishedOn: dayOf(dice.whole(0, 2900)),
      eventAt: new Date(dayZero + dice.whole(0, 2900 * 24) * 3_600_000),
      metadata: { edition: dice.whole(1, 12), pages: [dice.whole(1, 40), dice.whole(41, 90)] },
    },
    author: dice.whole(0, counts.author - 1),
    category: dice.whole(0, counts.category - 1),
    tags: dice.distinct(5, counts.tag),
    related: dice.distinct(3, size),
    seo: {
      metaTitle: name,
      metaDescription: sentence(dice, 120),
      keywords: title(dice).toLowerCase(),
    },
    sections: [
      {
        ...{ __component: 'section.hero', title: title(dice), subtitle: sentence(dice, 40) },
        dark: dice.whole(0, 1) === 0,
      },
      { __component: 'section.quote', text: sentence(dice, 90), by: title(dice) },
      { __component: 'section.text', heading: title(dice), body: sentence(dice, 160) },
    ],
  }
}

const dayZero = Date.UTC(2016, 0, 1)

/** The nth day since 2016. */
export const dayOf = (day: number): string =>
  new Date(dayZero + day * 86_400_000).toISOString().slice(0, 10)
