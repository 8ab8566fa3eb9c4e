import { comparisonOperators } from '../../../engine/read/parse/raw-query.js'
import type { Asked } from './recorded-query.js'
import { titled } from './queries-of.js'

/** A valid string for every scalar of a work. */
const scalars = {
  ...{ title: 'a', year: '7', price: '1.5', number: '12', weight: '0.5', shown: 'true' },
  ...{ made: '2024-01-15', opens: '10:00:00.000', sold: '2024-01-15T10:00:00Z', technique: 'oil' },
  ...{ id: '3', documentId: 'k1', locale: 'fr', createdAt: '2024-01-15T10:00:00Z' },
  ...{ publishedAt: '2024-01-15T10:00:00Z' },
}

const single = comparisonOperators.filter((operator) => operator !== '$between')
const textual = new Set(['title', 'technique', 'documentId', 'locale'])
const ordered = new Set(['$eq', '$ne', '$in', '$notIn', '$lt', '$lte', '$gt', '$gte'])

export const operators: readonly Asked[] = [
  ...single.flatMap((operator) => [
    titled(`filters[title][${operator}]=a`),
    titled(`filters[$not][title][${operator}]=a`),
    titled(`filters[title][${operator}][]=a.c&filters[title][${operator}][]=b`),
    titled(`filters[year][${operator}]=7`),
    titled(`filters[$not][year][${operator}]=7`),
  ]),
  titled('filters[year][$between][]=1&filters[year][$between][]=3'),
  titled('filters[$not][year][$between][]=1&filters[year][$between][]=3'),
  titled('filters[year][$between][]&filters[year][$between][]=3'),
  ...['$null', '$notNull'].flatMap((operator) =>
    ['false', '0', '', 'true'].map((text) => titled(`filters[title][${operator}]=${text}`)),
  ),
  ...['$eq', '$ne', '$in', '$notIn', '$lt', '$eqi'].flatMap((operator) => [
    titled(`filters[title][${operator}]`),
    titled(`filters[title][${operator}][]=a&filters[title][${operator}][]`),
    titled(`filters[$not][title][${operator}][]=a&filters[title][${operator}][]`),
    titled(`filters[title][${operator}]=`),
  ]),
  titled('filters[title][$containsi]=Éa'),
  titled('filters[title][$eqi]=straße.'),
  titled('filters[title][$startsWith]='),
  ...Object.entries(scalars).flatMap(([name, text]) =>
    name === 'title' || name === 'year'
      ? []
      : [...(textual.has(name) ? ['$contains', '$endsWithi'] : []), ...ordered].map((operator) =>
          titled(`filters[${name}][${operator}]=${text}`),
        ),
  ),
  ...Object.keys(scalars).map((name) => titled(`filters[${name}][$gt]=x y`)),
  ...Object.keys(scalars).map((name) => titled(`filters[${name}][$contains]=x`)),
]
