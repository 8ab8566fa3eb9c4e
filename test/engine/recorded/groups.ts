import type { Asked } from './recorded-query.js'

const grouped =
  (of: string, may?: readonly string[]) =>
  (search: string): Asked => ({ of, search, purpose: 'groups', ...(may && { may }) })
const works = grouped('work')
const artists = grouped('artist')
const rooms = grouped('room')
const signs = grouped('sign')

const keys: readonly Asked[] = [
  ...['', 'title', 'year', 'price', 'number', 'weight', 'shown', 'technique', 'id', 'locale'],
  ...['title,year', 'title,title', 'opens', 'createdAt', 'frame.colour', 'frame.colour,title'],
  ...['artist.name', 'artist.name,artist.born', 'artist.name,title', 'artist.teacher.name'],
  ...['artist.name,artist.teacher.name', 'artist.teacher.name,artist.teacher.born,artist.born'],
  ...['artist.works.title', 'artist.works.labels.line', 'artist.works.labels.sign.word'],
  ...['rooms.name', 'rooms.name,rooms.floor', 'rooms.name,title', 'rooms.guard.name', 'artist.id'],
  ...['rooms.name,similar.title', 'rooms.name,artist.name', 'rooms.works.title', 'artist'],
  ...['sequel.title', 'original.title', 'similar.title', 'picture.name', 'scans.name'],
  ...['labels.line', 'labels.line,labels.size', 'labels.sign.word', 'labels.line,labels.sign.word'],
  ...['labels.rooms.name', 'frame.maker.name', 'frame.labels.line', 'frame.labels.sign.word'],
  ...['labels.line,rooms.name', 'labels.sign.word,labels.sign.room.name,labels.rooms.name'],
  ...['foo', 'titel', 'secret', 'value', 'notes', 'text', 'labels', 'story', 'story.line'],
  ...['owner.name', 'labels.hidden', 'artist.naem', 'title.foo', 'createdBy.id', 'title:month'],
].map((names) => works(`groupBy=${names}`))

const dates: readonly Asked[] = [
  ...['year', 'quarter', 'month', 'week', 'day', 'hour'].flatMap((unit) => [
    works(`groupBy=made:${unit}`),
    works(`groupBy=sold:${unit}`),
  ]),
  works('groupBy=sold:month,sold:year,made'),
  works('groupBy=artist.born:year'),
  works('groupBy=rooms.createdAt:day'),
  works('groupBy=sold:decade'),
  works('groupBy=sold:'),
]

const measures: readonly Asked[] = [
  ...['sum', 'avg', 'min', 'max'].flatMap((of) =>
    ['year', 'price', 'number', 'weight', 'title', 'sold', 'made', 'shown', 'frame.colour'].map(
      (name) => works(`groupBy=technique&${of}=${name}`),
    ),
  ),
  ...['year', 'number'].map((name) =>
    works(
      `groupBy=rooms.name&count=*&sum=${name}&avg=${name}&min=${name}&max=${name}&sort=avg.${name}`,
    ),
  ),
  works('sum=year'),
  works('count=*&avg=number,year'),
  works('count=*'),
  works('count=title'),
  works('groupBy=technique&sum=artist.id'),
  works('groupBy=technique&sum=rooms.floor'),
  works('groupBy=technique&sum=labels.size'),
  works('groupBy=technique&sum=value'),
  works('groupBy=technique&sum=yaer'),
]

const orders: readonly Asked[] = [
  ...['count', 'count:desc', 'technique:desc', 'count:desc,technique', 'sum.year', 'sum.price'],
  ...['title', 'count:foo', 'technique,technique:desc'],
].map((sort) => works(`groupBy=technique,year&count=*&sum=year&sort=${sort}`))

const pages: readonly Asked[] = [
  ...['pagination[page]=3&pagination[pageSize]=10', 'pagination[start]=5&pagination[limit]=2'],
  ...['pagination[withCount]=false', 'pagination[start]=0', 'fields=title', 'populate=artist'],
  ...['filters[year]=1', 'filters[artist][name]=a', 'filters[rooms][name]=a&status=draft', '_q=a'],
  ...['locale=fr', 'locale=*', 'locale=fr&fallback=true', 'publicationFilter=modified'],
].flatMap((more) => [works(`groupBy=technique&${more}`), works(`groupBy=similar.title&${more}`)])

export const groups: readonly Asked[] = [
  ...keys,
  ...dates,
  ...measures,
  ...orders,
  ...pages,
  works('groupBy=labels.sign.word&locale=*'),
  works('groupBy=artist.works.title,artist.name&locale=*'),
  works('groupBy=sequel.title,original.title&locale=fr&fallback=true'),
  artists('groupBy=works.title'),
  artists('groupBy=works.title,works.rooms.name,name&locale=fr'),
  artists('groupBy=works.labels.line,works.labels.rooms.name'),
  artists('groupBy=teacher.name,pupils.name'),
  artists('groupBy=teacher.pupils.name&sort=teacher.pupils.name:desc'),
  rooms('groupBy=works.title'),
  rooms('groupBy=works.title&locale=*'),
  rooms('groupBy=guard.name,floor&sum=floor'),
  signs('groupBy=room.name,word&locale=*'),
  signs('groupBy=room.works.title&locale=*'),
  grouped('work', ['work.find'])('groupBy=title'),
  grouped('work', ['work.find'])('groupBy=artist.name'),
  grouped('work', ['work.find', 'artist.find'])('groupBy=artist.name'),
  grouped('work', ['work.find'])('groupBy=title&status=draft'),
]
