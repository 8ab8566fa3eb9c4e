import { expect } from 'chai'
import fc from 'fast-check'
import type { QueryCache } from '../../../../engine/read/plan/known-queries.js'
import type { ReadPlan } from '../../../../engine/read.js'
import { createCountingCache } from './counting-cache.js'
import { library } from '../execute/naive/library.js'
import { otherValues, spoiledValues } from '../execute/naive/other-values.js'
import type { Query } from '../execute/naive/query.js'
import type { Question } from '../execute/naive/question.js'
import { planOf, questions } from '../execute/naive/question.js'
import { runs } from '../../../support/properties.js'

describe('query of a cached shape', () => {
  const check = (property: (question: Question) => void): void => {
    fc.assert(fc.property(questions(library), property), { seed: 1, numRuns: runs(150) })
  }

  it('gets the same plan as without a cache', () => {
    check((question) => {
      const { cache, made } = createCountingCache()
      planOf(library, { ...question, query: otherValues(question.query) }, cache)
      const plan = planOf(library, question, cache)
      expect(made).to.include({ shapes: 1, plans: 1 })
      expect(plan).to.deep.equal(planOf(library, question))
    })
  })

  it('gets the plan for its own locale', () => {
    check((question) => {
      const { cache, made } = createCountingCache()
      const { locale = 'en' } = question.query
      // The shape only distinguishes one locale from several.
      const other = typeof locale === 'string' ? 'de' : ['de', 'fr']
      planOf(library, { ...question, query: { ...question.query, locale: other } }, cache)
      const plan = planOf(library, question, cache)
      expect(made.shapes).to.equal(1)
      expect(plan).to.deep.equal(planOf(library, question))
    })
  })

  it('is rejected exactly as without a cache', () => {
    let refused = 0
    check((question) => {
      const { cache } = createCountingCache()
      const spoiled = { ...question, query: spoiledValues(question.query) }
      planOf(library, question, cache)
      const outcome = outcomeOf(spoiled, cache)
      expect(outcome).to.deep.equal(outcomeOf(spoiled))
      if ('refused' in outcome) refused += 1
    })
    expect(refused).to.be.greaterThan(runs(30))
  })

  it('shares the nodes that do not depend on its values', () => {
    const { cache } = createCountingCache()
    const plan = (query: Query): ReadPlan =>
      planOf(library, { uid, query, search: '', format: 'flat', documentId: null }, cache)
    const uid = [...library.contentTypes.keys()].find((it) => it.endsWith('.book')) ?? ''
    const planWith = (title: string, name: string): ReadPlan =>
      plan({
        filters: { title },
        populate: { author: { filters: { name } }, shelf: { populate: '*' } },
      })
    const [first, second] = [planWith('a', 'b'), planWith('c', 'd')]
    const memberOf = ({ node }: ReadPlan, name: string) =>
      node.members.find((member) => member.name === name)
    expect(memberOf(second, 'shelf')).to.equal(memberOf(first, 'shelf'))
    expect(memberOf(second, 'author')).not.to.deep.equal(memberOf(first, 'author'))
    expect(plan({ populate: '*', filters: { title: 'a' } }).node).to.equal(
      plan({ populate: '*', filters: { title: 'b' } }).node,
    )
  })
})

function outcomeOf(question: Question, cache?: QueryCache): object {
  try {
    return planOf(library, question, cache)
  } catch (error) {
    const { message, details } = error as Error & { details: unknown }
    return { refused: message, details }
  }
}
