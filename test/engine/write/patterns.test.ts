import { expect } from 'chai'
import type { PatternChecker } from '../../../engine/patterns/pattern-check.js'
import { createDocument } from '../../../engine/write.js'
import { errorBody } from '../../support/error-body.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { contentType } from './model.js'
import type { Writing } from './start-writing.js'
import { published, refusal, startWriting } from './start-writing.js'

const hostile = `${'a'.repeat(40)}!`
const nested = '^(a+)+$'
/** A look-ahead cannot be matched in linear time. */
const hanging = '^(?=a)(a+)+$'

const attributes = {
  nested: { type: 'text', regex: nested },
  hanging: { type: 'text', regex: hanging },
  twice: { type: 'string', regex: '^(.)\\1$' },
  secret: { type: 'password', regex: '^(?=.*\\d).*$' },
  spaces: { type: 'string', regex: '^\\s$' },
  expensive: { type: 'text', regex: '^(?:[ab].{0,300}){3}$' },
}
const names = { type: 'component', component: 'shared.name', repeatable: true }
const schema = {
  'content-types/note.json': {
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { ...attributes, names },
  },
  'components/shared/name.json': { attributes: { first: { type: 'string', regex: '^(?!x)' } } },
}
const misses = (path: readonly string[], source: string, value: unknown) => {
  const message = `${path.join('.')} must match the following: "/${source}/"`
  return refused(path, message, value)
}
const slow = (name: string, source: string, value: unknown) =>
  refused([name], `Matching ${name} with the pattern "/${source}/" took too long`, value)
const refused = (path: readonly string[], message: string, value: unknown) =>
  errorBody(400, 'ValidationError', message, {
    errors: [{ path, message, name: 'ValidationError', ...(value === undefined ? {} : { value }) }],
  })

describe('regex of an attribute', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ schema, settings: { 'patterns.timeoutMs': 60_000 } })
  })
  after(() => app.stop())

  const create = async (data: object) => {
    const { token } = app
    const { status, body } = await app.request('POST', '/api/notes', { token, body: { data } })
    return { status, body: body as Record<string, unknown> }
  }

  it('rejects a text at once even if the pattern has nested repetitions', async () => {
    const { status, body } = await create({ nested: hostile })
    expect(body).to.deep.equal(misses(['nested'], nested, hostile))
    expect(status).to.equal(400)
    expect(await create({ nested: 'a'.repeat(40) })).to.include({ status: 201 })
  })

  it('matches like JavaScript', async () => {
    expect(await create({ spaces: '\u00a0' })).to.include({ status: 201 })
    expect(await create({ spaces: '\u200b' })).to.include({ status: 400 })
  })

  it('supports look-aheads and back-references', async () => {
    expect(await create({ twice: 'aa', secret: 'secret 1', hanging: 'aaa' })).to.include({
      status: 201,
    })
    const { body } = await create({ twice: 'ab' })
    expect(body).to.deep.equal(misses(['twice'], '^(.)\\1$', 'ab'))
  })

  it('applies to passwords and components, and is reported with other errors', async () => {
    const { status, body } = await create({
      ...{ secret: 'secret', twice: 'ab', spaces: 'x' },
      names: [{ first: 'a' }, { first: 'xa' }],
    })
    expect(status).to.equal(400)
    const { errors } = (body['error'] as { details: { errors: { message: string }[] } }).details
    expect(errors.map(({ message }) => message)).to.deep.equal([
      'twice must match the following: "/^(.)\\1$/"',
      'secret must match the following: "/^(?=.*\\d).*$/"',
      'spaces must match the following: "/^\\s$/"',
      'names[1].first must match the following: "/^(?!x)/"',
    ])
  })

  it('returns 400 if it takes too long, while other requests are answered', async () => {
    const other = await startApp({ schema, settings: { 'patterns.timeoutMs': 1000 } })
    const create = (data: object) =>
      other.request('POST', '/api/notes', { token: other.token, body: { data } })
    const stuck = create({ hanging: hostile })
    const first = await Promise.race([stuck, other.request('GET', '/_health')])
    expect(first.status, 'health check').to.equal(204)
    expect(await create({ nested: 'a' }), 'other write').to.include({ status: 201 })
    const { status, body } = await stuck
    expect(body).to.deep.equal(slow('hanging', hanging, hostile))
    expect(status).to.equal(400)
    expect(await create({ hanging: 'a' }), 'next write').to.include({ status: 201 })
    await other.stop()
  })

  it('returns 503 and reports that nothing was done if too many checks are queued', async () => {
    const settings = { 'patterns.timeoutMs': 1000, 'patterns.queueLimit': 1 }
    const other = await startApp({ schema, settings })
    const body = { data: { hanging: hostile } }
    const calls = Array.from({ length: 6 }, () =>
      other.request('POST', '/api/notes', { token: other.token, body }),
    )
    const busy = (await Promise.all(calls)).find(({ status }) => status === 503)
    expect(busy?.body).to.deep.equal(
      errorBody(503, 'ServiceUnavailableError', 'Too many writes are waiting for pattern checks', {
        outcome: 'not-done',
      }),
    )
    expect(busy?.headers.get('retry-after')).to.equal('1')
    await other.stop()
  })

  it('applies to long texts', async () => {
    const long = 'a'.repeat(900_000)
    expect(await create({ nested: long })).to.include({ status: 201 })
    expect(await create({ nested: `${long}!` })).to.include({ status: 400 })
    const many = Array.from({ length: 2000 }, (_, at) => ({ first: `a${at}` }))
    expect(await create({ names: many })).to.include({ status: 201 })
    expect(await create({ names: [...many, { first: 'x' }] })).to.include({ status: 400 })
  })

  it('applies to drafts only when they are published', async () => {
    const type = {
      info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
      options: { draftAndPublish: true },
      attributes: { hanging: { type: 'text', regex: hanging } },
    }
    const other = await startApp({
      schema: { 'content-types/page.json': type },
      settings: { 'patterns.timeoutMs': 1000 },
    })
    const { token } = other
    const body = { data: { hanging: hostile } }
    const created = await other.request('POST', '/api/pages?status=draft', { token, body })
    expect(created.status).to.equal(201)
    const { documentId } = (created.body as { data: { documentId: string } }).data
    const publish = await other.request('POST', `/api/pages/${documentId}/actions/publish`, {
      token,
    })
    expect(publish.body).to.deep.equal(slow('hanging', hanging, hostile))
    await other.stop()
  })
})

describe('patterns of a write', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting([contentType('note', attributes)])
  })
  after(() => writing.stop())

  const create = (data: object, checkPatterns?: PatternChecker) =>
    createDocument({ ...writing.context, checkPatterns }, writing.type('note'), published, data)

  it('are sent to the checker in one batch, and only if they may be slow', async () => {
    const calls: unknown[] = []
    const check: PatternChecker = (checks) => {
      calls.push(checks)
      return Promise.resolve(checks.map(() => 'found'))
    }
    const expensive = 'ab'.repeat(2000)
    await create(
      { nested: hostile.slice(0, -1), twice: 'xy', spaces: ' ', expensive, secret: 'x' },
      check,
    )
    expect(calls).to.deep.equal([
      // yup validates the attributes in reverse order, so their checks are in reverse order, too.
      [
        { source: attributes.expensive.regex, text: expensive },
        { source: '^(?=.*\\d).*$', text: 'x' },
        { source: '^(.)\\1$', text: 'xy' },
      ],
    ])
  })

  it('are reported as too slow if there is no checker', async () => {
    const { message } = await refusal(create({ twice: 'aa' }))
    expect(message).to.equal('Matching twice with the pattern "/^(.)\\1$/" took too long')
  })
})
