import { throwDice } from './random.js'
import { capital, sentence, title } from './words.js'

/** How many there are of what articles refer to. */
export const counts = { author: 500, category: 50, tag: 300 } as const

const countries = ['Chile', 'Estonia', 'Ghana', 'Iceland', 'Japan', 'Kenya', 'Norway', 'Peru']
const colors = ['red', 'green', 'blue', 'teal', 'plum', 'sand']

export type Values = Readonly<Record<string, unknown>>

/** Scalars of the nth author, as the API takes them. */
export function authorValues(index: number): Values {
  const dice = throwDice(1_000_000 + index)
  const name = authorName(index)
  return {
    name,
    slug: `author-${index}`,
    email: `author-${index}@example.org`,
    bio: sentence(dice, 180),
    country: dice.pick(countries),
    born: `${dice.whole(1940, 2000)}-0${dice.whole(1, 9)}-1${dice.whole(0, 9)}`,
    followers: dice.whole(0, 90_000),
    verified: dice.whole(0, 3) === 0,
  }
}

/** One name is one author's. */
export const authorName = (index: number): string =>
  `${capital(
    title(throwDice(2_000_000 + index))
      .split(' ', 2)
      .join(' '),
  )} ${index}`

export function categoryValues(index: number): Values {
  const dice = throwDice(3_000_000 + index)
  return {
    name: title(dice),
    slug: `category-${index}`,
    description: sentence(dice, 100),
    position: index,
  }
}

/** A tree of three levels: 5 roots, 15 below them, the rest below these. */
export function parentOf(index: number): number | null {
  if (index < 5) return null
  return index < 20 ? index % 5 : 5 + (index % 15)
}

export function tagValues(index: number): Values {
  const dice = throwDice(4_000_000 + index)
  return { name: title(dice), slug: `tag-${index}`, color: dice.pick(colors) }
}
