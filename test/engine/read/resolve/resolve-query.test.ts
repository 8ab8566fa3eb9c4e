import { expect } from 'chai'
import { prepare } from '../execute/prepare.js'

describe('query resolution', () => {
  const refused = (search: string, message: string) =>
    it(`rejects ${search.slice(0, 70)}: ${message}`, () => {
      expect(() => prepare(search))
        .to.throw()
        .that.includes({ status: 400, message })
    })

  const keys = Array.from({ length: 17 }, (_, n) => `key${n}`)
  refused(`sort=${keys.join(',')}`, 'The number of sort keys exceeds the limit of 16 (sort)')
  refused(
    `sort=${'author.articles.'.repeat(6)}title`,
    'The path of a sort key exceeds the limit of 10 (api.rest.maxPopulateDepth)',
  )
  refused(
    Array.from({ length: 51 }, (_, n) => `filters[$or][${n}][author][name]=x`).join('&'),
    'The number of relations that are filtered through exceeds the limit of 50 (filters)',
  )
  refused('populate[sections][on][shared.link][count]=true', 'Invalid key count at sections')
})

describe('sort with a repeated path', () => {
  it('uses the first occurrence', () => {
    expect(prepare('sort=title:asc,views,title:desc').plan().sort).to.deep.equal([
      { through: [], path: 'title', direction: 1 },
      { through: [], path: 'views', direction: 1 },
      { through: [], path: '_id', direction: 1 },
    ])
  })
})

describe('query that filters through many relations', () => {
  it('costs enough to run in the worker pool, unlike a plain query', () => {
    const filters = Array.from({ length: 45 }, (_, n) => `filters[$and][${n}][tags][name]=x`)
    expect(prepare('').plan().cost).to.be.lessThan(2000)
    expect(prepare(filters.join('&')).plan().cost).to.be.greaterThan(2000)
  })
})
