import { publicationFilters } from '../../../engine/read/parse/raw-query.js'
import type { Asked } from './ask.js'
import { artist, of, room, titled, work } from './asking.js'

/** Lists with different fields, statuses, locales and pages. */
export const lists: readonly Asked[] = [
  work(''),
  artist(''),
  room('locale=fr'),
  work('fields=*'),
  work('fields=title,year,title'),
  work('fields=id'),
  work('fields=createdAt,documentId,locale'),
  ...[
    'foo',
    'titel',
    'secret',
    'value',
    'artist',
    'createdBy',
    'updatedBy',
    'labels',
    'localizations',
  ].map((name) => work(`fields=title,${name}`)),
  artist('fields=locale'),
  ...['status=draft', 'status=published', 'status=', 'status=foo'].flatMap((status) => [
    titled(status),
    room(status),
  ]),
  ...[
    'locale=fr',
    'locale=*',
    'locale=de',
    'locale[]=fr&locale[]=en',
    'locale[]=fr&locale[]=de',
    'locale=',
  ].flatMap((locale) => [
    titled(locale),
    titled(`${locale}&populate[sequel][fields]=title`),
    room(`fields=name&${locale}&populate[works][fields]=title`),
  ]),
  room('fields=name&locale[]=*&locale[]=fr&populate[works][fields]=title'),
  ...[
    titled('locale=fr&fallback=true'),
    titled('locale=fr&fallback=false'),
    titled('locale=en&fallback=true'),
    titled('locale=de&fallback=true'),
    titled('locale=*&fallback=true'),
    titled('locale=fr&fallback=1'),
    titled('locale=fr&fallback=true&sort=artist.name,sequel.title&filters[sequel][title]=a'),
    titled('locale=fr&fallback=true&populate[sequel][fields]=title'),
    titled('locale=fr&fallback=true&populate[rooms][populate][works][fields]=title'),
    titled('status=draft&locale=fr&fallback=true&publicationFilter=modified'),
    room('fields=name&locale=fr&fallback=true&populate[works][fields]=title'),
  ],
  ...['a b', 'É', '%24', '7', '1e3', ''].flatMap((text) => [
    titled(`_q=${text}`),
    room(`fields=name&_q=${text}`),
  ]),
  titled('_q=a&filters[year]=1'),
  ...[
    ...['page=2&pageSize=10', 'page=0', 'page=-3&pageSize=0', 'page=3', 'pageSize=1000'],
    ...['pageSize=-1', 'start=5&limit=7', 'start=-5', 'limit=0', 'limit=-1', 'limit=1000'],
    ...['start=5', 'page=1&start=2', 'pageSize=1&limit=2', 'page=1.5', 'pageSize=x', 'start=1.5'],
    ...['limit=', 'limit=1e99', 'page=1e99', 'page=', 'start=', 'withCount=x', 'page=NaN'],
    ...['true', 't', '1', 'false', 'f', '0'].map((text) => `withCount=${text}`),
    ...['start=1&withCount=false', 'page=4503599627370496&pageSize=2', 'start=Infinity'],
  ].map((text) => titled(text.replace(/(\w+)=/g, 'pagination[$1]='))),
  ...publicationFilters.flatMap((word) => [
    titled(`publicationFilter=${word}`),
    titled(`publicationFilter=${word}&status=draft`),
    titled(`publicationFilter=${word}&locale=*`),
    titled(`publicationFilter=${word}&status=draft&locale=*`),
    artist(`fields=name&publicationFilter=${word}`),
    artist(`fields=name&publicationFilter=${word}&status=draft&populate[works][fields]=title`),
    room(
      `fields=name&publicationFilter=${word}&populate[works][fields]=title&populate[guard]=true`,
    ),
    of('work', ['work.find'])(`fields=title&publicationFilter=${word}`),
    of('work', ['work.find', 'artist.find'])(
      `fields=title&publicationFilter=${word}&populate=artist,rooms`,
    ),
    of('work', ['work.find', 'work.findDrafts', 'artist.find', 'room.find'])(
      `fields=title&publicationFilter=${word}&populate=artist,rooms`,
    ),
  ]),
  titled('publicationFilter=modified&hasPublishedVersion=true&filters[title]=a'),
  titled('hasPublishedVersion=true&status=draft'),
  titled('hasPublishedVersion=false&status=draft'),
  of('work', ['work.find'])('status=draft'),
  of('work', [])('status=published'),
  of('room', ['room.find'])('status=draft&fields=name'),
  of('work', ['work.find', 'work.findDrafts'])('status=draft&fields=title'),
]
