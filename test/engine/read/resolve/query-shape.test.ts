import { expect } from 'chai'
import { parseQuery } from '../../../../engine/read/parse/parse-query.js'
import { shapeOf } from '../../../../engine/read/resolve/query-shape.js'
import type { RawShape } from '../../../../engine/read/resolve/query-shape.js'

const limits = {
  maxArrayLength: 100,
  maxPopulateDepth: 10,
  deepPopulate: { default: 5, max: 10 },
  nestedPagination: true,
  unknownParameters: 'refuse',
} as const
const shape = (search: string): RawShape => shapeOf(parseQuery(search, limits))

describe('shapeOf', () => {
  const same = (first: string, second: string) =>
    it(`returns the same key for ${first} and ${second}`, () =>
      expect(shape(first).key).to.equal(shape(second).key))
  const different = (first: string, second: string) =>
    it(`returns different keys for ${first} and ${second}`, () =>
      expect(shape(first).key).not.to.equal(shape(second).key))

  describe('differences that do not change the shape', () => {
    same('filters[a][$eq]=x', 'filters[a][$eq]=y')
    same('filters[a]=x', 'filters[a]=y')
    same('filters[a][$in]=x', 'filters[a][$in][0]=x&filters[a][$in][1]=y')
    same('filters[a][$in][0]=x&filters[a][$in][1]=1', 'filters[a][$in][0]=2&filters[a][$in][1]=y')
    same('filters[a][$gt]=1', 'filters[a][$gt]=x')
    same('filters[a][$contains]=1', 'filters[a][$contains]=x')
    same('filters[a][$contains][0]=1&filters[a][$contains][1]=x', 'filters[a][$contains]=')
    same('filters[a][$null]=true', 'filters[a][$null]=yes')
    same('filters[a][$null]=0', 'filters[a][$null]=false')
    same('filters[$or][0][a]=x&filters[$or][1][b]=y', 'filters[$or][0][a]=y&filters[$or][1][b]=x')
    same('populate[a][filters][b]=x', 'populate[a][filters][b]=y')
    same('populate[a][on][c.d][filters][b]=x', 'populate[a][on][c.d][filters][b]=y')
    same('populate[a][pagination][limit]=1', 'populate[a][pagination][page]=2')
    same('pagination[page]=1&pagination[pageSize]=5', 'pagination[page]=2&pagination[pageSize]=6')
    same('pagination[start]=1', 'pagination[withCount]=false')
    same('pagination[limit]=1', '')
    same('locale=en', 'locale=fr')
    same('locale=en', '')
    same('_q=rain', '_q=sun')
    same('_q=', '')
    same('status=published', '')
    same('sort=a&fields=b', 'fields=b&sort=a')
    same('populate[a][sort]=b&populate[a][fields]=c', 'populate[a][fields]=c&populate[a][sort]=b')
  })

  describe('differences that change the shape', () => {
    different('filters[a]=x', 'filters[b]=x')
    different('filters[a][$eq]=x', 'filters[a][$ne]=x')
    different('filters[a][b]=x', 'filters[b][a]=x')
    different('filters[a][$not][b]=x', 'filters[a][b]=x')
    different('filters[$and][0][a]=x', 'filters[$or][0][a]=x')
    different('filters[$and][0][a]=x&filters[b]=x', 'filters[$and][0][a]=x&filters[$and][1][b]=x')
    different('filters[a]=x', 'filters[a]')
    different('filters[a][$in][]=x&filters[a][$in][]', 'filters[a][$in][]=x&filters[a][$in][]=y')
    // x can only be a documentId, 1 can also be a record id.
    different('filters[a]=x', 'filters[a]=1')
    different('filters[a][$null]=true', 'filters[a][$null]=false')
    different('filters[a][$null]=true', 'filters[a][$notNull]=true')
    different('filters[a][$null]=true', 'filters[a][$null]')
    different('populate=a', 'populate=b')
    different('populate=a', 'populate=*')
    different('populate=a', 'populate[a]=true')
    different('populate[a][populate]=b', 'populate=a,b')
    different('populate[a]=true', 'populate[a]=*')
    different('populate[a]=true', 'populate[a][count]=true')
    different('populate[a][filters][b]=x', 'populate[a][fields]=b')
    different('populate[a]=true', 'populate[a][pagination][limit]=1')
    different('populate[a][on][c.d]=true', 'populate[a][on][c.e]=true')
    different('populate[a][on][c.d][fields]=x', 'populate[a][on][c.d][fields]=y')
    different('fields=a', 'fields=b')
    different('fields=a,b', 'fields=b,a')
    different('sort=a', 'sort=a:desc')
    different('sort=a.b', 'sort=a,b')
    different('status=draft', '')
    different('locale=en', 'locale[0]=en&locale[1]=fr')
    different('_q=rain', '')
    different('hasPublishedVersion=true', 'hasPublishedVersion=false')
    different('explain=true', 'explain=execution')
    different('filters[a"][$eq]=x', 'filters[a][$eq]=x')
    different('filters[at][x]=1', 'filters[x][at]=1')
  })

  it('returns the values, pages, locale and search that the key leaves out', () => {
    const { sent } = shape(
      [
        'filters[a][$between][0]=1&filters[a][$between][1]=2&filters[$or][0][b][$null]=true',
        'populate[c][filters][d]&populate[c][pagination][page]=3',
        'pagination[limit]=7&locale[0]=en&locale[1]=*&_q=rain',
      ].join('&'),
    )
    expect(sent).to.deep.equal({
      values: [['1', '2'], ['true'], [null]],
      pages: [{ page: 3 }],
      pagination: { limit: 7 },
      locale: ['en', '*'],
      search: 'rain',
    })
  })
})
