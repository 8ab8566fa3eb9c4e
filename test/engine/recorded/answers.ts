import { BSON, Decimal128, Long } from 'mongodb'
import type {
  Condition,
  EdgePlan,
  Link,
  MemberPlan,
  NodePlan,
  ReadPlan,
  ValuesPlan,
} from '../../../engine/read/plan/read-plan.js'
import { shapeRead } from '../../../engine/read/answer/shape-read.js'
import type { LocaleDependentCondition } from '../../../engine/read/plan/bound-query.js'
import { documentKey } from '../../../engine/read/plan/bound-query.js'
import type { ReadResult } from '../../../engine/read/compile/read-result.js'
import type { Stored } from '../../../engine/read/stored/stored-document.js'
import { layoutOf, locate } from '../../../engine/read/stored/stored-document.js'
import type { Asked } from './recorded-query.js'
import { planOf } from './recorded-query.js'
import { artist, of, room, titled, work } from './queries-of.js'

const day = (date: number): Date => new Date(Date.UTC(2024, 0, date))
const to = (documentId: string, order = 0) => ({ documentId, order })
const entry = (_id: number, documentId: string, locale: string | null, fields: object) => ({
  ...{ _id, documentId, locale, _revision: 7, createdAt: day(1), updatedAt: day(_id) },
  ...{ publishedAt: day(3), createdBy: to('u1'), updatedBy: null },
  ...fields,
})

const works = [
  entry(1, 'w1', 'en', {
    ...{ title: 'Night "1"\n', year: 1642, price: Decimal128.fromString('1.50'), weight: 0.1 },
    ...{ number: Long.fromString('9007199254740993'), shown: true, made: '1642-01-01' },
    ...{ opens: '10:00:00.000', sold: day(9), technique: 'oil', notes: { a: [1, null, 'é'] } },
    ...{ text: [{ type: 'paragraph', children: [] }], secret: 'hash', value: 5 },
    ...{ artist: to('a1', 2), rooms: [to('r2', 5), to('r1', 1), to('r9', 9)], sequel: to('w2', 1) },
    ...{ similar: [to('w2', 3), to('w1', 4)], picture: to('f1'), scans: [to('f2'), to('f1')] },
    frame: {
      id: 1,
      colour: 'red',
      maker: to('a2'),
      labels: [{ id: 5, line: 'in frame', size: 2 }],
    },
    labels: [
      { id: 2, line: 'b', size: 3, hidden: 'h', sign: to('s1'), rooms: [to('r1')], logo: to('f1') },
      { id: 3, line: 'A', size: 1, sign: null, rooms: [to('r2'), to('r1')], logo: null },
      { id: 4, line: null, size: 2, sign: to('s9'), rooms: [] },
    ],
    story: [
      { __component: 'parts.quote', id: 6, words: 'said', by: to('a1') },
      { __component: 'parts.label', id: 7, line: 'z', size: 9, rooms: [to('r1')] },
      { __component: 'parts.gone', id: 8, words: 'not shown' },
      { __component: 'parts.label', id: 9, line: 'y', size: 8, sign: to('s1') },
      { __component: 'parts.quote', id: 10, words: null },
    ],
  }),
  entry(2, 'w2', 'en', { title: 'Day', year: 0, artist: to('a1', 1), rooms: [to('r1', 9)] }),
  entry(3, 'w1', 'fr', {
    ...{ title: 'Nuit', artist: to('a2', 1), rooms: [to('r1', 2)], similar: [to('w1', 1)] },
    labels: [{ id: 2, line: 'fr', size: 3, sign: to('s1'), rooms: [] }],
  }),
  entry(4, 'w3', 'en', { title: null, artist: null, story: [], frame: null }),
]

const everything: Readonly<Record<string, readonly object[]>> = {
  works,
  artists: [
    entry(1, 'a1', null, { name: 'Rembrandt', born: '1606-07-15', teacher: to('a2', 1) }),
    entry(2, 'a2', null, { name: 'Lastman', teacher: null }),
    entry(3, 'a3', null, { name: 'Dou', teacher: to('a1', 1) }),
  ],
  rooms: [
    entry(1, 'r1', null, { name: 'Hall', floor: 0, guard: to('a1') }),
    entry(2, 'r2', null, { name: 'Attic', floor: 3, guard: null }),
  ],
  signs: [
    entry(1, 's1', 'en', { word: 'exit', room: to('r1') }),
    entry(2, 's1', 'fr', { word: 'sortie', room: to('r2') }),
  ],
  upload_files: [
    entry(1, 'f1', null, { name: 'a.png', size: 1.25, formats: { thumbnail: { width: 9 } } }),
    entry(2, 'f2', null, { name: 'b.png', size: 2, formats: null }),
  ],
  admin_users: [entry(1, 'u1', null, { firstname: 'A', username: null, password: 'hash' })],
}

/** A query and the form of its response: a list or one document, in Strapi 4's format, or without an envelope. */
export type Answering = Readonly<{
  asked: Asked
  answer?: 'one'
  format?: 'v4'
  envelope?: 'bare'
  maxPopulatedEntries?: number
  documents?: 0 | 1
}>

const edges = ['artist', 'rooms', 'sequel', 'original', 'similar', 'picture', 'scans']
const searches: readonly Asked[] = [
  work('populate=*'),
  work('fields=*'),
  work('fields=title&pagination[start]=1&pagination[limit]=2'),
  work('fields=title&pagination[page]=3&pagination[pageSize]=2'),
  work('fields=title&pagination[start]=1&pagination[withCount]=false'),
  work('fields=title&pagination[withCount]=false'),
  work('fields=id&populate[artist][fields]=id'),
  titled('locale=*&populate=localizations,artist,rooms,similar,sequel,original'),
  titled('locale=fr&populate=localizations,labels.sign,similar'),
  titled('populate=createdBy,updatedBy,frame.maker,frame.labels,labels.sign.room,story.by'),
  ...edges.map((name) => titled(`populate[${name}][count]=true`)),
  ...edges.map((name) => titled(`populate[${name}][filters][id][$gt]=0`)),
  ...edges.map((name) => titled(`populate[${name}][sort]=id:desc`)),
  ...['works', 'teacher', 'pupils'].flatMap((name) => [
    artist(`populate=${name}`),
    artist(`populate[${name}][count]=true`),
    artist(`populate[${name}][sort]=id`),
  ]),
  artist('populate[works][populate][rooms][populate][works][populate]=artist'),
  artist('populate[pupils][populate][teacher][populate]=pupils'),
  room('populate[works][populate]=artist,rooms&populate[guard]=true'),
  room('populate[works][count]=true&locale=fr'),
  of('sign')('populate=room&locale=*'),
  ...[
    ...['[line]=b', '[line][$ne]=b', '[line][$null]=true', '[line][$notNull]=true'],
    ...['[line][$containsi]=B', '[line][$startsWith]=A', '[line][$endsWith]=b', '[line][$eqi]=a'],
    ...['[line][$notContains]=b', '[size][$in][0]=1&populate[labels][filters][size][$in][1]=3'],
    ...['[size][$notIn]=1', '[size][$gt]=1', '[size][$gte]=2', '[size][$lt]=3', '[size][$lte]=2'],
    ...['[size][$between][0]=1&populate[labels][filters][size][$between][1]=2'],
    ...['[$not][size][$between][0]=1&populate[labels][filters][$not][size][$between][1]=2'],
    ...['[$or][0][line]=b&populate[labels][filters][$or][1][size]=2', '[id]=2'],
    ...['[rooms][name]=Hall', '[rooms][id][$null]=true', '[sign][word]=exit', '[$not][rooms]=k1'],
  ].map((filter) => titled(`populate[labels][filters]${filter}`)),
  ...['line', 'line:desc', 'size:desc', 'size,line', 'id:desc'].map((sort) =>
    titled(`populate[labels][sort]=${sort}`),
  ),
  titled('populate[frame][filters][labels][line]=in frame'),
  titled('populate[frame][filters][labels][size][$gt]=5'),
  titled('populate[story][count]=true'),
  titled('populate[story][populate]=*'),
  titled('populate[story][on][parts.quote][populate]=by'),
  titled('populate[story][on][parts.label][sort]=line&populate[story][on][parts.quote]=true'),
  titled('populate[story][on][parts.label][filters][size]=8&populate[story][on][parts.quote]=true'),
  titled('populate[frame][sort]=colour'),
  ...['start]=1', 'limit]=1'].map((bound) => ({
    ...titled(`populate[rooms][pagination][${bound}`),
    nestedPagination: true as const,
  })),
  {
    ...artist('populate[works][pagination][start]=1&populate[works][count]=true'),
    nestedPagination: true as const,
  },
  {
    ...artist('populate[works][pagination][limit]=1&populate[works][sort]=title'),
    nestedPagination: true as const,
  },
]

/** Queries and the forms of their responses. Unless `documents` limits their number, every document is found. */
export const answerings: readonly Answering[] = [
  ...searches.map((asked) => ({ asked })),
  ...searches.slice(0, 30).map((asked): Answering => ({ asked, format: 'v4' })),
  ...searches.slice(0, 10).map((asked): Answering => ({ asked, answer: 'one' })),
  ...searches.slice(0, 3).map((asked): Answering => ({ asked, envelope: 'bare' })),
  { asked: titled(''), answer: 'one', documents: 0 },
  { asked: titled(''), documents: 0 },
  { asked: titled(''), answer: 'one', envelope: 'bare' },
  { asked: titled('populate=artist'), answer: 'one', format: 'v4', envelope: 'bare' },
  ...[0, 1, 2, 3, 6, 7].flatMap((maxPopulatedEntries) => [
    { asked: titled('populate=rooms'), maxPopulatedEntries },
    { asked: titled('populate[similar][populate]=rooms'), maxPopulatedEntries },
  ]),
]

/** Returns the response as a line of JSON. */
export function showAnswer(answering: Answering): string {
  const { asked, documents, ...how } = answering
  const planned = planOf(asked)
  if ('refused' in planned)
    throw new Error(`refused: ${asked.search} ${JSON.stringify(planned.refused)}`)
  const plan: ReadPlan = { ...planned, ...how }
  const bounds = {
    tooMany: (relation: string) => new Error(`too many at ${relation}`),
    maxBytes: 1_000_000,
    tooLarge: () => new Error('too large'),
  }
  let answer: string
  try {
    const bytes = shapeRead(plan, resultOf(plan, documents), bounds)
    answer = bytes === null ? 'null' : Buffer.from(bytes).toString()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('too')) throw error
    answer = JSON.stringify(error.message)
  }
  return `{"answering":${JSON.stringify(answering)},"answer":${answer}}`
}

/** Makes a result without a database: the page and each relation contain every visible entry of their collections. */
function resultOf(plan: ReadPlan, documents?: number): ReadResult {
  const batches = new Map<EdgePlan, readonly Stored[]>()
  const counts = new Map<EdgePlan, ReadonlyMap<string, number>>()
  const bound = new Map<Condition, LocaleDependentCondition>()
  const visitNode = (node: NodePlan): void => {
    for (const member of node.members) visit(member)
  }
  const visit = (member: MemberPlan): void => {
    switch (member.kind) {
      case 'field':
        return
      case 'component':
        return visitValues(member)
      case 'zone':
        return Object.values(member.components).forEach(visitValues)
      case 'morph':
        return Object.values(member.edges).forEach(visit)
      case 'edge': {
        const { link, count, node } = member
        if (count && link.stored === 'there') counts.set(member, countsOf(link))
        else batches.set(member, batchOf(member))
        visitNode(node)
      }
    }
  }
  const visitValues = ({ filter, node }: ValuesPlan): void => {
    if (filter !== null) bound.set(filter, answerOf(filter))
    visitNode(node)
  }
  visitNode(plan.node)
  const all = read(plan.collection, plan.node)
  const found = documents ?? all.length
  return {
    documents: all.slice(0, found),
    total: plan.pagination?.total === 'none' ? null : found,
    ...{ batches, counts, bound, choices: [] },
  }
}

const read = (collection: string, node: NodePlan, reference?: string): readonly Stored[] =>
  (everything[collection] ?? []).map((document) =>
    locate(Buffer.from(BSON.serialize(document)), 0, layoutOf(node, reference)),
  )

/** Reverses the targets of a relation with a sort, so that the response shows whether their order is kept. */
function batchOf({ link, node, sort }: EdgePlan): readonly Stored[] {
  const found = read(link.collection, node, link.path)
  const seen = found.filter((_, at) => isSeen(link, localeAt(link.collection, at)))
  return sort.length > 0 ? seen.toReversed() : seen
}

const localeAt = (collection: string, at: number): string | null =>
  (everything[collection]?.[at] as { locale: string | null }).locale

function isSeen({ locale }: Link, code: string | null): boolean {
  switch (locale.kind) {
    case 'fixed':
      return code === locale.code
    case 'any':
    case 'other':
      return locale.among.includes(code ?? '')
    default:
      return true
  }
}

const countsOf = ({ locale }: Link): ReadonlyMap<string, number> =>
  new Map(
    [...['a1', 'a2', 'r1', 'w2'].entries()].map(([at, documentId]) => [
      documentKey(documentId, locale.kind === 'same' ? 'en' : null),
      at + 1,
    ]),
  )

/** Resolves conditions on relations as if the first entry of each collection matched, in each of its locales. */
function answerOf(condition: Condition): LocaleDependentCondition {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return { kind: condition.kind, of: condition.of.map(answerOf) }
    case 'element':
      return { ...condition, of: answerOf(condition.of) }
    case 'test':
      return condition
    case 'modified':
      throw new Error('A component value has no versions')
    case 'related': {
      const { locale } = condition.link
      const path = `${condition.link.path}.documentId`
      const [first] = everything[condition.link.collection] as { documentId: string }[]
      const keys = [first?.documentId ?? '']
      const found: LocaleDependentCondition =
        locale.kind === 'same'
          ? { kind: 'localeKeys', path, values: new Map([['en', keys]]), of: 'same' }
          : { kind: 'keys', path, values: keys }
      return condition.orNone ? { kind: 'none', of: [found] } : found
    }
  }
}
