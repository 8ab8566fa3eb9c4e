import type { Asked } from './recorded-query.js'
import { artist, of, room, titled } from './queries-of.js'

const keys: readonly Asked[] = [
  ...['title', 'title:desc', 'id', 'id:desc', 'title,id:desc,year', 'title:desc,title'],
  ...['artist.name', 'artist.name:desc,title', 'artist.id', 'artist.teacher.name:desc'],
  ...['rooms.name', 'rooms.name:desc', 'sequel.title', 'original.title:desc', 'picture.name'],
  ...['scans.name', 'frame.colour', 'frame.maker.name', 'frame.labels.line:desc', 'labels.line'],
  ...['labels.sign.word', 'labels.rooms.name:desc', 'artist.works.title', 'similar.artist.name'],
  ...[
    'foo',
    'titel',
    'artist',
    'artist.foo',
    'artist.naem',
    'title.foo',
    'notes',
    'text',
    'secret',
  ],
  ...['value', 'owner.name', 'story.line', 'story', 'labels', 'createdBy', 'createdBy.id'],
  ...['artist.updatedBy', 'localizations.title', 'labels.hidden', 'labels.id', 'createdAt'],
  ...[
    'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q',
    'title,title,title,title,title,title,title,title,title,title,title,title,title,title,title,title,title,year',
  ],
].map((sort) => titled(`sort=${sort}`))

export const sorts: readonly Asked[] = [
  ...keys,
  titled('sort=sequel.title,original.year:desc&locale=*'),
  titled('sort=similar.title&locale=*'),
  titled('sort=labels.sign.word&locale=*'),
  titled('sort=artist.works.title:desc&locale=*'),
  titled('sort=artist.name&filters[artist][name][$ne]=a'),
  titled('sort=artist.teacher.name&filters[artist][name][$ne]=a'),
  artist('sort=works.title&locale=fr'),
  artist('sort=works.title:desc,works.artist.name'),
  room('sort=works.title:desc&status=draft'),
  of('work', ['work.find'])('sort=artist.name'),
  of('work', ['work.find'])('sort=artist.naem'),
]
