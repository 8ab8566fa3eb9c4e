import { expect } from 'chai'
import { assertNoInterference } from './non-interference/assert.js'
import { startTwoServices, type TwoServices } from './non-interference/two-services.js'
import { isAsOftenAsInCI, runs } from '../../support/properties.js'

describe('data that a caller may not read', () => {
  let services: TwoServices
  before(async () => {
    services = await startTwoServices()
  })
  after(() => services.stop())

  it('does not change responses if only drafts of a type are hidden', async () => {
    const actions = ['api::topic.topic.find', 'plugin::upload.content-api.find']
    const verbs = ['find', 'findOne', 'findDrafts'].map((verb) => `api::book.book.${verb}`)
    const paths = [
      'populate=topics',
      'populate[topics][populate]=*',
      'filters[topics][name][$notNull]=true',
      'filters[topics][$null]=true',
      'sort=topics.name',
      'populate=*&locale=*',
    ].flatMap((query) => [
      `/api/books?status=draft&${query}`,
      `/api/books?${query}`,
      `/api/books/book1?status=draft&${query}`,
      `/api/topics?status=draft&${query.replaceAll('topics', 'wider')}`,
    ])
    const fixed = { permissions: new Set([...actions, ...verbs]), paths }
    const { content } = await assertNoInterference(services, {
      ...{ seed: 3, numRuns: runs(3), requests: 0, fixed },
    })
    expect(content).to.be.above(runs(20))
  })

  for (const seed of [1, 2])
    it(`does not change responses to reads (seed ${seed})`, async () => {
      const { content, all } = await assertNoInterference(services, {
        ...{ seed, numRuns: runs(10), requests: 25 },
      })
      // If few requests returned content, the comparison would prove little.
      if (isAsOftenAsInCI) expect(content / all).to.be.above(0.25)
    })

  it('does not change responses to writes', async () => {
    const { content, all } = await assertNoInterference(services, {
      ...{ seed: 11, numRuns: runs(10), requests: 30, writes: true },
    })
    if (isAsOftenAsInCI) expect(content / all).to.be.above(0.25)
  })
})
