import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { fullGrant } from '../../../engine/schema/grant.js'
import { createDocuments } from '../../../server/content/create-documents.js'
import { inlineExecutor } from '../../../workers/executor.js'
import { testDatabaseUri } from '../../support/database.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

describe('list request', () => {
  let magazine: Magazine
  let client: MongoClient
  let commands: string[] = []
  let running = 0
  let mostAtOnce = 0

  before(async () => {
    const uri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri: uri })
    client = new MongoClient(uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName }) => {
      commands.push(commandName)
      mostAtOnce = Math.max(mostAtOnce, ++running)
    })
    client.on('commandSucceeded', () => void (running -= 1))
    client.on('commandFailed', () => void (running -= 1))
    await client.connect()
  })
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
    await magazine.app.stop()
  })

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
    mostAtOnce = 0
    const shown = { ...type, populateCreatorFields: true }
    const answer = await documents.find(shown, { search, grant: fullGrant, envelope: 'content' })
    const { data } = JSON.parse(new TextDecoder().decode(answer.bytes)) as { data: unknown[] }
    return { commands: commands.length, rows: data.length, atOnce: mostAtOnce }
  }

  /** Queries, with the number of relations that each populates, and the number that it filters or sorts through. */
  const trees: readonly (readonly [search: string, populated: number, through: number])[] = [
    ['', 0, 0],
    ['populate=author', 1, 0],
    ['populate=author,category,tags', 3, 0],
    ['populate=author.articles.tags', 3, 0],
    ['populate=seo,sections', 0, 0],
    ['populate=cover,gallery', 2, 0],
    ['populate=seo.image,seo.social.profile', 2, 0],
    ['populate[sections][on][section.quote][populate]=by', 1, 0],
    ['populate=localizations.author,createdBy,updatedBy', 4, 0],
    ['populate[tags][count]=true&populate[related][sort]=author.name', 2, 1],
    ['populate=*', 7, 0],
    ['sort=author.name,category.parent.name:desc,tags.name,cover.name,seo.social.url', 0, 5],
    ['filters[author][name]=Ana', 0, 1],
    ['filters[category][$null]=true', 0, 1],
    ['filters[category][parent][name]=Nature&sort=category.parent.name', 0, 2],
    ['filters[author][articles][tags][name]=wet&sort=author.name&populate=author', 1, 3],
    ['filters[seo][social][profile][name]=Ana&filters[cover][mime][$contains]=png', 0, 2],
    ['filters[localizations][title]=Pluie&populate=localizations', 1, 1],
    ['populate[author][populate][articles][filters][tags][name]=wet', 2, 1],
    ['populate[sections][on][section.quote][filters][by][name]=Ben', 0, 1],
    ['status=draft&publicationFilter=unmodified&populate=tags', 1, 2],
    ['locale=fr&fallback=true', 0, 0],
    ['locale=fr&fallback=true&populate=author.articles,related&sort=related.title', 3, 1],
    // Conditions on the same relation share a read.
    [anyOf(9, (n) => `[author][name]=${n}`), 0, 1],
    [anyOf(9, (n) => `[$and][0][author][articles][views]=${n}`), 0, 2],
    [anyOf(9, (n) => `[seo][social][profile][name]=${n}`), 0, 1],
    [anyOf(9, (n) => `[category][parent][name][$null]=${n}`), 0, 2],
    ['filters[$and][0][author][name]=Ana&filters[$and][1][author][id]=1', 0, 1],
  ]

  it('sends independent commands at the same time', async () => {
    const atOnce = async (search: string): Promise<number> => {
      // Runs the query several times, because the first runs wait for connections.
      let most = 0
      for (let time = 0; time < 5; time += 1) most = Math.max(most, (await run(search)).atOnce)
      return most
    }
    expect(await atOnce('')).to.equal(2)
    const page = 'pagination[withCount]=false'
    expect(await atOnce(`${page}&populate=author,category,tags`)).to.equal(3)
    expect(await atOnce(`${page}&populate=author.articles.tags`)).to.equal(1)
    expect(await atOnce(`${page}&filters[author][name]=Ana&filters[tags][name]=wet`)).to.equal(2)
  })

  it('sends at most two commands, one per populated relation and two per relation filtered or sorted through', async function () {
    const counts = new Map<string, number>()
    const check = async () => {
      for (const [search, populated, through] of trees) {
        const { commands } = await run(search)
        expect(commands, search).to.be.at.most(2 + populated + 2 * through)
        // Without filters, the number of commands must not depend on the stored entries.
        if (!search.includes('filters'))
          expect(commands, search).to.equal(counts.get(search) ?? commands)
        counts.set(search, commands)
      }
    }
    await check()
    expect((await run('pagination[withCount]=false')).commands).to.equal(1)
    expect((await run('')).rows).to.equal(3)
    const { app, ids } = magazine
    // More entries than the 101 documents of MongoDB's default first batch.
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
    await check()
    expect((await run('pagination[pageSize]=100')).rows).to.equal(100)
  })
})

function anyOf(count: number, condition: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `filters[$or][${n}]${condition(n)}`).join('&')
}
