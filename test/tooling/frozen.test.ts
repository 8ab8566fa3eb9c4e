import { expect } from 'chai'
import { loadCases } from '../conformance/data.js'
import { readFrozen } from '../conformance/frozen/answer-file.js'
import { loadBugReports } from '../reports/bug-reports.js'
import { findChanges } from '../conformance/frozen/find-changes.js'
import { freezeAnswer } from '../conformance/frozen/freeze-case.js'
import { newNames } from '../conformance/placeholders.js'
import type { Answer, Case, JsonValue } from '../conformance/records.js'

const one: Case = {
  ...{ id: 'list.tags', area: 'list', phase: 'read', as: 'full' },
  ...{ method: 'GET', path: '/api/tags' },
}

const freeze = (json: JsonValue | undefined, headers: Record<string, string> = {}, text = '') => {
  const names = newNames()
  names.documents['tag.red'] = 'a23456789012345678901234'
  return freezeAnswer(one, { status: 200, headers: new Headers(headers), text, json }, names)
}

describe('freezeAnswer', () => {
  it('keeps record ids, other values and the order of keys', () => {
    const body = {
      id: 7,
      title: 'a',
      parts: [{ n: 1.5 }, null, true],
      at: '2024-01-15T10:30:00.000Z',
    }
    expect(JSON.stringify(freeze(body).body)).to.equal(JSON.stringify(body))
  })

  it('masks write times, tokens and hashes in file names', () => {
    const body = {
      createdAt: '2025-01-01T00:00:00.000Z',
      jwt: 'eyJa.eyJb.c-_',
      url: '/big_626e46dcbb.png',
    }
    expect(freeze(body).body).to.deep.equal({
      ...{ createdAt: '<ts>', jwt: '<jwt>', url: '/big_<hash>.png' },
    })
  })

  it('names known documents, and numbers others in order of appearance', () => {
    const [b, c] = ['b23456789012345678901234', 'c23456789012345678901234']
    expect(freeze([c, b, `${c}, a23456789012345678901234`]).body).to.deep.equal([
      ...['<docId 1>', '<docId 2>', '<docId 1>, @tag.red'],
    ])
  })

  it('keeps headers, and masks values of a single request', () => {
    const headers = {
      ...{ allow: 'GET', date: 'today', etag: `"1795708269249-${'h'.repeat(27)}"` },
      ...{
        'content-length': '2',
        'content-type': 'text/html; charset=utf-8',
        'x-request-id': '1f',
      },
    }
    const frozen = freeze(undefined, headers, 'hi')
    expect(frozen).to.include({ contentType: 'text/html; charset=utf-8', body: 'hi' })
    expect(frozen.headers).to.deep.equal({
      ...{ allow: 'GET', etag: '"<ts>-<hash>"', 'x-request-id': '<id>' },
    })
  })
})

describe('findChanges', () => {
  const changes = (before: readonly Answer[], after: readonly Answer[]) =>
    findChanges(new Map(before.map((a) => [a.id, a])), new Map(after.map((a) => [a.id, a])))

  it('returns nothing for equal responses', () => {
    expect(changes([freeze({ a: 1 })], [freeze({ a: 1 })])).to.deep.equal([])
  })

  it('lists the request, and every path with its values before and after', () => {
    const after = { ...freeze({ a: 2, b: 'x' }, { allow: 'GET' }), status: 201 }
    expect(changes([freeze({ a: 1 })], [after])).to.deep.equal([
      [
        'list.tags  [full GET /api/tags]',
        '    status: 200 -> 201',
        '    body.a: 1 -> 2',
        '    body.b: (absent) -> "x"',
        '    headers.allow: (absent) -> "GET"',
      ].join('\n'),
    ])
  })

  it('reports a changed order of keys', () => {
    expect(changes([freeze({ a: 1, b: 2 })], [freeze({ b: 2, a: 1 })])).to.deep.equal([
      'list.tags  [full GET /api/tags]\n    the same keys in another order',
    ])
  })

  it('reports a case without a response, and a new case', () => {
    expect(changes([freeze({})], [])).to.deep.equal(['list.tags: not answered'])
    expect(changes([], [freeze({})])).to.deep.equal(['list.tags: not frozen yet'])
  })
})

describe('readFrozen', () => {
  it('returns one response for each case', () => {
    const remedy = 'run `npm run frozen -- --write`'
    const cases = loadCases().map(({ id }) => id)
    const reported = loadBugReports().flatMap((report) => report.cases.map(({ id }) => id))
    expect([...readFrozen('strict').keys()], remedy).to.have.members(cases)
    expect([...readFrozen('strapi').keys()], remedy).to.have.members(cases)
    expect([...readFrozen('bug-reports').keys()], remedy).to.have.members(reported)
  })
})
