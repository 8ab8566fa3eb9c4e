import type { Asked } from './recorded-query.js'
import { artist, of, room, titled, work } from './queries-of.js'

const paged = (search: string): Asked => ({ ...titled(search), nestedPagination: true })
const answered = (search: string, may?: readonly string[]): Asked => ({
  ...of('work', may)(search),
  purpose: 'answer',
})

/** Returns `populate[a][populate][b][populate]…` with `last` at its end. */
const nested = (names: readonly string[], last: string): string =>
  `populate${names.map((name) => `[${name}]`).join('[populate]')}${last}`
const works = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'artist' : 'works'))
const triples = ['similar', 'sequel', 'original'].flatMap((first, _at, all) =>
  all.flatMap((second) => all.flatMap((third) => all.map((last) => [first, second, third, last]))),
)

/** Rare queries: exactly at a limit, with a misspelt name, or for the response of a write. */
export const corners: readonly Asked[] = [
  titled(nested(works.slice(0, 9), '[populate]=*')),
  titled(nested(works, '[populate]=*')),
  titled(triples.map((names) => nested(names, '[populate]=*')).join('&')),
  ...['createdBy', 'updatedBy', 'foo', 'nmae', 'works'].map((name) =>
    artist(`fields=name&populate[${name}]=true`),
  ),
  ...['foo', 'artsit', 'valu', 'onwer'].map((name) => titled(`populate[${name}]=true`)),
  ...['usernam', 'emial', 'passwrod', 'firstnam'].flatMap((name) => [
    titled(`populate[createdBy][fields]=${name}`),
    titled(`populate[createdBy][filters][${name}]=a`),
    titled(`populate[createdBy][sort]=${name}`),
  ]),
  titled('populate[createdBy][fields]=firstname&populate[createdBy][sort]=lastname'),
  titled('populate[createdBy][filters][roles][id]=1'),
  ...['valu', 'secert', 'onwer', 'tilte'].flatMap((name) => [
    work(`fields=${name}`),
    titled(`filters[${name}]=1`),
    titled(`sort=${name}`),
  ]),
  ...['7a', 'a7', '123456789012345', '1234567890123456', ' 7'].map((text) =>
    titled(`filters[artist]=${text}`),
  ),
  titled(`sort=${'abcdefghijklmnop'.split('').join()}`),
  titled('sort=artist.name.foo'),
  titled('sort=artist.teacher.foo.bar'),
  titled('sort=frame.labels.foo'),
  titled(
    'sort=id,documentId,title,year,price,number,weight,shown,made,opens,sold,technique,locale,createdAt,updatedAt,publishedAt',
  ),
  titled('filters[$not][year][$between][]=1&filters[$not][year][$between][]=3'),
  titled('filters[year][$between][0]=1&filters[year][$between][1]'),
  titled('filters[$not][price][$between][]=1.5&filters[$not][price][$between][]=2'),
  titled('filters[$or]='),
  titled(
    'filters[$and][0][title]=a&filters[$and][1][$or][0][year]=1&filters[$and][1][$or][1][$and][0][year]=2&filters[$and][1][$or][1][$and][1][title]=b',
  ),
  titled('filters[frame][labels][sign][word]=a'),
  titled('filters[frame][labels][rooms][floor][$gt]=1&filters[frame][labels][line]=b'),
  titled('filters[$not][frame][labels][sign][word]=a&locale=*'),
  titled('filters[labels][id]=3'),
  titled('filters[frame][id][$in][]=3&filters[frame][id][$in][]=4'),
  titled('filters[createdBy]=1'),
  titled('filters[artist]=k1&filters[$or][0][artist]=k2&filters[$or][1][artist][$null]=true'),
  paged('populate[rooms][pagination][limit]=2'),
  paged('populate[rooms][pagination][start]=3&populate[rooms][pagination][limit]=200'),
  paged('populate[rooms][pagination][page]=3&populate[similar][pagination][pageSize]=7'),
  paged('populate[rooms][pagination][page]=1&populate[rooms][pagination][start]=1'),
  paged('populate[rooms][pagination][limit]=x'),
  paged('populate[rooms][populate][works][pagination][limit]=2'),
  paged('populate[labels][pagination][limit]=1'),
  paged('populate[story][pagination][limit]=1'),
  paged('populate[localizations][pagination][limit]=1&populate[scans][pagination][start]=1'),
  answered('fields=title'),
  answered('fields=title&status=draft', ['work.update']),
  answered('fields=title&status=draft&populate=artist', ['work.update', 'artist.find']),
  answered('fields=title&publicationFilter=modified&status=draft', ['work.update']),
  answered('fields=title&filters[title]=a&sort=year'),
  answered('fields=title&filters[locale]=fr'),
  answered('fields=title&filters[foo]=a'),
  answered('fields=title&locale=fr'),
  answered('fields=title&locale[]=fr&locale[]=en'),
  answered('fields=title&explain=true'),
  answered('fields=title&_q=a'),
  titled('explain=true'),
  titled('explain=execution'),
  of('work', ['work.find'])('fields=title&explain=true'),
  of('work', ['work.find'])('fields=titel&explain=execution'),
  of('work', [])('fields=title'),
  of('room', ['room.find'])('fields=name&populate[works][count]=true'),
  room('fields=name&_q=1.5'),
  titled('_q=12'),
  titled('_q=-'),
]
