import type { Db } from 'mongodb'
import { modifiedField } from '../../../engine/values/modified.js'
import type { DocumentsByCollection } from '../../support/start-app.js'
import { startApp, type AppOptions } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { eventually } from '../database/support.js'

/** documentIds by the name of the document: `ids.ana`, `ids.rain`. */
export type Ids = Readonly<Record<string, string>>

export type Magazine = Readonly<{
  app: TestApp
  ids: Ids
  /** Sends a GET request with the full-access token. */
  get: (path: string) => Promise<{ status: number; body: unknown }>
}>

const text = (value: string) => [{ type: 'paragraph', children: [{ type: 'text', text: value }] }]

/**
 * Starts a service with three published articles (Rain, Snow, Wind), a draft (Fog), two authors, a category tree, three
 * tags, and a French version of Rain. Each test process writes this content through the API once. Further services get
 * copies of the stored documents.
 */
export async function startMagazine(options: AppOptions = {}): Promise<Magazine> {
  written ??= writeContent()
  const { ids, documents } = await written
  const app = await startApp({ ...options, documents })
  const get = async (path: string) => {
    const { status, body } = await app.request('GET', path, { token: app.token })
    return { status, body }
  }
  return { app, ids, get }
}

type Written = Readonly<{ ids: Ids; documents: DocumentsByCollection }>

let written: Promise<Written> | undefined

async function writeContent(): Promise<Written> {
  const app = await startApp()
  try {
    const ids = await writeThroughApi(app)
    return { ids, documents: await readDocuments(app.quire.services.db) }
  } finally {
    await app.stop()
  }
}

async function readDocuments(db: Db): Promise<DocumentsByCollection> {
  // A publish only removes the marks of modified drafts after its response.
  const isMarked = { [modifiedField]: true }
  await eventually(
    async () => (await db.collection('articles.draft').countDocuments(isMarked)) === 0,
  )
  const names = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => name === '_sequences' || !(name.startsWith('_') || madeByStart.has(name)))
  const all = await Promise.all(
    names.map(async (name) => [name, await db.collection(name).find().toArray()] as const),
  )
  return new Map(all.filter(([, documents]) => documents.length > 0))
}

const madeByStart = new Set(['admin_users', 'roles'])

async function writeThroughApi(app: TestApp): Promise<Ids> {
  const ids: Record<string, string> = {}
  const send = async (method: string, path: string, data: unknown): Promise<string> => {
    const answer = await app.request(method, path, { token: app.token, body: { data } })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return (answer.body as { data: { documentId: string } }).data.documentId
  }
  const create = async (name: string, path: string, data: unknown): Promise<void> => {
    ids[name] = await send('POST', path, data)
  }
  const locale = { code: 'fr', name: 'French (fr)', isDefault: false }
  await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: locale })

  await create('ana', '/api/authors', { name: 'Ana', email: 'ana@example.org' })
  await create('ben', '/api/authors', { name: 'Ben' })
  await create('nature', '/api/categories', { name: 'Nature' })
  await create('weather', '/api/categories', { name: 'Weather', parent: ids['nature'] })
  for (const tag of ['wet', 'cold', 'loud']) await create(tag, '/api/tags', { name: tag })
  await create('rain', '/api/articles', {
    ...{
      title: 'Rain',
      slug: 'rain',
      kind: 'news',
      views: 10,
      rating: 4.5,
      bigViews: '9007199254740993',
    },
    ...{ blocks: text('It rains.'), releaseAt: '2024-01-15T10:30:00.000Z', meta: { wet: true } },
    ...{ author: ids['ana'], category: ids['weather'], tags: [ids['wet'], ids['cold']] },
    seo: {
      metaTitle: 'All about rain',
      social: [
        { network: 'x', url: 'https://x.example/rain', profile: ids['ana'] },
        { network: 'facebook', url: 'https://f.example/rain' },
      ],
    },
    sections: [
      { __component: 'section.quote', text: 'Into each life', by: ids['ben'] },
      { __component: 'section.hero', heading: 'Rain!', cta: { label: 'Read', href: '/rain' } },
    ],
  })
  await create('snow', '/api/articles', {
    ...{ title: 'Snow', slug: 'snow', kind: 'guide', views: 20, author: ids['ana'] },
    ...{ tags: [ids['cold']], related: [ids['rain']] },
  })
  await create('wind', '/api/articles', {
    title: 'Wind',
    slug: 'wind',
    views: 30,
    author: ids['ben'],
  })
  await create('fog', '/api/articles?status=draft', {
    title: 'Fog',
    slug: 'fog',
    author: ids['ana'],
  })
  await send('PUT', `/api/articles/${ids['rain']}?locale=fr`, { title: 'Pluie', slug: 'pluie' })
  return ids
}

/** Returns the values of one attribute of all entries in a list, such as `['Rain', 'Snow']`. */
export function column(body: unknown, attribute: string): unknown[] {
  return (body as { data: Record<string, unknown>[] }).data.map((entry) => entry[attribute])
}

/** Replaces values that vary between runs: record ids and times by constants, documentIds by names. */
export function stable(value: unknown, ids: Ids): unknown {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, `@${name}`]))
  const walk = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map((member) => walk(member, ''))
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(
        Object.entries(node).map(([name, member]) => [name, walk(member, name)]),
      )
    }
    if (key === 'id' && typeof node === 'number') return '#'
    if (/^(created|updated|published)At$/.test(key) && typeof node === 'string') return '@time'
    return typeof node === 'string' ? (names.get(node) ?? node) : node
  }
  return walk(value, '')
}
