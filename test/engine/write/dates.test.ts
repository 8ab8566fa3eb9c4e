import { expect } from 'chai'
import { createDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { published, refusal, startWriting } from './start-writing.js'

describe('dates and times', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = (data: unknown) =>
    createDocument(writing.context, writing.type('record'), published, data)
  const stored = async (name: 'day' | 'time' | 'at', value: unknown): Promise<unknown> => {
    await writing.clear()
    await create({ [name]: value })
    const storedValue: unknown = (await writing.stored('records'))[0]?.[name]
    return storedValue instanceof Date ? storedValue.toISOString() : storedValue
  }
  const forms = {
    day: 'a date (yyyy-MM-dd)',
    time: 'a time (HH:mm:ss)',
    at: 'a date and time in ISO form',
  }
  const refused = async (name: 'day' | 'time' | 'at', value: unknown) => {
    const { status, message, details } = await refusal(create({ [name]: value }))
    const hints = { message: message as unknown, expected: forms[name] }
    const empty = value === '' ? { suggestion: 'For no value, send null' } : {}
    const error = { path: [name], name: 'ValidationError', value, ...hints, ...empty }
    expect([status, details]).to.deep.equal([400, { errors: [error] }])
    return message as unknown
  }

  for (const [given, storedValue] of [
    ['2024-01-02', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02 03:04', '2024-01-02T03:04:00.000Z'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123Z'],
    ['2024-01-02T03:04:05+0130', '2024-01-02T01:34:05.000Z'],
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-03', '2024-03-01T00:00:00.000Z'],
    ['202403', '2024-03-01T00:00:00.000Z'],
    ['20240115', '2024-01-15T00:00:00.000Z'],
    ['2024015', '2024-01-15T00:00:00.000Z'],
    ['2024-366', '2024-12-31T00:00:00.000Z'],
    ['2024-02-29T23:59:59-01:00', '2024-03-01T00:59:59.000Z'],
    ['1704164645000', '2024-01-02T03:04:05.000Z'],
    [1704164645000, '2024-01-02T03:04:05.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
  ] as const)
    it(`are accepted in every datetime format: ${JSON.stringify(given)}`, async () => {
      expect(await stored('at', given)).to.equal(storedValue)
    })

  it('are rejected if a datetime is invalid', async () => {
    for (const value of [
      ...['abc', '', '2024-02-30', '2023-02-29T10:00:00Z', '2024-13-01', '2024-01-02T25:00:00Z'],
      ...['20240231', '202413', '2024000', '2025366', '2024-0115', '-2024'],
      ...['2024-01-02T03:04:05+99:99', '1e3'],
      ...[8.65e15, true, [], {}],
    ])
      expect(await refused('at', value), JSON.stringify(value)).to.equal(
        'Invalid format, expected a timestamp or an ISO date',
      )
  })

  it('are stored as a day, also from a datetime, and rejected if the day does not exist', async () => {
    expect(await stored('day', '2024-02-29')).to.equal('2024-02-29')
    expect(await stored('day', '2024-01-15T23:00:00-05:00')).to.equal('2024-01-15')
    for (const value of ['2024-02-31', '2023-02-29', '2024-00-10', '2024-13-01T00:00:00Z'])
      expect(await refused('day', value)).to.equal('Invalid date')
    for (const value of ['2024-01-15th', '2024-01-15T', '2024-1-5', '15.01.2024', '', 20240115, []])
      expect(await refused('day', value)).to.equal('Invalid format, expected yyyy-MM-dd')
  })

  it('are stored as a time with milliseconds, and rejected without seconds', async () => {
    expect(await stored('time', '23:59:59')).to.equal('23:59:59.000')
    expect(await stored('time', '10:30:00.1')).to.equal('10:30:00.100')
    for (const value of ['10:30', '24:00:00', '10:30:60', '10:30:00Z', '10:30:00.1234', ''])
      expect(await refused('time', value)).to.equal('Invalid time format, expected HH:mm:ss.SSS')
    expect(await refused('time', 5)).to.equal('Expected a string, got a number')
  })

  it('are cleared by null', async () => {
    for (const name of ['day', 'time', 'at'] as const)
      expect(await stored(name, null)).to.equal(null)
  })
})
