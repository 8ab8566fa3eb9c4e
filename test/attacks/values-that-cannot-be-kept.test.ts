import { expect } from 'chai'
import { errorBody } from '../support/error-body.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('body with values that cannot be stored', () => {
  let app: TestApp
  before(async () => (app = await startApp()))
  after(() => app.stop())

  const deep = `${'['.repeat(99)}1${']'.repeat(99)}`
  const wrong: readonly (readonly [
    what: string,
    data: string,
    path: string | null,
    message: string,
  ])[] = [
    ['NUL', '{ "meta": [{ "a": "\\u0000" }] }', 'meta[0].a', 'meta[0].a must not contain NUL'],
    [
      'an unpaired surrogate',
      '{ "meta": [{ "a": "\\ud800" }] }',
      'data.meta.0.a',
      'data.meta.0.a must be well-formed Unicode text',
    ],
    [
      'an invalid key',
      '{ "meta": { "\\u0000": 1 } }',
      'data.meta',
      'A key at data.meta must be well-formed text without NUL',
    ],
    [
      'a number out of range',
      '{ "meta": 1e999 }',
      'meta',
      'meta must not hold a number beyond 1.7976931348623157e+308',
    ],
    [
      'too many levels',
      `{ "meta": ${deep} }`,
      null,
      'The JSON is nested deeper than 100 levels at byte 118',
    ],
  ]
  for (const [what, data, path, message] of wrong)
    it(`is refused with the path of ${what}`, async () => {
      const { status, body } = await app.request('POST', '/api/articles', {
        token: app.token,
        body: `{ "data": ${data} }`,
        headers: { 'Content-Type': 'application/json' },
      })
      expect([status, body]).to.deep.equal([
        400,
        errorBody(400, 'ValidationError', message, { path, source: 'body' }),
      ])
    })
})
