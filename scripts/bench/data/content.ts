import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../server/settings/own-command.js'
import { createRandomSource, type RandomSource } from './random.js'
import { rareWords, sentence, title } from './words.js'

export type Values = Readonly<Record<string, unknown>>

/** Number of entries of each type, except articles. */
export const counts = { author: 500, category: 50, tag: 300, page: 100 } as const
const types = ['author', 'category', 'tag', 'page', 'article'] as const
export type Type = (typeof types)[number]

/** documentIds of the loaded entries. The id at index n belongs to the entry that `makeEntry` generates for n. */
export type Ids = Readonly<Record<Type, readonly string[]>>
const noIds: Ids = { author: [], category: [], tag: [], page: [], article: [] }

export const secondLocale = 'de'

type Attribute = Readonly<{ type: string; enum?: readonly string[]; min?: number; max?: number }> &
  Readonly<{ component?: string; components?: readonly string[]; pluginOptions?: object }> &
  Readonly<{ relation?: string; target?: string; mappedBy?: string }>
type Attributes = Readonly<Record<string, Attribute>>
type Definition = Readonly<{ attributes: Attributes }>

type Draw = Readonly<{ dice: RandomSource; index: number; slug: string; ids: Ids }>

/**
 * Generates the nth entry of a type. The same n always gives the same entry. Its relations refer to `ids`. For the
 * second locale, generates only the localized attributes.
 */
export function makeEntry(
  type: Type,
  index: number,
  { ids = noIds, locale }: Readonly<{ ids?: Ids; locale?: string }> = {},
): Values {
  const seed = index + 10_000_000 * (types.indexOf(type) + (locale === undefined ? 0 : 5))
  const draw = {
    dice: createRandomSource(seed),
    index,
    slug: `${type}-${index}${locale ?? ''}`,
    ids,
  }
  const all = Object.entries(attributesOf(`content-types/${type}`))
  const drawn = all.filter(([, it]) => locale === undefined || it.pluginOptions !== undefined)
  return valuesOf(Object.fromEntries(drawn), draw)
}

export const schemaDir = join(packageRoot, 'scripts/bench/schema')
const definitions: Record<string, Definition> = {}

function attributesOf(file: string): Attributes {
  const read = (): string => readFileSync(join(schemaDir, `${file}.json`), 'utf8')
  return (definitions[file] ??= JSON.parse(read()) as Definition).attributes
}

const valuesOf = (attributes: Attributes, draw: Draw): Values =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, it]) => [name, makers[it.type]?.(it, draw)]),
  )

const componentOf = (name: string, draw: Draw): Values =>
  valuesOf(attributesOf(`components/${name.replace('.', '/')}`), draw)

const makers: Readonly<Record<string, (attribute: Attribute, draw: Draw) => unknown>> = {
  string: (_, { dice }) => title(dice),
  text: (_, { dice }) => sentence(dice, 150),
  // A search for a rare word has to read most texts to the end.
  richtext: (_, { dice, index }) =>
    `${sentence(dice, 500)}${index % 5 === 0 ? ` Of the ${dice.pick(rareWords)}.` : ''}`,
  blocks: (_, { dice }) => {
    const text = () => ({ type: 'text', text: title(dice) })
    const item = () => ({ type: 'list-item', children: [text()] })
    return [
      { type: 'heading', level: 2, children: [text()] },
      { type: 'paragraph', children: [text(), { ...text(), bold: true }, text()] },
      { type: 'list', format: 'unordered', children: [item(), item(), item()] },
    ]
  },
  uid: (_, { slug }) => slug,
  email: (_, { dice }) => `desk-${dice.whole(1, 40)}@example.org`,
  enumeration: ({ enum: values = [] }, { dice }) => dice.pick(values),
  integer: ({ min = 0, max = 100_000 }, { dice }) => dice.whole(min, max),
  biginteger: (_, { dice }) => String(5_000_000_000 + dice.whole(0, 1_000_000_000)),
  decimal: (_, { dice }) => dice.whole(100, 99_999) / 100,
  float: (_, { dice }) => dice.whole(10, 49) / 10 + 0.05,
  boolean: (_, { dice }) => dice.whole(0, 9) === 0,
  date: (_, { dice }) => dayOf(dice.whole(0, 2900)),
  datetime: (_, { dice }) => new Date(dayZero + dice.whole(0, 2900 * 24) * 3_600_000),
  json: (_, { dice }) => ({ edition: dice.whole(1, 12), pages: [dice.whole(1, 40), 41] }),
  component: ({ component = '' }, draw) => componentOf(component, draw),
  dynamiczone: ({ components = [] }, draw) =>
    components.map((name) => ({ __component: name, ...componentOf(name, draw) })),
  relation: ({ relation = '', target = '', mappedBy }, { dice, ids }) => {
    if (mappedBy !== undefined) return undefined
    const targets = ids[target.split('.')[1] as keyof Ids]
    const chosen = dice.distinct(relation.endsWith('Many') ? 4 : 1, targets.length)
    const documentIds = chosen.map((index) => targets[index])
    return relation.endsWith('Many') ? documentIds : documentIds[0]
  },
}

const names: string[] = []
export const authorName = (index: number): string =>
  (names[index % counts.author] ??= String(makeEntry('author', index % counts.author)['name']))

/** The tree has three levels: 5 roots, their 15 children, and the children of those. */
export function parentOf(index: number): number | undefined {
  if (index < 5) return undefined
  return index < 20 ? index % 5 : 5 + (index % 15)
}

const dayZero = Date.UTC(2016, 0, 1)

/** Returns the nth day since 2016. */
export const dayOf = (day: number): string =>
  new Date(dayZero + day * 86_400_000).toISOString().slice(0, 10)
