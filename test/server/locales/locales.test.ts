import { expect } from 'chai'
import type { CommandStartedEvent, MongoClient } from 'mongodb'
import { pino } from 'pino'
import { connectDatabase } from '../../../server/database/connect.js'
import { leaseMs, openLocales, type LocaleDocument } from '../../../server/locales/locales.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'

describe('openLocales', () => {
  let client: MongoClient
  before(async () => {
    client = await connectDatabase(`${await testDatabaseUri()}&monitorCommands=true`, {
      appName: 'test',
    })
  })
  after(() => client.close())

  const insert = (id: number, code: string, isDefault: boolean) => {
    const at = new Date(2026, 0, id)
    const dates = { createdAt: at, updatedAt: at, publishedAt: at }
    const locale = { _id: id, documentId: `locale${id}`, name: code, code, isDefault, ...dates }
    return client.db().collection<LocaleDocument>('locales').insertOne(locale)
  }

  it('returns English if no locale is configured, and follows writes of other processes', async () => {
    const locales = await openLocales(client.db(), pino({ level: 'silent' }))
    try {
      const chains = new Map()
      expect(locales.current()).to.deep.equal({ codes: new Set(['en']), default: 'en', chains })
      await insert(1, 'fr', true)
      await insert(2, 'de', false)
      await locales.refresh()
      expect(locales.current()).to.deep.equal({
        ...{ codes: new Set(['fr', 'de']), default: 'fr', chains },
      })
      await insert(3, 'it', true)
      await eventually(() => locales.current().default === 'it')
      expect(locales.current()).to.deep.equal({
        ...{ codes: new Set(['fr', 'de', 'it']), default: 'it', chains },
      })
    } finally {
      locales.stop()
    }
  })

  it('reads the locales once for concurrent requests after its lease expired', async () => {
    const locales = await openLocales(client.db(), pino({ level: 'silent' }))
    locales.stop()
    await new Promise((resolve) => setTimeout(resolve, leaseMs + 100))
    let reads = 0
    const count = ({ command }: CommandStartedEvent) =>
      void (reads += Number(command['find'] === 'locales'))
    client.on('commandStarted', count)
    const codes = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'fr' : 'sv'))
    const answers = await Promise.all(codes.map(locales.holds))
    client.off('commandStarted', count)
    expect(answers).to.deep.equal(codes.map((code) => code === 'fr'))
    expect(reads).to.equal(1)
  })
})
