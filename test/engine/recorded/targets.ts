import { ApiError } from '../../../engine/errors.js'
import type { CollectionFacts, FactsOf } from '../../../engine/read/cost/collection-facts.js'
import { costParts } from '../../../engine/read/cost/cost.js'
import type { ReadTarget } from '../../../engine/read/plan/plan-read.js'
import type { ReadPlan } from '../../../engine/read/plan/read-plan.js'
import { prepare } from '../read/execute/prepare.js'
import { museum } from './museum.js'

const sampled = (
  bytes: number,
  fields: Readonly<Record<string, readonly [bytes: number, values: number]>>,
  values: Readonly<Record<string, readonly [each: number, usual: number, most: number]>>,
): CollectionFacts['sample'] => ({
  bytes,
  fields: new Map(
    Object.entries(fields).map(([name, [size, count]]) => [name, { bytes: size, values: count }]),
  ),
  values: new Map(
    Object.entries(values).map(([name, [each, usual, most]]) => [name, { each, usual, most }]),
  ),
})
const index = (...fields: string[]) => ({ fields, isWhole: true })

/** A large museum with sampled collections. Half of its works are by one artist. */
const large: Readonly<Record<string, CollectionFacts>> = {
  works: {
    entries: 200_000,
    indexes: [
      ...[index('documentId'), index('_id'), index('year', '_id'), index('artist.documentId')],
      { fields: ['price'], isWhole: false },
      { fields: ['number'], isWhole: false, isUnique: true },
      index('rooms.documentId'),
      index('sequel.documentId'),
      index('shown', 'title'),
    ],
    sample: sampled(
      4_000,
      { title: [40, 1], labels: [300, 4], story: [900, 6], rooms: [80, 3], frame: [60, 1] },
      {
        year: [1, 0.01, 0.05],
        'artist.documentId': [1, 0.2, 0.5],
        'rooms.documentId': [3, 0.1, 0.2],
      },
    ),
  },
  artists: {
    entries: 5_000,
    indexes: [index('documentId'), index('name', '_id')],
    sample: sampled(500, { name: [20, 1] }, { name: [1, 0.001, 0.001] }),
  },
  rooms: { entries: 30, indexes: [index('documentId')] },
  signs: { entries: 2_000_000, indexes: [index('documentId')], sample: sampled(1_000, {}, {}) },
}
const none: CollectionFacts = { entries: 0, indexes: [] }
const factsOf: FactsOf = (collection) => large[collection] ?? none

/** A query of one of the museum's types, and the target of the read. */
export type Aimed = Readonly<{ of: string; search: string; target?: Partial<ReadTarget> }>

/** Plans a query twice: without facts about the collections, and with those of the large museum. */
function aimOf({ of, search, target = {} }: Aimed): object {
  const { planFor } = prepare(search, { uid: `api::${of}.${of}`, registry: museum })
  return {
    unknown: estimateOf(() => planFor(target)),
    large: estimateOf(() => planFor({ ...target, factsOf }), factsOf),
  }
}

/** Returns a query and its two plans as a line of JSON. */
export const showAim = (aim: Aimed): string => JSON.stringify({ aim, ...aimOf(aim) })

function estimateOf(plan: () => ReadPlan, facts?: FactsOf): unknown {
  try {
    const { cost, totalCost, answerBytes, ...rest } = plan()
    const { answer, envelope, format, collection, match, sort, skip, limit } = rest
    return {
      ...{ answer, envelope, format, collection, match, sort, skip, limit },
      ...{ pagination: rest.pagination, maxRanked: rest.maxRanked, maxKeys: rest.maxKeys },
      ...{ maxAnswerBytes: rest.maxAnswerBytes, maxPopulatedEntries: rest.maxPopulatedEntries },
      ...{ timeoutMs: rest.timeoutMs, constants: rest.node.constants ?? null },
      ...{ cost: rounded(cost), totalCost: rounded(totalCost), answerBytes: rounded(answerBytes) },
      parts: costParts(plan(), facts),
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { message: error.message, details: error.details }
  }
}

const rounded = (number: number): number => Math.round(number * 1000) / 1000

const work = (search: string, target?: Partial<ReadTarget>): Aimed => ({
  ...{ of: 'work', search: `fields=title&${search}` },
  ...(target === undefined ? {} : { target }),
})

export const aims: readonly Aimed[] = [
  ...[
    ...[{ of: { documentId: 'k1' } }, { of: { id: 7 } }, { of: 'single' }, { envelope: 'bare' }],
    ...[{ exactMetadata: true }, { constants: { isMine: true } }, { format: 'v4', timeoutMs: 7 }],
    ...[{ maxCost: 1 }, { maxCost: 100_000 }, { maxAnswerBytes: 100 }, { maxPopulatedEntries: 3 }],
  ].flatMap((target) => [
    work('sort=title&pagination[start]=3&populate=rooms', target as Partial<ReadTarget>),
    work('locale=*', target as Partial<ReadTarget>),
    { of: 'room', search: '', target: target as Partial<ReadTarget> },
  ]),
  work('filters[year]=1', { exactMetadata: true }),
  { of: 'room', search: 'filters[floor]=1', target: { exactMetadata: true } },
  { of: 'room', search: 'pagination[withCount]=false', target: { exactMetadata: true } },
  ...[
    ...[
      'filters[id]=7',
      'filters[documentId][$in][]=a&filters[documentId][$in][]=b',
      'filters[id][$gt]=7',
    ],
    ...[
      'filters[year]=1',
      'filters[year][$gt]=1',
      'filters[year][$ne]=1',
      'filters[year][$null]=true',
    ],
    ...[
      'filters[year][$in][]=1&filters[year][$in][]=2',
      'filters[number]=7',
      'filters[number][$gt]=7',
    ],
    ...['filters[price]=1', 'filters[price][$null]=true', 'filters[price][$notNull]=true'],
    ...[
      'filters[number][$in][]=1&filters[number][$in][]=2',
      'filters[title]=a',
      'filters[title][$contains]=a',
    ],
    ...['filters[title][$startsWith]=a', 'filters[title][$eqi]=a', 'filters[locale]=fr'],
    ...['filters[year]=1&filters[title]=a', 'filters[year]=1&filters[number]=7'],
    ...[
      'filters[$or][0][year]=1&filters[$or][1][number]=7',
      'filters[$or][0][year]=1&filters[$or][1][title]=7',
    ],
    ...[
      'filters[$or][0][id]=1&filters[$or][1][documentId]=7',
      'filters[$or][0][id]=1&filters[$or][1][year]=7',
    ],
    ...['filters[artist][name]=a', 'filters[artist][name][$contains]=a', 'filters[artist][id]=7'],
    ...[
      'filters[artist][$null]=true',
      'filters[artist][name][$null]=true',
      'filters[rooms][name]=a',
    ],
    ...['filters[similar][title]=a', 'filters[original][year]=7', 'filters[labels][line]=a'],
    ...[
      'filters[labels][line][$contains]=abc',
      'filters[labels][sign][word]=a',
      'filters[rooms][works][artist][name]=a',
    ],
    ...['publicationFilter=modified', 'publicationFilter=has-published-version&status=draft'],
    ...[
      'publicationFilter=published-without-draft',
      'filters[year][$between][]=1&filters[year][$between][]=2',
    ],
    ...[
      'sort=title',
      'sort=year',
      'sort=year:desc',
      'sort=id',
      'sort=documentId',
      'sort=price',
      'sort=frame.colour',
    ],
    ...[
      'sort=title&filters[shown]=true',
      'sort=title&filters[shown][$ne]=true',
      'sort=title&filters[shown][$null]=true',
    ],
    ...[
      'sort=title&filters[shown][$in][]=true&filters[shown][$in][]=false',
      'sort=year&filters[title]=a',
    ],
    ...[
      'sort=title&filters[$or][0][shown]=true&filters[$or][1][id]=1',
      'sort=year&pagination[start]=500',
    ],
    ...[
      'sort=artist.name',
      'sort=rooms.name',
      'sort=labels.line',
      'sort=labels.sign.word',
      'sort=artist.teacher.name',
    ],
    ...[
      'sort=artist.name,rooms.name',
      'sort=similar.title',
      'sort=artist.name&filters[year]=1',
      'sort=labels.rooms.name',
    ],
    ...[
      'pagination[pageSize]=100',
      'pagination[withCount]=false',
      'pagination[pageSize]=100&filters[number]=7',
    ],
    ...[
      'populate=artist',
      'populate=rooms',
      'populate=similar',
      'populate=picture',
      'populate=scans',
      'populate=frame',
    ],
    ...[
      'populate=labels',
      'populate=story',
      'populate=localizations',
      'populate=labels.rooms,labels.sign',
    ],
    ...[
      'populate=artist.works',
      'populate=artist.works.rooms',
      'populate=original',
      'populate=frame.labels.sign',
    ],
    ...[
      'populate[rooms][filters][name]=a',
      'populate[rooms][sort]=guard.name',
      'populate[artist][populate][works][count]=true',
    ],
    ...[
      'populate[artist][populate][works][filters][title][$contains]=a',
      'populate[labels][filters][line][$contains]=a',
    ],
    ...[
      'populate[labels][filters][rooms][name]=a',
      'populate[frame][filters][colour]=a',
      'populate[story][count]=true',
    ],
    ...[
      'populate[story][on][parts.label][filters][line]=a&populate[story][on][parts.quote][populate]=by',
    ],
    ...[
      'populate[rooms][filters][works][title][$contains]=a',
      'fields=year&populate=artist&filters[number]=7',
      '_q=abc',
    ],
  ].map((search) => work(search)),
  ...[
    '',
    'filters[works][year]=1',
    'populate=works',
    'populate=works.rooms',
    'populate[works][count]=true',
    'sort=works.title',
    'sort=name',
  ].flatMap((search): readonly Aimed[] => [
    { of: 'artist', search },
    { of: 'room', search },
  ]),
  { of: 'sign', search: 'filters[word]=a&populate=room' },
  { of: 'sign', search: 'locale=*&sort=word' },
]
