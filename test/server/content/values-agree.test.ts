import { expect } from 'chai'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { inTimeZones } from '../../support/time-zones.js'

/** For each attribute: type, value that is sent, and value that responses show. */
const values = [
  ['datetime', '2024-01-15T10:00:00', '2024-01-15T10:00:00.000Z'],
  ['datetime', '2024-07-15 10:00', '2024-07-15T10:00:00.000Z'],
  ['datetime', '2024-01-15', '2024-01-15T00:00:00.000Z'],
  ['datetime', '2024-01-15T10:00:00,25+0530', '2024-01-15T04:30:00.250Z'],
  ['timestamp', '2024-01-15t10:00:00z', '2024-01-15T10:00:00.000Z'],
  ['datetime', '20240115', '2024-01-15T00:00:00.000Z'],
  ['timestamp', '2024', '2024-01-01T00:00:00.000Z'],
  ['datetime', '1705314600000', '2024-01-15T10:30:00.000Z'],
  ['date', '2024-01-15T23:00:00-05:00', '2024-01-15'],
  ['time', '10:30:00.5', '10:30:00.500'],
  ['decimal', '12.50', 12.5],
  ['biginteger', '+0009223372036854775807', '9223372036854775807'],
] as const

const nameOf = (at: number): string => `v${at}`
const attributes = values.map(([type], at) => [nameOf(at), { type }] as const)
const defaults = values.map(([type, value], at) => [nameOf(at), { type, default: value }] as const)
const typeNamed = (name: string, members: readonly (readonly [string, object])[]) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: Object.fromEntries(members),
})

describe('date, time and number formats', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({
      schema: {
        'content-types/event.json': typeNamed('event', attributes),
        'content-types/preset.json': typeNamed('preset', defaults),
      },
      // If the database is not exclusive, a read may return a response that was cached before a write.
      settings: { 'database.exclusive': true },
    })
  })
  after(() => app.stop())

  const send = async (method: string, path: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: { data } }
    const answer = await app.request(method, path, { token: app.token, ...body })
    return { status: answer.status, body: answer.body as { data: Record<string, unknown> } }
  }
  const shownOf = (entry: Record<string, unknown>) => values.map((_, at) => entry[nameOf(at)])
  const expected = values.map(([, , shown]) => shown)

  it(
    'mean the same in a body, a filter and a default, in any time zone of the machine',
    inTimeZones(async (zone) => {
      const data = Object.fromEntries(values.map(([, value], at) => [nameOf(at), value]))
      const event = await send('POST', '/api/events', data)
      expect(event.status, JSON.stringify(event.body)).to.equal(201)
      expect(shownOf(event.body.data), zone).to.deep.equal(expected)
      const preset = await send('POST', '/api/presets', {})
      expect(shownOf(preset.body.data), zone).to.deep.equal(expected)
      const { documentId } = event.body.data
      for (const [at, [type, value]] of values.entries()) {
        const filters = `filters[documentId]=${documentId as string}&filters[${nameOf(at)}]=${encodeURIComponent(value)}`
        const found = await send('GET', `/api/events?fields=documentId&${filters}`)
        expect(found.body.data, `${type} ${value} in ${zone}`).to.have.length(1)
      }
    }),
  )

  it('are rejected in a body like in a filter if they are not valid', async () => {
    const message = 'Invalid format, expected a timestamp or an ISO date'
    for (const value of ['202413', '20240231', '2024-02-31T10:00:00', 'Jan 5 2024']) {
      const query = `filters[v0]=${encodeURIComponent(value)}`
      const refused = (details: object) => ({
        status: 400,
        body: { data: null, error: { status: 400, name: 'ValidationError', message, details } },
      })
      const expected = 'a date and time in ISO form'
      const error = { path: ['v0'], message, name: 'ValidationError', value, expected }
      const place = { path: 'v0', source: 'query', param: 'filters', expected, received: value }
      expect(await send('POST', '/api/events', { v0: value }), value).to.deep.equal(
        refused({ errors: [error] }),
      )
      expect(await send('GET', `/api/events?${query}`), value).to.deep.equal(refused(place))
    }
  })
})
