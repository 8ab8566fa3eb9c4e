import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { startWriteTime } from '../../../engine/write-time.js'
import { bulkEndpoint } from '../../../server/content/bulk/bulk-endpoint.js'
import type { Documents } from '../../../server/content/documents.js'
import type { HttpRequest } from '../../../server/http/route.js'
import { expectPage } from '../../support/expect-page.js'
import { startApp } from '../../support/start-app.js'
import type { Magazine } from './magazine.js'
import { stable, startMagazine } from './magazine.js'

type Item = Readonly<{
  status: number
  data?: Readonly<Record<string, unknown>>
  error?: Readonly<{ message: string; details: Readonly<Record<string, unknown>> }>
}>

const path = '/api/articles/bulk'
const dataOf = (body: unknown): readonly Item[] => (body as { data: readonly Item[] }).data
const statuses = (body: unknown): readonly number[] => dataOf(body).map(({ status }) => status)

describe('bulk request', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())
  const send = (
    operations: unknown,
    query = '',
    headers: Record<string, string> = {},
    token = magazine.app.token,
  ) => magazine.app.request('POST', `${path}${query}`, { token, headers, body: { operations } })

  it('rejects the whole request for an invalid query string, and writes nothing', async () => {
    const create = { op: 'create', data: { title: 'Fog', slug: 'never-written' } }
    for (const operations of [[], [create]])
      for (const [query, source] of [
        ['pLevel=0', 'pLevel'],
        ['fields=nope', 'fields'],
      ] as const) {
        const { status, body } = await send(operations, `?${query}`)
        expect(status, query).to.equal(400)
        expect(JSON.stringify(body), query).to.include(source)
      }
    const { request, token } = magazine.app
    const found = await request('GET', '/api/articles?filters[slug]=never-written', { token })
    expect((found.body as { data: unknown[] }).data).to.deep.equal([])
  })

  it('returns for each operation what its own endpoint returns', async () => {
    const { request, token } = magazine.app
    const done: unknown[] = []
    const operationsFor = (name: string, id: string) => [
      { op: 'create', data: { title: 'Hail', slug: `${name}-hail`, author: magazine.ids['ana'] } },
      { op: 'create', status: 'draft', data: { title: 'Dew', slug: `${name}-dew` } },
      { op: 'update', documentId: id, locale: 'fr', data: { title: 'Grêle', slug: `${name}-fr` } },
      { op: 'update', documentId: id, data: { views: 7 } },
      { op: 'unpublish', documentId: id },
      { op: 'publish', documentId: id },
      { op: 'update', documentId: id, status: 'draft', data: { title: 'Changed' } },
      { op: 'discard-draft', documentId: id },
      { op: 'create', data: { title: 'Less', slug: `${name}-less`, views: -1 } },
      { op: 'update', documentId: 'nobody', data: { title: 'x' } },
      { op: 'update', documentId: id, data: { nope: 1 } },
      { op: 'update', documentId: id },
      { op: 'delete', documentId: id, locale: 'fr' },
      { op: 'delete', documentId: id },
      { op: 'delete', documentId: id },
      { op: 'publish', documentId: id },
    ]
    const first = async (name: string): Promise<string> => {
      const data = { title: 'First', slug: `${name}-first` }
      const { body } = await request('POST', '/api/articles', { token, body: { data } })
      return (body as { data: { documentId: string } }).data.documentId
    }
    const query = 'populate=author&fields=title,views,locale,publishedAt'
    for (const name of ['alone', 'bulk']) {
      const id = await first(name)
      const operations = operationsFor(name, id)
      const shown = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(stable(value, { ...magazine.ids, id })).replaceAll(name, 'name'))
      if (name === 'bulk') {
        const { status, body } = await send(operations, `?${query}`)
        expect(status).to.equal(200)
        done.push(dataOf(body).map(withoutId).map(shown))
        continue
      }
      const singleProcess: unknown[] = []
      for (const { op, documentId = '', status, locale, data } of operations as readonly Record<
        string,
        string | undefined
      >[]) {
        const own = Object.entries({ status, locale }).flatMap(([key, value]) =>
          value === undefined ? [] : [`${key}=${value}`],
        )
        const [method, target] = {
          create: ['POST', ''],
          update: ['PUT', `/${documentId}`],
          delete: ['DELETE', `/${documentId}`],
        }[op ?? ''] ?? ['POST', `/${documentId}/actions/${op}`]
        const answer = await request(
          method ?? '',
          `/api/articles${target}?${[query, ...own].join('&')}`,
          { token, ...(method === 'DELETE' ? {} : { body: data === undefined ? {} : { data } }) },
        )
        singleProcess.push(shown(withoutId({ status: answer.status, ...(answer.body as object) })))
      }
      done.push(singleProcess)
    }
    const [singleProcess, bulk] = done as [readonly Item[], readonly Item[]]
    expect(bulk).to.deep.equal(singleProcess)
    expect(statuses({ data: bulk })).to.deep.equal([
      ...[201, 201, 200, 200, 200, 200, 200, 200, 400, 404, 400, 400, 204, 204, 204, 404],
    ])
  })

  it('populates its response like a single write', async () => {
    const { request, token } = magazine.app
    const data = { views: 12 }
    for (const query of [
      'pLevel=2&pIgnore=author',
      'populate=deep,2&pIgnore=author&pIgnore=tags',
    ]) {
      const path = `/api/articles/${magazine.ids['rain']}?${query}`
      const singleProcess = await request('PUT', path, { token, body: { data } })
      const one = singleProcess.body as { data: Readonly<Record<string, unknown>> }
      expect(one.data, query).to.include.keys('category', 'seo')
      expect(one.data, query).not.to.have.property('author')
      const operation = { op: 'update', documentId: magazine.ids['rain'], data }
      const { status, body } = await send([operation], `?${query}`)
      expect(status, query).to.equal(200)
      const { updatedAt: first, ...shownAlone } = one.data
      const { updatedAt: second, ...shown } = dataOf(body)[0]?.data ?? {}
      expect([first, second].every((time) => typeof time === 'string')).to.equal(true)
      expect(stable(shown, {}), query).to.deep.equal(stable(shownAlone, {}))
    }
  })

  it('rejects operations with an unknown locale and runs the others', async () => {
    const operations = ['xx', 'fr', undefined].map((locale) => ({
      ...{ op: 'create', data: { title: 'Hail', slug: `hail-${locale}` } },
      ...(locale === undefined ? {} : { locale }),
    }))
    const singleProcess = await magazine.app.request('POST', '/api/articles?locale=xx', {
      ...{ token: magazine.app.token, body: { data: operations[0]?.data } },
    })
    const { body } = await send(operations)
    expect(statuses(body)).to.deep.equal([singleProcess.status, 201, 201])
    expect(dataOf(body)[0]?.error).to.deep.equal((singleProcess.body as { error: unknown }).error)
    const { body: byQuery } = await send(operations.slice(1), '?locale=xx')
    expect(statuses(byQuery)).to.deep.equal([400, 400])
  })

  it('returns 204 for each delete, and rejects an invalid query string even for deletes alone', async () => {
    const made = await send(
      ['one', 'two'].map((slug) => ({ op: 'create', data: { title: slug, slug: `gone-${slug}` } })),
    )
    const operations = dataOf(made.body).map(({ data }) => ({
      ...{ op: 'delete', documentId: data?.['documentId'] },
    }))
    expect((await send(operations, '?fields=nope')).status).to.equal(400)
    const listPath = '/api/articles?filters[slug][$startsWith]=gone-&fields=slug'
    const { request, token } = magazine.app
    expect(dataOf((await request('GET', listPath, { token })).body)).to.have.length(2)
    expect(statuses((await send(operations)).body)).to.deep.equal([204, 204])
    expect(dataOf((await request('GET', listPath, { token })).body)).to.deep.equal([])
  })

  it('returns 400 for each invalid operation, with a suggestion', async () => {
    const { status, body } = await send([
      { op: 'craete', data: {} },
      { op: 'update', data: {} },
      { op: 'create', documentId: 'x', data: {} },
      { op: 'create', dta: {} },
      { op: 'create', locale: 7, data: {} },
      'create',
      { op: 'delete', documentId: 'nobody' },
    ])
    expect(status).to.equal(200)
    expect(statuses(body)).to.deep.equal([400, 400, 400, 400, 400, 400, 204])
    expect(dataOf(body).flatMap(({ error }) => error?.message ?? [])).to.deep.equal([
      'operations.0.op must be one of: create, update, delete, publish, unpublish, discard-draft',
      'operations.1.documentId is required',
      'operations.2.documentId is given to it',
      'Invalid key dta at operations.3',
      'operations.4.locale must be a text',
      'operations.5 must be an object',
    ])
    expect(dataOf(body)[0]?.error?.details).to.include({ suggestion: 'create' })
    expect(dataOf(body)[3]?.error?.details).to.include({ suggestion: 'data' })
  })

  it('rejects a body without a list of operations, or with too many', async () => {
    const { app } = magazine
    const refused = async (body: unknown) => {
      const answer = await app.request('POST', path, { token: app.token, body })
      return [answer.status, (answer.body as { error: { message: string } }).error.message]
    }
    expect(await refused({ data: [] })).to.deep.equal([400, 'operations must be a list'])
    expect(await refused({ operations: [], data: 1 })).to.deep.equal([400, 'Invalid key data'])
    expect(await refused({ operations: new Array(1001).fill(null) })).to.deep.equal([
      400,
      'The number of operations exceeds the limit of 1000 (operations)',
    ])
    expect((await send([])).body).to.deep.equal({ data: [], meta: {} })
  })

  it('runs operations on one document in order', async () => {
    const { body: made } = await send([{ op: 'create', data: { title: '0', slug: 'order' } }])
    const documentId = dataOf(made)[0]?.data?.['documentId']
    const titles = Array.from({ length: 30 }, (_, at) => String(at + 1))
    const { body } = await send(
      titles.map((title) => ({ op: 'update', documentId, data: { title } })),
    )
    expect(dataOf(body).map(({ data }) => data?.['title'])).to.deep.equal(titles)
    expect(statuses((await send([{ op: 'delete', documentId }])).body)).to.deep.equal([204])
  })

  it('checks each operation against the permissions of the caller', async () => {
    const { app } = magazine
    const article = 'api::article.article'
    const documentId = magazine.ids['wind']
    const operations = [
      { op: 'create', data: { title: 'By anybody', slug: 'anybody' } },
      { op: 'create', status: 'draft', data: { title: 'Draft by anybody', slug: 'draft' } },
      { op: 'update', documentId, data: { title: 'x' } },
      { op: 'publish', documentId },
      { op: 'delete', documentId },
    ]
    const asPublic = () => app.request('POST', path, { body: { operations } })
    await app.allow('public', [`${article}.find`])
    expect((await asPublic()).status).to.equal(403)
    await app.allow('public', [`${article}.createDraft`])
    expect(statuses((await asPublic()).body)).to.deep.equal([403, 201, 403, 403, 403])
    await app.allow('public', [`${article}.create`])
    expect(statuses((await asPublic()).body)).to.deep.equal([201, 201, 403, 403, 403])
  })

  it('prefers the status of an operation to that of the query string', async () => {
    const operations = [
      { op: 'create', status: 'published', data: { title: 'Own', slug: 'own-status' } },
      { op: 'create', data: { title: 'Theirs', slug: 'their-status' } },
    ]
    const { body } = await send(operations, '?status=draft&fields=title,publishedAt')
    expect(statuses(body)).to.deep.equal([201, 201])
    expect(dataOf(body).map(({ data }) => data?.['publishedAt'] !== null)).to.deep.equal([
      true,
      false,
    ])
  })

  it('checks If-Match of each operation after the ones before it', async () => {
    const { app, ids } = magazine
    const { headers } = await app.request('GET', `/api/articles/${ids['rain']}`, {
      token: app.token,
    })
    const ifMatch = headers.get('etag') ?? ''
    const update = { op: 'update', documentId: ids['rain'], ifMatch, data: { views: 11 } }
    expect(statuses((await send([update, update])).body)).to.deep.equal([200, 412])
  })

  it('returns what docs/bulk.md shows', async () => {
    const { app } = magazine
    const data = { title: 'Rain', slug: 'page' }
    const made = await app.request('POST', '/api/articles', { token: app.token, body: { data } })
    const { documentId } = (made.body as { data: { documentId: string } }).data
    const ids = { own: documentId, theirs: 'wd4kz1h8g2m6q0t5v9x3b7n1' }
    const ask = async (method: string, path: string, body: unknown) => {
      const own = JSON.parse(JSON.stringify(body).replaceAll(ids.theirs, ids.own)) as unknown
      return (await app.request(method, path, { token: app.token, body: own })).body
    }
    await expectPage('docs/bulk.md', ask, (answer) => {
      const { data, meta } = stable(answer, {}) as { data: readonly Item[]; meta: unknown }
      return { data: data.map(withoutId), meta }
    })
  })

  describe('with failing operations', () => {
    const run = async (
      operations: readonly object[],
      { replaced = {}, more = {} }: { replaced?: Partial<Documents>; more?: Partial<HttpRequest> },
    ): Promise<readonly Item[]> => {
      const { services } = magazine.app.quire
      const type = typeOf(services.registry(), 'api::article.article')
      const { settings } = services
      const documents = { ...services.documents, ...replaced }
      const endpoint = bulkEndpoint(documents, type, settings)
      const caller = { kind: 'public', grant: fullGrant } as const
      const { body } = await endpoint.handle({
        ...{ id: '', method: 'POST', isHead: false, path, params: {}, search: '', headers: {} },
        ...{ body: { operations }, files: [], ip: '', caller, ignored: () => undefined },
        client: { address: '', bytes: 0 },
        signal: new AbortController().signal,
        time: startWriteTime(20_000),
        ...more,
      })
      return dataOf(JSON.parse(Buffer.from(body as Uint8Array).toString()))
    }
    const update = (name: string) => ({
      ...{ op: 'update', documentId: magazine.ids[name], data: { views: 1 } },
    })

    it('returns 503 for the write in flight and those queued behind it when time runs out', async () => {
      let end = (): void => undefined
      const held = new Promise<void>((resolve) => (end = resolve))
      const replaced: Partial<Documents> = {
        update: async (type, documentId, data, request) => {
          request.time?.begin()
          await held
          return magazine.app.quire.services.documents.update(type, documentId, data, request)
        },
      }
      const items = await run([update('rain'), update('rain'), { op: 'delete', documentId: 'x' }], {
        replaced,
        more: { time: startWriteTime(100) },
      })
      end()
      expect(items.map(({ status, error }) => [status, error?.details['outcome']])).to.deep.equal([
        [503, 'unknown'],
        [503, 'not-done'],
        [204, undefined],
      ])
    })

    it('starts no further operation after its client disconnects', async () => {
      const disconnect = new AbortController()
      const { documents } = magazine.app.quire.services
      const items = await run([update('rain'), update('rain')], {
        replaced: {
          update: async (...args) => {
            disconnect.abort()
            return documents.update(...args)
          },
        },
        more: { signal: disconnect.signal },
      })
      const [first, second] = items
      expect(first?.status).to.equal(200)
      expect([second?.status, second?.error?.details['outcome']]).to.deep.equal([503, 'not-done'])
    })

    it('returns 500 for an unexpected error, logs it and runs the other operations', async () => {
      const faults: unknown[] = []
      const fault = new Error('a fault')
      const items = await run([update('rain'), { op: 'delete', documentId: 'x' }], {
        replaced: { update: () => Promise.reject(fault) },
        more: { logError: (error) => void faults.push(error) },
      })
      expect(items.map(({ status, error }) => [status, error?.message])).to.deep.equal([
        [500, 'Internal Server Error'],
        [204, undefined],
      ])
      expect(faults).to.deep.equal([fault])
      expect(fault).to.not.be.instanceOf(ApiError)
    })
  })
})

describe('bulk request size', () => {
  const text = 'x'.repeat(200_000)
  const operations = Array.from({ length: 10 }, (_, at) => ({
    ...{ op: 'create', data: { title: `Long ${at}`, slug: `long-${at}`, body: text } },
  }))

  it('may reach api.rest.maxAnswerBytes, which limits the response as usual', async () => {
    // The limit is the size of the request. The response is larger, because an entry takes more bytes in it.
    const limit = JSON.stringify({ operations }).length
    const app = await startApp({ settings: { 'api.rest.maxAnswerBytes': limit } })
    try {
      const send = (body: unknown) => app.request('POST', path, { token: app.token, body })
      const { status, body } = await send({ operations })
      expect(status).to.equal(200)
      expect(statuses(body)).to.deep.equal([...Array<number>(9).fill(201), 400])
      expect(dataOf(body).at(-1)?.error?.message).to.equal(
        `The write was done, but its response cannot be shown. The size of the response exceeds the limit of ${limit} (api.rest.maxAnswerBytes)`,
      )
      const answer = await app.request('GET', '/api/articles?fields=title', { token: app.token })
      expect(dataOf(answer.body)).to.have.length(10)
      const single = await app.request('POST', '/api/articles', {
        ...{ token: app.token, body: { data: { title: 'x', slug: 'x', body: text.repeat(10) } } },
      })
      expect(single.status).to.equal(413)
    } finally {
      await app.stop()
    }
  })

  it('returns 413 over the limit, and 403 without reading the body if not permitted', async () => {
    const app = await startApp({ settings: { 'api.rest.maxAnswerBytes': 100_000 } })
    try {
      const asAdmin = await app.request('POST', path, { token: app.token, body: { operations } })
      expect([asAdmin.status, asAdmin.body]).to.deep.equal([
        413,
        {
          data: null,
          error: {
            ...{ status: 413, name: 'PayloadTooLargeError' },
            message: 'request entity too large (api.rest.maxAnswerBytes)',
          },
        },
      ])
      expect((await app.request('POST', path, { body: { operations } })).status).to.equal(403)
    } finally {
      await app.stop()
    }
  })
})

function withoutId(item: object): object {
  const { data } = item as Item
  return data === undefined || data === null
    ? item
    : { ...item, data: { ...data, documentId: '#' } }
}
