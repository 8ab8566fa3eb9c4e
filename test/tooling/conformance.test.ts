import { expect } from 'chai'
import { compare, isEqual, type Expectation } from '../conformance/compare.js'
import { loadCases, loadDeviations } from '../conformance/data.js'
import type { Deviation } from '../conformance/deviations.js'
import { normaliserFor } from '../conformance/normalise.js'
import { fillIn, newNames } from '../conformance/placeholders.js'
import { compareShares } from '../conformance/recorded-share.js'
import type { Answer } from '../conformance/records.js'
import { formatReport } from '../conformance/report.js'

const answer = (parts: Partial<Answer>): Answer => ({
  id: 'sort.one',
  area: 'sort',
  request: { as: 'full', method: 'GET', path: '/api/tags' },
  status: 200,
  contentType: 'application/json',
  body: { data: [{ name: 'a' }, { name: 'b' }] },
  ...parts,
})

const byId = (...answers: readonly Answer[]) => new Map(answers.map((a) => [a.id, a]))

const judge = (expected: Answer, actual: Answer, parts: Partial<Expectation> = {}) => {
  const expectation = {
    ...{ answers: byId(expected), alternatives: byId(), deviations: [] },
    ...{ generatesUids: false, ...parts },
  }
  const [verdict] = compare(expectation, byId(actual), () => true)
  return verdict!
}

describe('compare', () => {
  it('finds status, body, content type and header differences', () => {
    expect(judge(answer({}), answer({})).kind).to.equal('same')
    expect(judge(answer({}), answer({ status: 201 })).kind).to.equal('different')
    expect(judge(answer({}), answer({ contentType: 'text/html' })).kind).to.equal('different')
    const headers = { vary: 'Origin' }
    expect(judge(answer({ headers }), answer({ headers: { vary: null } })).kind).to.equal(
      'different',
    )
  })

  it('lists the paths that differ', () => {
    const actual = answer({ body: { data: [{ name: 'a', extra: 1 }] } })
    expect(judge(answer({}), actual).differences).to.deep.equal([
      { path: '.body.data.length', expected: 2, actual: 1 },
      { path: '.body.data[0].extra', expected: undefined, actual: 1 },
    ])
  })

  it('accepts a response that equals the alternative', () => {
    const actual = answer({ body: { data: [] } })
    expect(judge(answer({}), actual, { alternatives: byId(actual) }).kind).to.equal('alternative')
  })

  it('accepts a generated slug for the null of Strapi, but no other difference', () => {
    const entry = (slug: string | null, name = 'a'): Answer =>
      answer({ body: { data: [{ name, slug }] } })
    const generates = { generatesUids: true }
    expect(judge(entry(null), entry('rain-1'), generates).kind).to.equal('same')
    expect(judge(entry(null), entry('rain-1')).kind).to.equal('different')
    expect(judge(entry('rain'), entry('rain-1'), generates).kind).to.equal('different')
    expect(judge(entry(null), entry('No slug'), generates).kind).to.equal('different')
    expect(judge(entry(null), entry('rain', 'b'), generates).kind).to.equal('different')
  })

  it('accepts only the status that a deviation names', () => {
    const deviations: Deviation[] = [{ id: 'sort\\..*', status: [400, '5xx'], why: 'decided' }]
    expect(judge(answer({}), answer({ status: 400 }), { deviations }).kind).to.equal('deviation')
    expect(judge(answer({}), answer({ status: 503 }), { deviations }).kind).to.equal('deviation')
    expect(judge(answer({}), answer({ status: 404 }), { deviations }).kind).to.equal('different')
  })

  it('matches the id of a deviation as a whole', () => {
    const deviations: Deviation[] = [{ id: 'sort\\.on', status: 400, why: 'decided' }]
    expect(judge(answer({}), answer({ status: 400 }), { deviations }).kind).to.equal('different')
  })

  it('ignores only the order of a list for an unordered deviation', () => {
    const deviations: Deviation[] = [{ id: 'sort\\.one', unordered: true, why: 'decided' }]
    const reversed = answer({ body: { data: [{ name: 'b' }, { name: 'a' }] } })
    expect(judge(answer({}), reversed, { deviations }).kind).to.equal('deviation')
    const other = answer({ body: { data: [{ name: 'b' }, { name: 'c' }] } })
    expect(judge(answer({}), other, { deviations }).kind).to.equal('different')
  })

  it('reports a case without a response as missing', () => {
    const expectation = {
      ...{ answers: byId(answer({})), alternatives: byId(), deviations: [] },
      generatesUids: false,
    }
    const verdicts = compare(expectation, byId(), () => true)
    expect(verdicts.map((v) => [v.kind, isEqual(v)])).to.deep.equal([['missing', false]])
    const report = formatReport(verdicts, { statusOnly: true, all: false, max: 10 })
    expect(report).to.match(/sort\.one: not answered\n\n1 differing case\(s\)$/)
  })
})

describe('conformance data', () => {
  it('has no deviation that matches no case', () => {
    const ids = loadCases().map(({ id }) => id)
    const names = ['deviations', 'strict-deviations', 'strapi-deviations']
    const own = names.flatMap((name) => loadDeviations(`${name}.json`))
    const idle = own.filter(
      ({ id }) => id !== undefined && !ids.some((one) => new RegExp(`^(?:${id})$`).test(one)),
    )
    expect(idle).to.deep.equal([])
  })
})

describe('normaliserFor', () => {
  it('masks ids, timestamps and tokens, and names known documents', () => {
    const names = newNames()
    names.documents['tag.red'] = 'a23456789012345678901234'
    const raw = {
      id: 7,
      documentId: 'a23456789012345678901234',
      createdAt: '2025-01-01T00:00:00.000Z',
      rank: 7,
      message: 'relation with id 12 of b23456789012345678901234',
    }
    expect(normaliserFor(names).body(raw)).to.deep.equal({
      id: '<id>',
      documentId: '@tag.red',
      createdAt: '<ts>',
      rank: 7,
      message: 'relation with id <id> of <docId>',
    })
  })
})

describe('fillIn', () => {
  it('keeps the type of a placeholder that is the whole text', () => {
    const names = { ...newNames(), ids: { 'tag.red': { id: 7 } } }
    expect(fillIn(['${tag.red#id}', 'id=${tag.red#id}'], names)).to.deep.equal([7, 'id=7'])
  })

  it('replaces an unknown placeholder by a missing name', () => {
    expect(fillIn('/api/tags/${tag.blue}', newNames())).to.equal('/api/tags/missing-tag.blue')
  })
})

describe('compareShares', () => {
  it('compares shares, and not counts', () => {
    const half = { equal: 50, cases: 100 }
    expect(compareShares({ equal: 60, cases: 120 }, half)).to.equal(0)
    expect(compareShares({ equal: 59, cases: 120 }, half)).to.be.below(0)
    expect(compareShares({ equal: 51, cases: 100 }, half)).to.be.above(0)
  })
})
