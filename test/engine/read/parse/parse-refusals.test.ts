import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import type { ParseLimits } from '../../../../engine/read/parse/parse-limits.js'
import { parseQuery } from '../../../../engine/read/parse/parse-query.js'

const limits: ParseLimits = {
  maxArrayLength: 3,
  maxPopulateDepth: 2,
  deepPopulate: { default: 5, max: 10 },
  nestedPagination: false,
  unknownParameters: 'refuse',
}

function refusalOf(search: string, changed: Partial<ParseLimits> = {}): unknown {
  try {
    parseQuery(search, { ...limits, ...changed })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).to.equal(400)
    return error.details === undefined
      ? error.message
      : { message: error.message, details: error.details }
  }
  return 'understood'
}

const invalidKey = (message: string, key: string, path: string | null, more: object) => ({
  message,
  details: { key, path, source: 'query', ...more },
})
const value = (
  message: string,
  param: string,
  expected: string,
  received?: string,
  path: string | null = null,
) => ({
  message,
  details: {
    ...{ path, source: 'query', param, expected },
    ...(received === undefined ? {} : { received }),
  },
})
const limited = (what: string, bound: string, limit: number) => ({
  message: `${what} exceeds the limit of ${limit} (${bound})`,
  details: { bound, limit },
})
const tooLong = (what: string, param: string, path: string | null) => {
  const { message, details } = limited(what, 'characters of a value', 4096)
  return { message, details: { path, source: 'query', param, ...details } }
}

describe('query parameters', () => {
  const refused = (search: string, expected: unknown, changed?: Partial<ParseLimits>) =>
    it(`rejects ${search.slice(0, 70)}`, () =>
      expect(refusalOf(search, changed)).to.deep.equal(expected))

  describe('unknown names', () => {
    const unknown = (key: string, suggestion?: string) =>
      refused(
        `${key}=1`,
        invalidKey(`Invalid key ${key}`, key, null, {
          param: key,
          ...(suggestion === undefined ? {} : { suggestion }),
        }),
      )
    unknown('foo')
    unknown('field', 'fields')
    unknown('sorts', 'sort')
    unknown('filter', 'filters')
    unknown('popluate', 'populate')
    unknown('paginaton', 'pagination')
    unknown('statsu', 'status')
    unknown('local', 'locale')
    unknown('_qq', '_q')
    unknown('publicationFliter', 'publicationFilter')
    unknown('hasPublishedVersoin', 'hasPublishedVersion')
    unknown('explian')
    unknown('start', 'pagination[start]')
    unknown('limit', 'pagination[limit]')
    unknown('withCount', 'pagination[withCount]')
    for (const key of ['page', 'pageSize']) {
      refused(`${key}=1`, {
        message:
          'Invalid pagination parameters. Cannot use both page-based (page, pageSize) and offset-based (start, limit) pagination in the same query.',
        details: { suggestion: `pagination[${key}]` },
      })
    }
  })

  it('ignores unknown parameters if they are not checked', () => {
    const search = 'foo=1&page=2&status=draft'
    expect(parseQuery(search, { ...limits, unknownParameters: 'unchecked' })).to.deep.equal({
      status: 'draft',
      ignored: ['foo', 'page'],
    })
  })

  it('ignores unknown parameters if so configured, except page and pageSize, which Strapi rejects too', () => {
    const ignoring = { ...limits, unknownParameters: 'ignore' } as const
    const search = 'foo=1&pagination[page]=2&pagination[foo]=3&start=4'
    expect(parseQuery(search, ignoring)).to.deep.equal({
      pagination: { page: 2 },
      ignored: ['foo', 'pagination.foo', 'start'],
    })
    expect(parseQuery('pagination=5', ignoring)).to.deep.equal({
      pagination: {},
      ignored: ['pagination'],
    })
    for (const key of ['page', 'pageSize'])
      expect(() => parseQuery(`${key}=2`, ignoring)).to.throw('must be in the pagination object')
  })

  describe('names of prototypes', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const expected = { message: `Invalid key ${name}`, details: { key: name, source: 'query' } }
      for (const key of [
        name,
        `a[${name}]`,
        `a[${name}][b]`,
        `a.${name}`,
        `${name}.a`,
        `[${name}]`,
      ]) {
        refused(`${key}=1`, expected)
      }
      refused(
        `x${name}=1`,
        invalidKey(`Invalid key x${name}`, `x${name}`, null, { param: `x${name}` }),
      )
      refused(
        `${name}x=1`,
        invalidKey(`Invalid key ${name}x`, `${name}x`, null, { param: `${name}x` }),
      )
    }
  })

  describe('invalid values', () => {
    const status = "Invalid parameter at 'status'. Expected 'published' or 'draft', received: "
    for (const [search, kind] of [
      ['status[]=draft', 'array'],
      ['status[a]=draft', 'object'],
      ['status', 'null'],
    ] as const)
      refused(search, value(`${status}${kind}`, 'status', "'published' or 'draft'", kind))
    const locale =
      "Invalid parameter at 'locale'. Expected a string, array of strings, empty string, null, or undefined; received: object"
    const { details } = value(locale, 'locale', 'a text or a list of texts')
    const place = (received: unknown) => ({ message: locale, details: { ...details, received } })
    refused('locale[a]=b', place({ a: 'b' }))
    refused('locale[0]=en&locale[1][a]=b', place({ a: 'b' }))
    refused(`locale[a]=${'x'.repeat(1000)}`, place('object'))
    refused(`locale[a]=${'x'.repeat(992)}`, place({ a: 'x'.repeat(992) }))
    refused(`locale[a]=${'x'.repeat(993)}`, place('object'))
    const tag =
      "Invalid parameter at 'locale'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans)."
    const badTags = ['e', 'en-', 'en--US', '-en', 'en US', 'e1', 'english89', 'en-123456789', '**']
    for (const text of [...badTags, 'en-U$', '$en'])
      refused(
        `locale=${text}`,
        value(tag, 'locale', 'a BCP 47 tag, such as en, en-US or zh-Hans', text),
      )
    const search = "Invalid parameter at '_q'. Expected a text to search for"
    for (const [text, received] of [
      ['_q[]=a', 'array'],
      ['_q[a]=b', 'object'],
      ['_q=a%00b', 'a\0b'],
    ] as const)
      refused(text, value(search, '_q', 'a text without NUL', received))
    refused(`_q=${'x'.repeat(4097)}`, tooLong("The text of '_q'", '_q', null))
    const explain = "Invalid parameter at 'explain'. Expected 'true' or 'execution'"
    for (const [text, received] of [
      ['explain', 'null'],
      ['explain=', ''],
      ['explain=false', 'false'],
      ['explain[]=true', 'array'],
    ] as const)
      refused(text, value(explain, 'explain', "'true' or 'execution'", received))
    const words =
      'one of: never-published, has-published-version, modified, unmodified, never-published-document, has-published-version-document, published-without-draft, published-with-draft'
    for (const [text, received] of [
      ['publicationFilter=new', 'new'],
      ['publicationFilter', 'null'],
      ['publicationFilter[]=modified', 'array'],
    ] as const) {
      const message = `Invalid value for 'publicationFilter'. Expected ${words}.`
      refused(text, value(message, 'publicationFilter', words, received))
    }
    const versions =
      "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string."
    for (const [text, received] of [
      ['hasPublishedVersion', 'null'],
      ['hasPublishedVersion=1', '1'],
      ['hasPublishedVersion[]=true', 'array'],
    ] as const)
      refused(text, value(versions, 'hasPublishedVersion', "'true' or 'false'", received))
    const fields = 'Invalid fields parameter. Expected a string or an array of strings'
    for (const [text, received] of [
      ['fields', 'null'],
      ['fields=', ''],
      ['fields=%20', ' '],
      ['fields[a]=b', 'object'],
      ['fields[0][a]=b', 'object'],
    ] as const)
      refused(text, value(fields, 'fields', 'a text or a list of texts', received))
    const order = 'Invalid order. order can only be one of asc|desc|ASC|DESC'
    for (const [text, path, received] of [
      ['sort=a:', 'a', ''],
      ['sort=a:up', 'a', 'up'],
      ['sort=b,a.c:up', 'a.c', 'up'],
      ['sort[a]=ascend', 'a', 'ascend'],
      ['sort[a][]=asc', 'a', 'array'],
      ['sort=a: asc', 'a', ' asc'],
    ] as const)
      refused(text, value(order, 'sort', 'asc or desc', received, path))
    const page = 'Invalid pagination parameter. Expected an object'
    refused('pagination=1', value(page, 'pagination', 'an object', '1'))
    refused('pagination[]=1', value(page, 'pagination', 'an object', 'array'))
    refused(
      'pagination[pagesize]=1',
      invalidKey('Invalid key pagesize at pagination', 'pagesize', 'pagination', {
        param: 'pagination',
        suggestion: 'pageSize',
      }),
    )
  })

  describe('invalid percent-encoding', () => {
    for (const [text, part] of [
      ['a=%', '%'],
      ['%=a', '%'],
      ['a=+%zz', '+%zz'],
    ] as const) {
      const message = `Invalid percent-encoding in the query string: ${part}`
      refused(text, { message, details: { source: 'query' } })
    }
  })
})

describe('filters', () => {
  const refused = (search: string, expected: unknown) =>
    it(`rejects ${search.slice(0, 70)}`, () => expect(refusalOf(search)).to.deep.equal(expected))
  const at = (what: string, expected: string, path: string | null, received: string) => {
    const message = `${what}. Expected ${expected}`
    const whole = path === null ? message : `${message} at ${path}`
    return value(whole, 'filters', expected, received, path)
  }

  const form = 'The filters parameter must be an object or an array'
  refused('filters=a', value(form, 'filters', 'an object', 'a'))
  refused('filters', value(form, 'filters', 'an object', 'null'))
  refused(
    'filters[]=a',
    at('Invalid filters', 'an object of attributes and operators', null, 'array'),
  )
  describe('unknown operators and operators without an attribute', () => {
    const unknown = (key: string, path: string | null, suggestion?: string, param = 'filters') =>
      invalidKey(`Invalid key ${key}${path === null ? '' : ` at ${path}`}`, key, path, {
        param,
        ...(suggestion === undefined ? {} : { suggestion }),
      })
    refused('filters[$eq]=a', unknown('$eq', null))
    refused('filters[$adn][0][a]=1', unknown('$adn', null, '$and'))
    refused('filters[$ro][0][a]=1', unknown('$ro', null, '$or'))
    refused('filters[a][$eqq]=1', unknown('$eqq', 'a', '$eq'))
    refused('filters[a][b][$onr]=1', unknown('$onr', 'a.b', '$or'))
    refused('filters[a][$nto]=1', unknown('$nto', 'a', '$not'))
    refused('populate[a][filters][b][$foo]=1', unknown('$foo', 'b', undefined, 'populate'))
  })
  describe('logical operators without filters', () => {
    const several = 'an array of filters'
    refused('filters[$and][a]=1', at('Invalid $and', several, null, 'object'))
    refused('filters[$or][a]=1', at('Invalid $or', several, null, 'object'))
    refused('filters[a][$or]=1', at('Invalid $or', several, 'a', '1'))
    refused('filters[$and][]=1', at('Invalid $and', several, null, '1'))
    refused('filters[$or][0][]=1', at('Invalid $or', several, null, '1'))
    refused('filters[$not]=1', at('Invalid $not', 'a filter', null, '1'))
    refused('filters[$not][0]=1', at('Invalid $not', 'a filter', null, 'array'))
    refused(
      'filters[$not][0][a]=1&filters[$not][1]=2',
      at('Invalid $not', 'a filter', null, 'array'),
    )
  })
  describe('invalid filter values', () => {
    refused('filters[a][$eq][b]=1', at('Invalid $eq', 'a value', 'a', 'object'))
    refused('filters[a][b][$in][0][]=1', at('Invalid $in', 'a value', 'a.b', 'array'))
    refused('filters[a][0][b]=1', at('Invalid filter', 'a value', 'a', 'object'))
    refused(
      'filters[a][$between][]=1&filters[a][$between][]=2&filters[a][$between][]=3',
      value(
        'Invalid $between. Expected exactly 2 values, received: 3 at a',
        ...(['filters', 'exactly 2 values', '3', 'a'] as const),
      ),
    )
    refused(
      'filters[a]=%00',
      value(
        'A filter value may not contain NUL at a',
        ...(['filters', 'a text without NUL', undefined, 'a'] as const),
      ),
    )
    refused(`filters[a]=${'x'.repeat(4097)}`, tooLong('The filter value at a', 'filters', 'a'))
  })
})

describe('options of populate', () => {
  const refused = (search: string, expected: unknown, changed?: Partial<ParseLimits>) =>
    it(`rejects ${search.slice(0, 70)}`, () =>
      expect(refusalOf(search, changed)).to.deep.equal(expected))
  const invalid = (path: string | null, expected: string, received: string) => {
    const at = path === null ? '' : ` at ${path}`
    const message = `Invalid populate parameter${at}. Expected ${expected}`
    return value(message, 'populate', expected, received, path)
  }
  const form = 'a string, an array of strings, a populate object'

  refused('populate[0]=a&populate[b]=true', invalid(null, form, 'object'))
  refused('populate[0][a]=b', invalid(null, form, 'object'))
  refused('populate[]=a&populate[]', invalid(null, form, 'null'))
  refused('populate[2]=a&populate[b1]=true', invalid(null, form, 'object'))
  for (const [text, received] of [
    ['populate[a]', 'null'],
    ['populate[a]=', ''],
    ['populate[a]=yes', 'yes'],
    ['populate[a][]=b', 'array'],
  ] as const)
    refused(text, invalid('a', 'true, false, or an object', received))
  refused('populate[a][on]=b', invalid('a', '"on" to name components', 'b'))
  refused('populate[a][on][]=b', invalid('a', '"on" to name components', 'array'))
  refused('populate[a][on][b.c]=x', invalid('b.c', 'true, false, or an object', 'x'))
  for (const [text, received] of [
    ['', 'null'],
    ['=', ''],
    ['=2', '2'],
    ['[]=true', 'array'],
  ] as const)
    refused(`populate[a][count]${text}`, invalid('a.count', 'true or false', received))
  const unknown = (key: string, path: string, suggestion?: string) =>
    invalidKey(`Invalid key ${key} at ${path}`, key, path, {
      param: 'populate',
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  refused('populate[a][foo]=1', unknown('foo', 'a'))
  refused('populate[a][pagination][page]=1', unknown('pagination', 'a'))
  refused('populate[a][locale]=fr', unknown('locale', 'a.locale'))
  refused('populate[a][status]=draft', unknown('status', 'a.status'))
  for (const [slip, meant] of [
    ['feilds', 'fields'],
    ['srot', 'sort'],
    ['filter', 'filters'],
    ['popluate', 'populate'],
    ['cuont', 'count'],
    ['onn', 'on'],
  ] as const) {
    refused(`populate[a][${slip}]=1`, unknown(slip, 'a', meant))
  }
  refused(
    'populate[a][pagination][foo]=1',
    invalidKey('Invalid key foo at pagination', 'foo', 'pagination', { param: 'populate' }),
    { nestedPagination: true },
  )
})

describe('limits of a query string', () => {
  const refused = (search: string, expected: unknown) =>
    it(`rejects ${search.slice(0, 70)}`, () => expect(refusalOf(search)).to.deep.equal(expected))
  const allowed = (search: string) =>
    it(`accepts ${search.slice(0, 70)}`, () => expect(refusalOf(search)).to.equal('understood'))
  const array = limited('An array of the query string', 'api.rest.maxArrayLength', 3)
  const list = (param: string) => limited(`The list in ${param}`, 'api.rest.maxArrayLength', 3)
  const filters = (count: number): string =>
    Array.from({ length: count }, (_, place) => `filters[a${place}][$null]=1`).join('&')

  refused('locale=a&locale=b&locale=c&locale=d', array)
  refused('locale[3]=en', array)
  allowed('locale[2]=en')
  refused('fields=a,b,c,d', list('fields'))
  allowed('fields=a,b,c')
  refused('fields[0]=a,b&fields[1]=c,d', list('fields'))
  refused('sort=a,b,c,d', list('sort'))
  allowed('sort=a,b,c')
  refused('sort[a]=asc&sort[b]=asc&sort[c]=asc&sort[d]=asc', list('sort'))
  allowed('sort[a]=asc&sort[b]=asc&sort[c]=asc&sort[d]=')
  refused('populate=a,b,c,d', list('populate'))
  allowed('populate=a,b,c')
  const depth = limited('The depth of populate', 'api.rest.maxPopulateDepth', 2)
  refused('populate=a.b.c', depth)
  allowed('populate=a.b')
  refused('populate[a][populate][b][populate]=c', depth)
  allowed('populate[a][populate][b][populate]=')
  refused('populate[a][populate][b][populate][c]=true', depth)
  refused('populate[a][populate]=b.c', depth)
  allowed('populate[a][populate]=b')
  refused('populate[a][on][b.c][populate]=d.e', depth)
  allowed('populate[a][on][b.c][populate]=d')
  const path = limited('The path of a sort key', 'api.rest.maxPopulateDepth', 2)
  refused('sort=a.b.c.d', path)
  allowed('sort=a.b.c')
  refused('sort[a][b][c][d]=asc', path)
  allowed('sort[a][b][c]=asc')
  refused(
    `filters${'[$not]'.repeat(20)}[a]=1`,
    limited('The nesting of the query string', 'depth', 20),
  )
  allowed(`filters${'[$not]'.repeat(18)}[a][$null]=1`)
  refused(filters(10_001), limited('The number of parameters', 'parameters', 10_000))
  refused(filters(5001), limited('The number of conditions', 'filters', 10_000))
  allowed(filters(5000))
  it('rejects too many populated names, including those in components', () => {
    const names = Array.from({ length: 9998 }, (_, place) => `populate[a${place}]=1`).join('&')
    expect(refusalOf(`${names}&populate[z][on][b.c]=true`)).to.equal('understood')
    expect(refusalOf(`${names}&populate[z][populate]=a,b`)).to.deep.equal(
      limited('The number of populated names', 'populate', 10_000),
    )
    expect(refusalOf(`${names}&populate[z][on][b.c]=1&populate[z][on][b.d]=1`)).to.deep.equal(
      limited('The number of populated names', 'populate', 10_000),
    )
  })
})
