import { expect } from 'chai'
import { writeChosenLevel } from '../../../server/logging/chosen-level.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Line = Readonly<{ event?: string; level: number }>

describe('PUT /admin/log-level', function () {
  this.timeout(60_000)
  const first = collectLines()
  const second = collectLines()
  let one: TestApp
  let other: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    one = await startApp({ databaseUri, log: first.log })
    other = await startApp({ databaseUri, log: second.log })
  })
  after(async () => {
    await one?.stop()
    await other?.stop()
  })
  afterEach(async () => {
    await send('DELETE')
    await eventually(() => Promise.resolve(levelOf(other) === 'info'))
  })

  const path = '/admin/log-level'
  const send = (method: string, body?: object, app = one) =>
    app.request(method, path, { token: app.adminJwt, ...(body === undefined ? {} : { body }) })
  const levelOf = ({ quire }: TestApp): string => quire.services.log.level
  const changes = (lines: readonly string[]): readonly object[] =>
    lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === 'log-level')

  it('changes the level of all instances, and each logs the change with its author', async () => {
    const began = [changes(first.lines).length, changes(second.lines).length]
    const changed = await send('PUT', { level: 'debug' })
    expect([changed.status, changed.body]).to.deep.equal([
      200,
      { data: { level: 'debug', configured: 'info', until: null } },
    ])
    expect(levelOf(one)).to.equal('debug')
    await eventually(() => Promise.resolve(levelOf(other) === 'debug'))
    for (const [index, { lines }] of [first, second].entries()) {
      const [line, ...more] = changes(lines).slice(began[index])
      expect(more).to.deep.equal([])
      expect(line).to.deep.include({
        ...{ level: 30, from: 'info', to: 'debug', by: 'admin 1' },
        request: changed.headers.get('x-request-id'),
        msg: 'The log level changed from info to debug',
      })
    }
    expect((await send('GET', undefined, other)).body).to.deep.equal(changed.body)
  })

  it('can also reduce the output, and logs the change first', async () => {
    await send('PUT', { level: 'error' })
    expect(changes(first.lines).at(-1)).to.deep.include({ from: 'info', to: 'error' })
    const count = first.lines.length
    await send('GET')
    expect(first.lines.slice(count)).to.deep.equal([])
    await send('DELETE')
    expect(changes(first.lines).at(-1)).to.deep.include({ from: 'error', to: 'info' })
  })

  it('applies to instances that start later', async () => {
    await send('PUT', { level: 'debug' })
    const later = await startApp({ databaseUri, log: collectLines().log })
    try {
      expect(levelOf(later)).to.equal('debug')
    } finally {
      await later.quire.stop()
    }
  })

  it('restores the configured level after `for` minutes', async () => {
    const before = Date.now()
    const { body } = await send('PUT', { level: 'debug', for: 30 })
    const { until } = (body as { data: { until: string } }).data
    expect(Date.parse(until)).to.be.within(before + 29 * 60_000, Date.now() + 31 * 60_000)
    // The API accepts no time (`for`) below a minute, so a shorter one is written directly.
    const chosen = { level: 'debug', by: 'admin 1', request: 'r' } as const
    await writeChosenLevel(one.quire.services.db, { ...chosen, forMs: 300 })
    for (const app of [one, other]) {
      await eventually(() => Promise.resolve(levelOf(app) === 'info'))
      await eventually(async () => {
        const { data } = (await send('GET', undefined, app)).body as { data: object }
        return JSON.stringify(data) === '{"level":"info","configured":"info","until":null}'
      })
    }
  })

  it('returns 401 to callers that are not admins', async () => {
    for (const token of [one.token, undefined]) {
      const answer = await one.request('PUT', path, {
        ...(token === undefined ? {} : { token }),
        body: { level: 'debug' },
      })
      expect(answer.status).to.equal(401)
    }
    expect(levelOf(one)).to.equal('info')
  })

  it('returns 400 for an unknown level, and suggests the nearest one', async () => {
    const { status, body } = await send('PUT', { level: 'debugg' })
    const message = 'level must be one of fatal, error, warn, info, debug, silent'
    expect([status, body]).to.deep.equal([
      400,
      {
        data: null,
        error: {
          ...{ status: 400, name: 'ValidationError', message },
          details: {
            errors: [{ path: ['level'], message, name: 'ValidationError' }],
            suggestion: 'debug',
          },
        },
      },
    ])
  })

  const refused: readonly (readonly [body: object, message: string, suggestion?: string])[] = [
    [{}, 'level is a required field'],
    [{ level: 10 }, 'level must be a `string` type, but the final value was: `10`.'],
    [
      { levels: 'debug' },
      'Invalid key levels. The body can have level, and for (a number of minutes)',
      'level',
    ],
    [{ level: 'debug', for: 0 }, 'for must be greater than or equal to 1'],
    [{ level: 'debug', for: 1.5 }, 'for must be an integer'],
    [{ level: 'debug', for: 10_081 }, 'for must be less than or equal to 10080'],
  ]
  for (const [given, message, suggestion] of refused)
    it(`returns 400 for ${JSON.stringify(given)}`, async () => {
      const { status, body } = await send('PUT', given)
      const { error } = body as { error: { message: string; details: { suggestion?: string } } }
      expect([status, error.message, error.details.suggestion]).to.deep.equal([
        400,
        message,
        suggestion,
      ])
      expect(levelOf(one)).to.equal('info')
    })
})
