import type { Asked } from './recorded-query.js'
import { artist, titled } from './queries-of.js'

export const jsonPaths: readonly Asked[] = [
  ...[
    ...['=red', '[$eq]=5', '[$eq]=true', '[$eq]=false', '[$eq]=-1.5e3', '[$ne]=red', '[$eqi]=Red'],
    ...['[$nei]=Red', '[$in][]=a&filters[notes][kind][$in][]=7', '[$notIn][]=a', '[$lt]=5'],
    ...['[$lte]=a', '[$gt]=a', '[$gte]=5', '[$between][]=1&filters[notes][kind][$between][]=9'],
    ...['[$between][]=a&filters[notes][kind][$between][]=9', '[$contains]=a.c', '[$containsi]=É'],
    ...['[$contains][]=a&filters[notes][kind][$contains][]=b', '[$notContains]=a'],
    ...['[$notContains][]=a&filters[notes][kind][$notContains][]=b', '[$notContainsi]=a'],
    ...['[$startsWith]=a', '[$startsWithi]=a', '[$endsWith]=a', '[$endsWithi]=a', '[$null]=true'],
    ...['[$null]=false', '[$notNull]=true', '[$not][$eq]=red', '[$not][$null]=true', '[a][b]=1'],
    ...['[a][b][$null]=true', '[a][$not][b][$gt]=1', '[$gt][]=1&filters[notes][kind][$gt][]=a'],
  ].map((asked) => titled(`filters[notes][kind]${asked}`)),
  titled('filters[notes][a.b]=1'),
  titled('filters[notes][0][a]=1'),
  titled('filters[$or][0][notes][kind]=1&filters[$or][1][title]=a'),
  titled('filters[similar][notes][kind]=1'),
  artist('fields=name&filters[works][notes][kind]=1'),
  artist('fields=name&populate[works][fields]=title&populate[works][filters][notes][kind]=1'),
]
