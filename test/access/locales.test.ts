import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { pino } from 'pino'
import { connectDatabase } from '../../server/database/connect.js'
import { openLocales, type LocaleDocument } from '../../server/locales/locales.js'
import { testDatabaseUri } from '../support/database.js'

describe('the configured locales', () => {
  let client: MongoClient
  before(async () => {
    client = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
  })
  after(() => client.close())

  const insert = (id: number, code: string, isDefault: boolean) => {
    const at = new Date(2026, 0, id)
    const dates = { createdAt: at, updatedAt: at, publishedAt: at }
    const locale = { _id: id, documentId: `locale${id}`, name: code, code, isDefault, ...dates }
    return client.db().collection<LocaleDocument>('locales').insertOne(locale)
  }

  it('are English where there is none, and follow what other processes write', async () => {
    const locales = await openLocales(client.db(), pino({ level: 'silent' }))
    try {
      expect(locales.current()).to.deep.equal({ codes: new Set(['en']), default: 'en' })
      await insert(1, 'fr', true)
      await insert(2, 'de', false)
      await locales.refresh()
      expect(locales.current()).to.deep.equal({ codes: new Set(['fr', 'de']), default: 'fr' })
      await insert(3, 'it', true)
      await new Promise((resolve) => setTimeout(resolve, 1300))
      expect(locales.current()).to.deep.equal({ codes: new Set(['fr', 'de', 'it']), default: 'it' })
    } finally {
      locales.stop()
    }
  })
})
