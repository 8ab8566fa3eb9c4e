import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { fullGrant } from '../../engine/schema/grant.js'
import { createDocuments } from '../../server/content/create-documents.js'
import { inlineExecutor } from '../../workers/executor.js'
import { testDatabaseUri } from '../support/database.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

describe('The number of database commands', () => {
  let magazine: Magazine
  let client: MongoClient
  let commands: string[] = []

  before(async () => {
    const uri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri: uri })
    client = new MongoClient(uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName }) => void commands.push(commandName))
    await client.connect()
  })
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
    await magazine.app.stop()
  })

  /** The data commands of one list, and how many entries it shows. */
  const run = async (search: string) => {
    const { services } = magazine.app.quire
    const db = client.db()
    const documents = createDocuments({
      ...{ ...services, db, executor: inlineExecutor(db) },
      exactMetadata: false,
    })
    const type = services.registry().byApiName.get('articles')
    if (type === undefined) throw new Error('There are no articles')
    commands = []
    const answer = await documents.find(type, { search, grant: fullGrant, envelope: 'content' })
    const { data } = JSON.parse(new TextDecoder().decode(answer.bytes)) as { data: unknown[] }
    return { commands: commands.length, rows: data.length }
  }

  const trees: readonly (readonly [search: string, commands: number])[] = [
    // The page and its total.
    ['', 2],
    ['pagination[withCount]=false', 1],
    // One more per populated edge, wherever it is.
    ['populate=author', 3],
    ['populate=author,category,tags', 5],
    ['populate=author.articles.tags', 5],
    ['populate=seo,sections', 2],
    ['populate[sections][on][section.quote][populate]=by', 3],
    ['populate=localizations', 3],
    // At most two more per relation that is filtered through, none for one that is sorted by.
    ['filters[author][name]=Ana', 3],
    ['filters[category][$null]=true', 4],
    ['sort=author.name', 2],
  ]

  it('depends on the query and not on the number of rows', async function () {
    this.timeout(60_000)
    const before: unknown[] = []
    for (const [search, expected] of trees) {
      const { commands, rows } = await run(search)
      expect(commands, search).to.equal(expected)
      before.push(rows)
    }
    const { app, ids } = magazine
    // More than the 101 rows that MongoDB sends in a first batch unless it is asked for more.
    for (let n = 0; n < 120; n += 1) {
      const data = {
        ...{ title: `Storm ${n}`, author: n % 2 === 0 ? ids['ana'] : ids['ben'] },
        ...{ category: ids['weather'], tags: [ids['wet'], ids['loud']] },
        sections: [{ __component: 'section.quote', text: 'Thunder', by: ids['ben'] }],
      }
      const answer = await app.request('POST', '/api/articles', {
        token: app.token,
        body: { data },
      })
      expect(answer.status).to.equal(201)
    }
    for (const [search, expected] of trees) {
      expect((await run(search)).commands, search).to.equal(expected)
    }
    expect(before[0]).to.equal(3)
    expect((await run('pagination[pageSize]=100')).rows).to.equal(100)
  })
})
