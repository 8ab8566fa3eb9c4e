import { expect } from 'chai'
import type { ParseLimits } from '../../../../engine/read/parse/parse-limits.js'
import { parseQuery } from '../../../../engine/read/parse/parse-query.js'

const limits: ParseLimits = {
  maxArrayLength: 1000,
  maxPopulateDepth: 10,
  deepPopulate: { default: 5, max: 10 },
  nestedPagination: false,
  unknownParameters: 'refuse',
}
const parse = (search: string) => parseQuery(search, limits)

describe('parseQuery', () => {
  it('parses filters by attribute, operator and value', () => {
    expect(parse('filters[author][name][$eqi]=ana')).to.deep.equal({
      filters: {
        kind: 'at',
        name: 'author',
        of: { kind: 'at', name: 'name', of: { kind: 'is', operator: '$eqi', values: ['ana'] } },
      },
    })
  })

  it('parses a bare value as $eq, a list as $in, and a key without = as null', () => {
    const is = (operator: string, values: unknown[]) => ({
      filters: { kind: 'at', name: 'title', of: { kind: 'is', operator, values } },
    })
    expect(parse('filters[title]=a')).to.deep.equal(is('$eq', ['a']))
    expect(parse('filters[title]=')).to.deep.equal(is('$eq', ['']))
    expect(parse('filters[title]=a&filters[title]=b')).to.deep.equal(is('$in', ['a', 'b']))
    expect(parse('filters[title][0]=a&filters[title][1]=b')).to.deep.equal(is('$in', ['a', 'b']))
    expect(parse('filters[title]')).to.deep.equal(is('$eq', [null]))
  })

  it('parses logical operators at the root and under an attribute', () => {
    const title = (value: string) => ({ kind: 'is', operator: '$eq', values: [value] })
    expect(parse('filters[$or][0][title]=a&filters[$or][1][title]=b')).to.deep.equal({
      filters: {
        kind: 'any',
        of: [
          { kind: 'at', name: 'title', of: title('a') },
          { kind: 'at', name: 'title', of: title('b') },
        ],
      },
    })
    expect(parse('filters[title][$or][0][$eq]=a&filters[title][$or][1][$not]=b')).to.deep.equal({
      filters: {
        kind: 'at',
        name: 'title',
        of: { kind: 'any', of: [title('a'), { kind: 'not', of: title('b') }] },
      },
    })
  })

  it('parses sort keys by priority in all four notations', () => {
    const expected = {
      sort: [
        { path: ['author', 'name'], order: 'desc' },
        { path: ['title'], order: 'asc' },
      ],
    }
    expect(parse('sort=author.name:desc,title')).to.deep.equal(expected)
    expect(parse('sort[0]=author.name:DESC&sort[1]=title:asc')).to.deep.equal(expected)
    expect(parse('sort[author][name]=desc&sort[title]=asc')).to.deep.equal(expected)
    expect(parse('sort[0][author][name]=desc&sort[1][title]=asc')).to.deep.equal(expected)
  })

  it('parses populate with dotted and nested attributes', () => {
    const avatar = { name: 'avatar', form: 'path', options: {} }
    expect(parse('populate=author.avatar,tags')).to.deep.equal({
      populate: [
        { name: 'author', form: 'path', options: { populate: [avatar] } },
        { name: 'tags', form: 'path', options: {} },
      ],
    })
    expect(parse('populate[author][populate]=avatar&populate[author][fields]=name')).to.deep.equal({
      populate: [
        { name: 'author', form: 'key', options: { populate: [avatar], fields: ['name'] } },
      ],
    })
    expect(parse('populate=*')).to.deep.equal({ populate: '*' })
    expect(parse('populate[tags]=false')).to.deep.equal({ populate: [] })
  })

  it('parses all values of a list with more than 100', () => {
    const values = Array.from({ length: 150 }, (_, index) => `v${index}`)
    const search = values.map((value) => `filters[title][$in][]=${value}`).join('&')
    expect(parse(search)).to.deep.equal({
      filters: { kind: 'at', name: 'title', of: { kind: 'is', operator: '$in', values } },
    })
  })
})

describe('parseQuery validation', () => {
  const refused = (search: string, message: string, details?: unknown) => {
    it(`rejects ${search.slice(0, 60)}: ${message.slice(0, 60)}`, () => {
      try {
        parse(search)
      } catch (error) {
        expect(error).to.include({ status: 400, message })
        if (details !== undefined) expect(error).to.have.deep.property('details', details)
        return
      }
      expect.fail('it was understood')
    })
  }
  refused('foo=bar', 'Invalid key foo', { key: 'foo', path: null, source: 'query', param: 'foo' })
  refused('filters[title][$foo]=1', 'Invalid key $foo at title', {
    key: '$foo',
    path: 'title',
    source: 'query',
    param: 'filters',
  })
  refused('filters=x', 'The filters parameter must be an object or an array')
  refused('filters[$and]=x', 'Invalid $and. Expected an array of filters')
  refused(
    'filters[views][$between][0]=5',
    'Invalid $between. Expected exactly 2 values, received: 1 at views',
  )
  refused('filters[title][$eq][a]=x', 'Invalid $eq. Expected a value at title')
  refused('filters[title]=%00', 'A filter value may not contain NUL at title')
  refused('sort=title:up', 'Invalid order. order can only be one of asc|desc|ASC|DESC')
  refused('fields=', 'Invalid fields parameter. Expected a string or an array of strings')
  refused('populate[tags][pagination][limit]=1', 'Invalid key pagination at tags')
  refused(
    'populate[tags][count]=maybe',
    'Invalid populate parameter at tags.count. Expected true or false',
  )
  refused('pagination[foo]=1', 'Invalid key foo at pagination')
  refused('__proto__[x]=1', 'Invalid key __proto__')
  refused('filters[constructor][x]=1', 'Invalid key constructor')
  refused(
    `filters${'[$not]'.repeat(25)}[title]=x`,
    'The nesting of the query string exceeds the limit of 20 (depth)',
  )
  refused(
    Array.from({ length: 1001 }, (_, index) => `filters[title][$in][]=${index}`).join('&'),
    'An array of the query string exceeds the limit of 1000 (api.rest.maxArrayLength)',
  )
})
