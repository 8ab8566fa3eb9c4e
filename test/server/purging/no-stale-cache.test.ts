import fc from 'fast-check'
import { expect } from 'chai'
import type { Settings } from '../../../server/settings/settings.js'
import { purgeSecret, startPurgeServer, type PurgeServer } from '../../support/purge-server.js'
import { startMagazine, type Magazine } from '../content/magazine.js'
import { eventually } from '../database/support.js'
import { readableByAll } from './readable-by-all.js'
import { runs } from '../../support/properties.js'

const articles = ['rain', 'snow', 'wind', 'fog'] as const
const anyArticle = fc.constantFrom(...articles)
const anyAuthor = fc.constantFrom('ana', 'ben')
const anyTag = fc.constantFrom('wet', 'cold', 'loud')
const anyTitle = fc.constantFrom('Rain', 'Snow', 'Sun')

/** Names in the path and in the data stand for documentIds. */
type Write = readonly [method: string, path: string, data?: object]

const anyWrite: fc.Arbitrary<Write> = fc.oneof(
  fc
    .record({ a: anyArticle, title: anyTitle })
    .map(({ a, title }): Write => [...(['PUT', `/api/articles/${a}`] as const), { title }]),
  fc
    .record({ a: anyArticle, by: fc.option(anyAuthor) })
    .map(({ a, by }): Write => ['PUT', `/api/articles/${a}`, { author: by }]),
  fc
    .record({ a: anyArticle, tags: fc.uniqueArray(anyTag) })
    .map(({ a, tags }): Write => ['PUT', `/api/articles/${a}`, { tags }]),
  fc
    .record({ a: anyArticle, related: fc.uniqueArray(anyArticle) })
    .map(({ a, related }): Write => ['PUT', `/api/articles/${a}?status=draft`, { related }]),
  fc
    .record({ a: anyArticle, verb: fc.constantFrom('publish', 'unpublish') })
    .map(({ a, verb }): Write => ['POST', `/api/articles/${a}/actions/${verb}`]),
  fc
    .record({ a: anyArticle, title: anyTitle })
    .map(({ a, title }): Write => ['PUT', `/api/articles/${a}?locale=fr`, { title }]),
  fc
    .record({ by: anyAuthor, connect: fc.uniqueArray(anyArticle) })
    .map(({ by, connect }): Write => ['PUT', `/api/authors/${by}`, { articles: { connect } }]),
  fc
    .record({ tag: anyTag, set: fc.uniqueArray(anyArticle) })
    .map(({ tag, set }): Write => ['PUT', `/api/tags/${tag}`, { articles: { set } }]),
  fc
    .record({ tag: anyTag, name: fc.constantFrom('wet', 'dry') })
    .map(({ tag, name }): Write => ['PUT', `/api/tags/${tag}`, { name }]),
  fc.constant(['POST', '/api/articles', { title: 'Sun' }] as Write),
  fc.constant(['POST', '/api/tags', { name: 'dry' }] as Write),
  fc.constantFrom('/api/articles/new', '/api/tags/new').map((path): Write => ['DELETE', path]),
)

const paths: readonly string[] = [
  ...articles.map((name) => `/api/articles/${name}`),
  '/api/articles/snow?populate[related][populate]=author',
  '/api/articles/rain?populate=*&locale=fr',
  '/api/articles/rain?populate[tags][sort]=name&populate[author][populate]=articles',
  '/api/articles/rain?populate[tags][filters][name]=wet',
  '/api/articles/wind?populate[author][populate][articles][count]=true',
  '/api/articles/rain?populate[localizations]=true',
  '/api/articles/rain?populate[sections][populate]=*',
  '/api/articles?sort=title&fields=title&pagination[pageSize]=2',
  '/api/articles?filters[author][name]=Ana&fields=title',
  '/api/articles?sort=author.name&fields=title',
  '/api/articles/aggregate?groupBy=author.name&count=*',
  '/api/authors/ana?populate=articles',
  '/api/authors/ben?populate[articles][populate]=tags',
  '/api/tags/wet',
  '/api/tags/wet?populate[articles][fields]=title',
  '/api/tags?sort=name',
]

for (const [how, more] of Object.entries({
  'by documents': {},
  'by types': { 'http.cache.keyBytes': 256 },
}) as [string, Partial<Settings>][])
  describe(`public response cached ${how}`, () => {
    let caches: PurgeServer
    let magazine: Magazine
    const created: string[] = []
    let rounds = 0
    before(async () => {
      caches = await startPurgeServer()
      magazine = await startMagazine({
        settings: {
          ...{ 'http.cache.shared': 3600, 'http.cache.purgeAgainMs': 600_000 },
          ...{ 'http.cache.purgeUrl': caches.url, 'http.cache.purgeSecret': purgeSecret },
          ...more,
        },
      })
      await magazine.app.allow('public', readableByAll)
      await untilPurged()
    })
    after(async () => {
      await magazine?.app.stop()
      await caches.stop()
    })
    const withPathIds = (text: string): string => {
      const known = text.replaceAll(/\/new\b/g, `/${created.pop() ?? 'none'}`)
      return known.replaceAll(/(?<=\/\w+\/)[a-z]+\b(?!\/actions$)(?=$|[?/])/g, (name) =>
        name === 'aggregate' ? name : (magazine.ids[name] ?? name),
      )
    }
    const withIds = (data: object): object =>
      JSON.parse(
        JSON.stringify(data, (key, value: unknown) =>
          key !== 'name' && key !== 'title' && typeof value === 'string'
            ? (magazine.ids[value] ?? value)
            : value,
        ),
      ) as object
    const send = async ([method, path, data]: Write) => {
      const body = data === undefined ? undefined : { data: withIds(data) }
      const { app } = magazine
      const answer = await app.request(method, withPathIds(path), { token: app.token, body })
      const { documentId } = (answer.body as { data?: { documentId?: string } })?.data ?? {}
      if (answer.status === 201 && documentId !== undefined) created.push(documentId)
      return { status: answer.status, documentId: documentId ?? '' }
    }
    /** Resolves with the purged keys when the purges of all previous writes have arrived. */
    const untilPurged = async (): Promise<ReadonlySet<string>> => {
      const purged = new Set<string>()
      for (let isPurged = false; !isPurged;) {
        rounds += 1
        // Each round creates another entry, so a late purge of an earlier round is not mistaken for that of this round.
        const body = { data: { name: `round ${rounds}` } }
        const mark = await magazine.app.request('POST', '/api/categories', {
          ...{ token: magazine.app.token, body },
        })
        expect(mark.status).to.equal(201)
        const { documentId } = (mark.body as { data: { documentId: string } }).data
        // A purge of everything replaces those of single documents.
        await eventually(() => caches.keys().has(documentId) || caches.keys().has('quire'))
        isPurged = caches.keys().has(documentId)
        caches.keys().forEach((key) => purged.add(key))
        caches.forget()
      }
      return purged
    }
    const read = async (path: string) => {
      const { status, text, headers } = await magazine.app.request('GET', withPathIds(path))
      const keys = (headers.get('surrogate-key') ?? '').split(' ').filter((key) => key !== '')
      return { status, text, keys }
    }

    it('is purged whenever a write changed it', async () => {
      let [changed, spared] = [0, 0]
      /** What a cache has now: the responses of the previous run. */
      let cached: Awaited<ReturnType<typeof read>>[] | undefined
      await fc.assert(
        fc.asyncProperty(fc.array(anyWrite, { minLength: 1, maxLength: 3 }), async (writes) => {
          const before = cached ?? (await Promise.all(paths.map(read)))
          cached = undefined
          for (const write of writes) await send(write)
          const purged = await untilPurged()
          const after = await Promise.all(paths.map(read))
          cached = after
          for (const [at, { status, text, keys }] of before.entries()) {
            if (status !== 200) continue
            expect(keys, paths[at]).to.include('quire')
            const isForgotten = keys.some((key) => purged.has(key))
            const isOther = text !== after[at]?.text
            if (isOther) changed += 1
            else if (!isForgotten) spared += 1
            expect(isOther && !isForgotten, `${paths[at]} ${keys.join()} ${[...purged].join()}`).to
              .be.false
          }
        }),
        { numRuns: runs(60) },
      )
      // Some responses must have changed, and some must have stayed in the cache.
      expect(Math.min(changed, spared)).to.be.greaterThan(runs(10))
    }).timeout(180_000)
  })
