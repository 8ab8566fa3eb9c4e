import { expect } from 'chai'
import fc from 'fast-check'
import { testDatabaseUri } from '../support/database.js'
import type { Answer } from '../support/request.js'
import type { TestApp } from '../support/start-app.js'
import { startApp } from '../support/start-app.js'
import type { AlbumBody, ArticleBody, LabelBody, Status } from './library-model.js'
import { LibraryModel } from './library-model.js'
import { albumsAndLabels, contentType, i18n } from './model.js'

const types = [
  ...albumsAndLabels({ album: { name: { type: 'string' } }, label: { name: { type: 'string' } } }),
  contentType(
    'article',
    {
      title: { type: 'string', required: true, pluginOptions: i18n },
      views: { type: 'integer' },
    },
    { drafts: true, localized: true },
  ),
]
const schema = Object.fromEntries(
  types.map(({ uid, definition }) => [
    `content-types/${uid.split('.')[1] ?? uid}.json`,
    definition as object,
  ]),
)
const locales = ['en', 'fr', 'de']
const statuses: readonly Status[] = ['draft', 'published']

/** A model and the service that is to show the same: two processes over one database. */
type Real = { apps: readonly TestApp[]; ids: Map<number, string> }
type Command = fc.AsyncCommand<LibraryModel, Real>
type Kind = 'album' | 'label' | 'article'

/**
 * Random sequences of writes by two clients, each at a process of its own; after every sequence the API shows
 * what a plain model shows.
 */
export function describeLibrary(runs: number, length: number): void {
  describe(`After any sequence of writes (${runs} of them)`, function () {
    this.timeout(runs * 20_000)
    let apps: readonly TestApp[]
    before(async () => {
      const databaseUri = await testDatabaseUri()
      apps = [await startApp({ databaseUri, schema }), await startApp({ databaseUri, schema })]
      const [{ url, adminJwt, request }] = apps as readonly [TestApp]
      expect(url).to.be.a('string')
      for (const code of ['fr', 'de']) {
        const body = { code, name: code, isDefault: false }
        await request('POST', '/i18n/locales', { token: adminJwt, body })
      }
      await new Promise((resolve) => setTimeout(resolve, 1_200))
    })
    after(async () => {
      for (const app of apps) await app.stop()
    })

    it('the API shows what the model shows', () =>
      fc.assert(
        fc.asyncProperty(commands(length), async (sequence) => {
          await clear(apps)
          const setup = () => ({
            model: new LibraryModel(),
            real: { apps, ids: new Map<number, string>() },
          })
          await fc.asyncModelRun(setup, [...sequence, new Compare()])
        }),
        { numRuns: runs },
      ))
  })
}

async function clear([app]: readonly TestApp[]): Promise<void> {
  for (const name of ['albums', 'labels', 'articles'])
    for (const collection of [name, `${name}.draft`])
      await app?.quire.services.db.collection(collection).deleteMany({})
}

/** A write: `pick`s name documents that exist, whichever they are when it is run. */
type Draw = Readonly<{
  client: number
  kind: Kind
  verb: 'create' | 'update' | 'publish' | 'unpublish' | 'discard-draft' | 'delete'
  status: Status
  locale: string
  pick: number
  others: readonly number[]
  fields: readonly boolean[]
  views: number
}>

const draw: fc.Arbitrary<Draw> = fc.record({
  client: fc.nat(1),
  kind: fc.constantFrom<Kind>('album', 'label', 'album', 'label', 'article'),
  verb: fc.oneof(
    { weight: 4, arbitrary: fc.constant('update' as const) },
    { weight: 2, arbitrary: fc.constant('create' as const) },
    fc.constantFrom('publish' as const, 'unpublish' as const, 'discard-draft' as const),
    { weight: 1, arbitrary: fc.constant('delete' as const) },
  ),
  status: fc.constantFrom(...statuses),
  locale: fc.constantFrom(...locales),
  pick: fc.nat(3),
  others: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
  fields: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  views: fc.nat(9),
})

const commands = (length: number) =>
  fc.array(
    draw.map((drawn) => new Write(drawn)),
    { minLength: Math.ceil(length / 2), maxLength: length },
  )

class Write implements Command {
  constructor(readonly drawn: Draw) {}

  check(model: Readonly<LibraryModel>): boolean {
    return this.drawn.verb === 'create' || this.#target(model) !== undefined
  }

  async run(model: LibraryModel, real: Real): Promise<void> {
    const { kind } = this.drawn
    if (kind === 'album') await this.#onAlbum(model, real)
    else if (kind === 'label') await this.#onLabel(model, real)
    else await this.#onArticle(model, real)
  }

  toString(): string {
    const { client, kind, verb, status, locale, pick, others, fields, views } = this.drawn
    const flags = fields.map(Number).join('')
    return `${client}:${verb} ${kind} ${pick} ${status} ${locale} [${others.join()}] ${flags} ${views}`
  }

  async #onAlbum(model: LibraryModel, real: Real): Promise<void> {
    const { verb, status } = this.drawn
    const key = this.#target(model) ?? model.newKey()
    const body = this.#albumBody(model)
    const sent = {
      ...(body.labels && { labels: body.labels.map((label) => idOf(real, label)) }),
      ...(body.parts && { parts: body.parts.map((label) => idOf(real, label)) }),
      ...(body.partner !== undefined && { partner: idOf(real, body.partner) }),
    }
    await this.#send(real, key, sent, this.#refusal(model.albums.get(key)))
    if (verb === 'create' || verb === 'update') model.saveAlbum(key, body, status)
    else if (verb === 'publish') model.publishAlbum(key)
    else if (verb === 'unpublish') delete model.albums.get(key)?.published
    else if (verb === 'discard-draft') model.discardAlbum(key)
    else model.deleteAlbum(key)
  }

  async #onLabel(model: LibraryModel, real: Real): Promise<void> {
    const { verb, status } = this.drawn
    const key = this.#target(model) ?? model.newKey()
    const body = this.#labelBody(model)
    const { connect, disconnect, whole, owner } = body
    const sent = {
      ...((connect !== undefined || disconnect !== undefined) && {
        albums: {
          connect: connect === undefined ? [] : [idOf(real, connect)],
          disconnect: disconnect === undefined ? [] : [idOf(real, disconnect)],
        },
      }),
      ...(whole !== undefined && { whole: idOf(real, whole) }),
      ...(owner !== undefined && { owner: idOf(real, owner) }),
    }
    await this.#send(real, key, sent, this.#refusal(model.labels.get(key)))
    if (verb === 'create' || verb === 'update') model.saveLabel(key, body, status)
    else if (verb === 'publish') model.publishLabel(key)
    else if (verb === 'unpublish') delete model.labels.get(key)?.published
    else if (verb === 'discard-draft') model.discardLabel(key)
    else model.deleteLabel(key)
  }

  async #onArticle(model: LibraryModel, real: Real): Promise<void> {
    const { verb, status, locale, fields, views } = this.drawn
    const key = this.#target(model) ?? model.newKey()
    const versions = model.articles.get(key)?.get(locale)
    const title = `${locale} ${model.newKey()}`
    const body: ArticleBody = {
      ...((verb === 'create' || fields[0]) && { title }),
      ...(fields[1] && { views }),
    }
    if (verb === 'create' || verb === 'update') {
      const isSaved = model.saveArticle(key, locale, body, status)
      await this.#send(real, key, body, isSaved ? undefined : 400)
    } else if (verb === 'delete') {
      const removed = fields[2] && fields[3] ? '*' : locale
      await this.#send(real, key, undefined, undefined, removed)
      model.deleteArticle(key, removed)
    } else {
      const isThere = versions !== undefined
      const isTitled = verb !== 'publish' || versions?.draft.title !== null
      const isLive = verb !== 'discard-draft' || versions?.published !== undefined
      const refused = !isThere || !isLive ? 404 : isTitled ? undefined : 400
      await this.#send(real, key, undefined, refused)
      if (refused !== undefined) return
      if (verb === 'publish') model.saveArticle(key, locale, {}, 'published')
      else if (verb === 'unpublish') delete versions?.published
      else model.discardArticle(key, locale)
    }
  }

  #target(model: Readonly<LibraryModel>): number | undefined {
    const { verb, kind, pick } = this.drawn
    if (verb === 'create') return undefined
    const keys = [...model[`${kind}s`].keys()]
    return keys[pick % keys.length]
  }

  #albumBody(model: LibraryModel): AlbumBody {
    const { fields, others } = this.drawn
    const known = [...model.labels.keys()]
    const labels = [...new Set(others.map((at) => known[at % known.length]))].filter(
      (key) => key !== undefined,
    )
    return {
      ...(fields[0] && { labels }),
      ...(fields[1] && { parts: labels }),
      ...(fields[2] && { partner: labels[0] ?? null }),
    }
  }

  #labelBody(model: LibraryModel): LabelBody {
    const { fields, others } = this.drawn
    const known = [...model.albums.keys()]
    const [one, two] = others.map((at) => known[at % known.length])
    return {
      ...(fields[0] && one !== undefined && { connect: one }),
      ...(fields[1] && two !== undefined && { disconnect: two }),
      ...(fields[2] && { whole: one ?? null }),
      ...(fields[3] && { owner: two ?? null }),
    }
  }

  /** Sends the write, and expects to be answered as the model says. */
  async #send(
    { apps, ids }: Real,
    key: number,
    body: object | undefined,
    refused?: number,
    locale = this.drawn.locale,
  ): Promise<void> {
    const { client, kind, verb, status } = this.drawn
    const app = apps[client] as TestApp
    const id = ids.get(key) ?? ''
    const scope = kind === 'article' ? `locale=${locale}` : ''
    const send = (method: string, path: string, status: number, data?: object): Promise<Answer> =>
      app
        .request(method, `/api/${kind}s${path}`, {
          token: app.token,
          ...(data && { body: { data } }),
        })
        .then((answer) => {
          expect(answer.status, `${this.toString()}: ${answer.text}`).to.equal(refused ?? status)
          return answer
        })
    const written = `?status=${status}&${scope}`
    if (verb === 'create') {
      const answer = await send('POST', written, 201, body)
      ids.set(key, (answer.body as { data: { documentId: string } }).data.documentId)
    } else if (verb === 'update') await send('PUT', `/${id}${written}`, 200, body)
    else if (verb === 'delete') await send('DELETE', `/${id}?${scope}`, 204)
    else await send('POST', `/${id}/actions/${verb}?${scope}`, 200)
  }

  #refusal(versions: Readonly<{ published?: unknown }> | undefined): number | undefined {
    return this.drawn.verb === 'discard-draft' && !versions?.published ? 404 : undefined
  }
}

class Compare implements Command {
  check(): boolean {
    return true
  }

  async run(model: LibraryModel, real: Real): Promise<void> {
    for (const [at, app] of real.apps.entries()) {
      for (const status of statuses)
        expect(await shown(app, real, status), `${status} at process ${at}`).to.deep.equal(
          expected(model, status),
        )
    }
  }

  toString(): string {
    return 'compare'
  }
}

function idOf({ ids }: Real, key: number | null): string | null {
  return key === null ? null : (ids.get(key) ?? null)
}

type Shown = Readonly<Record<Kind, Readonly<Record<string, unknown>>>>
type Entry = Readonly<Record<string, unknown> & { documentId: string }>

/** What the API says, with the model's keys in the place of documentIds. */
async function shown(app: TestApp, { ids }: Real, status: Status): Promise<Shown> {
  const keys = new Map([...ids].map(([key, id]) => [id, key]))
  const keyOf = (entry: unknown) => keys.get((entry as Entry | null)?.documentId ?? '') ?? null
  const list = async (kind: Kind, search: string): Promise<readonly Entry[]> => {
    const path = `/api/${kind}s?status=${status}&pagination[pageSize]=100&${search}`
    const { body } = await app.request('GET', path, { token: app.token })
    return (body as { data: readonly Entry[] }).data
  }
  const listed = (value: unknown) => (value as readonly unknown[]).map(keyOf)
  const byKey = <T>(entries: readonly Entry[], show: (entry: Entry) => T) =>
    Object.fromEntries(entries.map((entry) => [String(keyOf(entry)), show(entry)]))
  const albums = byKey(await list('album', 'populate=*'), (entry) => ({
    labels: listed(entry['labels']),
    parts: listed(entry['parts']),
    partner: keyOf(entry['partner']),
  }))
  const labels = byKey(await list('label', 'populate=*'), (entry) => ({
    albums: listed(entry['albums']).sort(),
    whole: keyOf(entry['whole']),
    owner: keyOf(entry['owner']),
  }))
  const articles = Object.fromEntries(
    (await list('article', 'locale=*')).map((entry) => [
      `${keyOf(entry)} ${String(entry['locale'])}`,
      { title: entry['title'], views: entry['views'] },
    ]),
  )
  return { album: albums, label: labels, article: articles }
}

/** The same, as the model has it: a relation shows what has a version of its status. */
function expected(model: LibraryModel, status: Status): Shown {
  const album: Record<string, unknown> = {}
  const label: Record<string, unknown> = {}
  const article: Record<string, unknown> = {}
  const labels = [...model.labels].filter(([, versions]) => versions[status] !== undefined)
  const isShown = new Set(labels.map(([key]) => key))
  const albums = [...model.albums].flatMap(([key, versions]) => {
    const version = versions[status]
    return version === undefined ? [] : [[key, version] as const]
  })
  for (const [key, { labels, parts, partner }] of albums) {
    const keys = (refs: readonly { label: number }[]) =>
      refs.map(({ label }) => label).filter((label) => isShown.has(label))
    album[key] = {
      labels: keys(labels),
      parts: keys(parts),
      partner: partner !== null && isShown.has(partner.label) ? partner.label : null,
    }
  }
  for (const [key] of labels) {
    const owners = (field: 'labels' | 'parts') =>
      albums.filter(([, version]) => version[field].some((ref) => ref.label === key))
    label[key] = {
      albums: owners('labels')
        .map(([key]) => key)
        .sort(),
      whole: owners('parts')[0]?.[0] ?? null,
      owner: albums.find(([, { partner }]) => partner?.label === key)?.[0] ?? null,
    }
  }
  for (const [key, locales] of model.articles)
    for (const [locale, versions] of locales)
      if (versions[status] !== undefined) article[`${key} ${locale}`] = { ...versions[status] }
  return { album, label, article }
}
