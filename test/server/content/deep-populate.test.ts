import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { fullGrant } from '../../../engine/schema/grant.js'
import { createDocuments } from '../../../server/content/create-documents.js'
import { inlineExecutor } from '../../../workers/executor.js'
import { testDatabaseUri } from '../../support/database.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

/** A populate tree as `explain=true` returns it. */
type Tree = Readonly<{ [name: string]: true | Readonly<{ populate?: Tree; on?: Tree }> }>

/** Returns the parameters that populate a tree by name, such as `populate[author][populate][avatar]=true`. */
function named(tree: Tree, at = ''): readonly string[] {
  return Object.entries(tree).flatMap(([name, below]) => {
    if (below === true) return [`populate${at}[${name}]=true`]
    const inner = Object.entries(below.on ?? {}).flatMap(([uid, part]) =>
      part === true
        ? [`populate${at}[${name}][on][${uid}]=true`]
        : named(part.populate ?? {}, `${at}[${name}][on][${uid}][populate]`),
    )
    return [...inner, ...named(below.populate ?? {}, `${at}[${name}][populate]`)]
  })
}

describe('deep populate', () => {
  let magazine: Magazine
  let client: MongoClient
  let commands = 0
  before(async () => {
    const uri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri: uri })
    client = new MongoClient(uri, { monitorCommands: true })
    client.on('commandStarted', () => void (commands += 1))
    await client.connect()
    const { app, ids } = magazine
    const write = async (method: string, path: string, data: unknown) => {
      const { status, text } = await app.request(method, path, { token: app.token, body: { data } })
      expect(status, text).to.be.below(300)
    }
    const favorite = { favorite: ids['wet'] }
    await write('PUT', `/api/authors/${ids['ana']}`, favorite)
    await write('PUT', '/api/homepage', {
      heading: 'Home',
      featured: [ids['rain'], ids['snow']],
      hero: { heading: 'Welcome', cta: { label: 'Go', href: '/' } },
    })
    await write('PUT', `/api/articles/${ids['wind']}`, {
      related: [ids['rain'], ids['snow']],
      category: ids['nature'],
      sections: [
        { __component: 'section.related', articles: [ids['rain'], ids['wind']] },
        { __component: 'section.quote', text: 'Gone', by: ids['ana'] },
      ],
    })
  })
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
    await magazine.app.stop()
  })

  const data = async (path: string): Promise<unknown> => {
    const { status, body } = await magazine.get(path)
    expect(status, JSON.stringify(body)).to.equal(200)
    return (body as { data: unknown }).data
  }
  const treeOf = async (path: string): Promise<Tree> =>
    ((await data(path)) as { populate: Tree }).populate

  it('returns what explicit populates of each level return, and lists them with explain=true', async () => {
    const { ids } = magazine
    for (const path of [
      ...['/api/articles', `/api/articles/${ids['rain']}`, '/api/authors', '/api/homepage'],
      ...[`/api/categories/${ids['weather']}`, '/api/tags'],
    ]) {
      for (const deep of ['pLevel=1', 'pLevel=2', 'pLevel=3', 'populate=deep', 'pLevel=6']) {
        for (const more of [
          '',
          '&locale=fr',
          '&locale=*',
          '&status=draft&publicationFilter=modified',
        ]) {
          if (more.includes('*') && (path.includes(ids['rain'] ?? '') || path.includes('home')))
            continue
          const search = `${deep}${more}`
          const tree = await treeOf(`${path}?${search}&explain=true`)
          const url = `${path}?${search}`
          const names = [...named(tree), more.slice(1)].join('&')
          const [answer, expected] = [
            await magazine.get(url),
            await magazine.get(`${path}?${names}`),
          ]
          expect(answer, url).to.deep.equal(expected)
        }
      }
    }
  }).timeout(120_000)

  it('combines with fields, filters, sort, pagination and the v4 format', async () => {
    const names = named(await treeOf('/api/articles?pLevel=3&explain=true')).join('&')
    for (const more of [
      'fields=title&sort=title:desc&pagination[pageSize]=2',
      'filters[author][name]=Ana&sort=author.name,title',
    ])
      expect(await magazine.get(`/api/articles?pLevel=3&${more}`)).to.deep.equal(
        await magazine.get(`/api/articles?${names}&${more}`),
      )
    const { request, token } = magazine.app
    const headers = { 'Strapi-Response-Format': 'v4' }
    const older = async (search: string) =>
      (await request('GET', `/api/articles?${search}`, { token, headers })).body
    expect(await older('pLevel=3')).to.deep.equal(await older(names))
  })

  it('populates an article with pLevel=3 and stops at related articles', async () => {
    const wind = `/api/articles/${magazine.ids['wind']}?fields=title&pIgnore=localizations,createdAt`
    const shown = JSON.stringify(
      await data(`${wind},updatedAt,publishedAt,locale,email,slug&pLevel=3`),
    )
    const texts = [...shown.matchAll(/"(?:name|title)":"([^"]*)"/g)].map((match) => match[1])
    expect(texts).to.deep.equal([
      'Wind',
      ...['Ben', 'Nature', 'Weather'],
      // The related articles and what is populated in them. Nothing is populated in their related articles.
      ...['Rain', 'Snow'],
      ...['Rain', 'Wind', 'Ana'],
    ])
  })

  it('populates the response of a write like that of a read', async () => {
    const { app, ids } = magazine
    const path = `/api/tags?pLevel=2`
    const { status, body } = await app.request('POST', path, {
      token: app.token,
      body: { data: { name: 'windy', articles: [ids['wind']] } },
    })
    expect(status).to.equal(201)
    const { data: created } = body as { data: { documentId: string; articles: unknown[] } }
    expect(created.articles).to.have.lengthOf(1)
    const { body: read } = await magazine.get(`/api/tags/${created.documentId}?pLevel=2`)
    expect((read as { data: unknown }).data).to.deep.equal(created)
    await app.request('DELETE', `/api/tags/${created.documentId}`, { token: app.token })
  })

  it('leaves out relations the caller may not find, and returns 403 for a forbidden type', async () => {
    const { app } = magazine
    await app.allow('public', ['api::article.article.find', 'api::tag.tag.find'])
    const { status, body } = await app.request('GET', '/api/articles?pLevel=3&sort=title')
    expect(status).to.equal(200)
    const [first] = (body as { data: Record<string, unknown>[] }).data
    expect(first)
      .to.include.keys('tags', 'related', 'cover', 'sections')
      .and.not.have.any.keys(...['author', 'category'])
    expect((await app.request('GET', '/api/authors?pLevel=3')).status).to.equal(403)
  })

  const commandsOf = async (apiName: string, search: string) => {
    const { services } = magazine.app.quire
    const db = client.db()
    const documents = createDocuments({
      ...{ ...services, db, executor: inlineExecutor(db) },
      exactMetadata: false,
    })
    const type = services.registry().byApiName.get(apiName)
    if (type === undefined) throw new Error(`There are no ${apiName}`)
    commands = 0
    await documents.find(type, { search, grant: fullGrant, envelope: 'content' })
    return commands
  }

  it('reads equal branches with one command, however many paths lead to them', async () => {
    const page = 'pagination[withCount]=false'
    // Articles occur in the tree as related articles, and again in the zone.
    const search = 'pLevel=3&pIgnore=authors,category,tags,localizations'
    expect(await commandsOf('articles', `${page}&${search}`)).to.equal(2)
    const names = async (deep: string) =>
      named(await treeOf(`/api/articles?${deep}&explain=true`)).join('&')
    expect(await commandsOf('articles', `${page}&${await names(search)}`)).to.equal(3)
    const [deep, apart] = [
      await commandsOf('articles', `${page}&pLevel=4`),
      await commandsOf('articles', `${page}&${await names('pLevel=4')}`),
    ]
    expect(deep).to.be.below(apart)
  })

  it('sends as many commands for many rows as for few', async () => {
    const { app, ids } = magazine
    const searches = ['pLevel=2', 'pLevel=3', 'pLevel=4', 'populate=all']
    const count = async () => {
      const counts: number[] = []
      for (const search of searches) counts.push(await commandsOf('articles', search))
      return counts
    }
    const before = await count()
    for (let n = 0; n < 30; n += 1) {
      const data = {
        ...{ title: `Gale ${n}`, author: ids['ana'], category: ids['weather'] },
        ...{ tags: [ids['wet'], ids['loud']], related: [ids['wind']] },
        sections: [{ __component: 'section.quote', text: 'Whoo', by: ids['ben'] }],
      }
      await app.request('POST', '/api/articles', { token: app.token, body: { data } })
    }
    expect(await count()).to.deep.equal(before)
  })

  it('rejects an expensive query and names its most expensive branches', async () => {
    const { services } = magazine.app.quire
    const db = client.db()
    const settings = { ...services.settings, 'api.rest.maxCost': 300 }
    const documents = createDocuments({
      ...{ ...services, settings, db, executor: inlineExecutor(db) },
      exactMetadata: false,
    })
    const type = services.registry().byApiName.get('articles')
    if (type === undefined) throw new Error('There are no articles')
    const result = documents.find(type, {
      search: 'pLevel=3',
      grant: fullGrant,
      envelope: 'content',
    })
    const error = await result.then(
      () => null,
      (refused: unknown) => refused as { status: number; details: Record<string, unknown> },
    )
    expect(error?.status).to.equal(400)
    expect(error?.details).to.include({ bound: 'api.rest.maxCost', limit: 300 })
    expect(JSON.stringify(error?.details['dearest'])).to.contain('populate sections')
  })
})
