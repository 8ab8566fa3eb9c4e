import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { makeTokens } from '../../conformance/setup.js'
import { testDatabaseUri } from '../../support/database.js'
import type { Quire } from '../../../server/lifecycle/start.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startInProcess } from '../../support/service-in-process.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
import { askNewer } from './translate-request.js'
import { differences } from './compare-former.js'
import {
  recordedResponses,
  sampleDocuments,
  sampleFolder,
  storeAll,
  type RecordedResponse,
} from './sample.js'

type Raw = Readonly<Record<string, unknown>>

describe('imported Strapi 3 project', function () {
  this.timeout(120_000)
  let folder = ''
  let service: Quire | undefined
  let base = ''
  let ids: ReadonlyMap<string, string> = new Map()
  const tokens: Record<string, string> = {}
  let env: Readonly<Record<string, string>> = {}

  before(async () => {
    folder = await makeFolder({})
    const old = await testDatabaseUri()
    await storeAll(old, sampleDocuments())
    env = {
      ...{ MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` },
      // The logo is an SVG, which is denied by default.
      ...{
        UPLOAD_DENIED_TYPES: 'text/html',
        AUTH_RATE_LIMIT_MAX: '1000',
        IMPORT_LEGACY_IDS: 'true',
      },
    }
    const map = `${folder}/ids.json`
    const args = ['import-strapi-v3', old, '--uploads', `${sampleFolder}/uploads`, '--map', map]
    const { code, stderr } = await runQuireInProcess(args, { env, cwd: folder })
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const written = JSON.parse(await readFile(map, 'utf8')) as Record<
      string,
      Record<string, string>
    >
    ids = new Map(Object.values(written).flatMap((byId) => Object.entries(byId)))
    service = await startInProcess(env, folder)
    base = service.url
    tokens['admin'] = (await makeTokens(base)).tokens.full
    const { jwt } = (await bodyOf('POST', '/api/auth/local', undefined, {
      ...{ identifier: 'bob', password: 'Pass-word-2' },
    })) as { jwt: string }
    tokens['bob'] = jwt
  })

  after(async () => {
    await service?.stop()
    await removeFolder(folder)
  })

  const send = (method: string, path: string, token?: string, body?: object) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const bodyOf = async (...args: Parameters<typeof send>): Promise<unknown> =>
    (await send(...args)).json()

  const isContentResponse = ({ path }: RecordedResponse): boolean =>
    /^\/(articles|authors|tags|categories|homepage|site-option|content-manager)\b/.test(path)

  const answers = recordedResponses()

  for (const answer of answers.filter(isContentResponse))
    it(`gives ${answer.as} the response of Strapi 3 for ${answer.path}`, async () => {
      const { paths, locale, isDraft } = askNewer(answer.path)
      // Drafts need a caller who may see them.
      const token = isDraft ? tokens['admin'] : tokens[answer.as]
      const isError = answer.status >= 400
      const shown: unknown[] = []
      let total = 0
      for (const path of paths) {
        const response = await send('GET', path, token)
        const body = (await response.json()) as Raw
        // Strapi 3 responded with 500 to an invalid id.
        expect(response.status, JSON.stringify(body)).to.equal(
          answer.status === 500 ? 404 : answer.status,
        )
        if (isError) return
        const { data, meta } = body as { data: unknown; meta: { pagination?: { total: number } } }
        shown.push(...(Array.isArray(data) ? (data as unknown[]) : [data]))
        total += meta.pagination?.total ?? 0
      }
      if (typeof answer.body === 'number') {
        expect(total).to.equal(answer.body)
        return
      }
      const previous = (Array.isArray(answer.body) ? answer.body : [answer.body]) as readonly Raw[]
      const documentOf = (one: unknown) => (one as Raw)['documentId']
      const isOfAll = paths.length > 1
      if (!isOfAll)
        expect(shown.map(documentOf)).to.deep.equal(previous.map(({ _id }) => ids.get(String(_id))))
      else expect(shown).to.have.length(previous.length)
      const found = previous.flatMap((one, at) => {
        const entry = isOfAll
          ? shown.find(
              (other) =>
                documentOf(other) === ids.get(String(one['_id'])) &&
                (other as Raw)['locale'] === one['locale'],
            )
          : shown[at]
        const own = typeof one['locale'] === 'string' ? one['locale'] : locale
        return differences(one, entry, { ids, locale: own, isDraft })
      })
      expect(found).to.deep.equal([])
    })

  const strapi3Response = (path: string): RecordedResponse => {
    const found = answers.find((answer) => answer.path === path && answer.status === 200)
    if (found === undefined) throw new Error(`The sample has no response for ${path}`)
    return found
  }

  it('returns 403 to the public wherever Strapi 3 did', async () => {
    for (const { path, status } of answers.filter((answer) => answer.status === 403)) {
      const response = await send('GET', `/api${path}`)
      expect([path, response.status]).to.deep.equal([path, status])
    }
  })

  it('keeps the names, addresses, roles and passwords of users', async () => {
    const { body } = strapi3Response('/users/me')
    const { role, ...previous } = body as Raw
    const me = (await bodyOf('GET', '/api/users/me', tokens['bob'])) as Raw
    expect(differences(previous, me, { ids, locale: 'en', isDraft: false })).to.deep.equal([])
    const { name, type, description } = role as Raw
    const search = 'filters[username]=bob&populate=role'
    const [bob] = (await bodyOf('GET', `/api/users?${search}`, tokens['admin'])) as readonly Raw[]
    expect(bob?.['role']).to.deep.include({ name, type, description })
    const statusOf = async (identifier: string, password: string) =>
      (await send('POST', '/api/auth/local', undefined, { identifier, password })).status
    expect(await statusOf('alice@example.com', 'Pass-word-1')).to.equal(200)
    expect(await statusOf('çelik', 'Pässwörd-3')).to.equal(200)
    expect(await statusOf('alice', 'Pass-word-2')).to.equal(400)
    expect(await statusOf('blocked_one', 'Pass-word-4')).to.equal(400)
  })

  it('keeps the roles and their number of users', async () => {
    const brief = (body: unknown) =>
      (body as { roles: readonly Raw[] }).roles
        .map(({ name, description, type, nb_users }) => ({ name, description, type, nb_users }))
        .sort((a, b) => String(a.name).localeCompare(String(b.name)))
    const shown = await bodyOf('GET', '/api/users-permissions/roles', tokens['admin'])
    expect(brief(shown)).to.deep.equal(brief(strapi3Response('/users-permissions/roles').body))
  })

  it('keeps the files, their attributes and content', async () => {
    const previous = strapi3Response('/upload/files?_sort=name:ASC').body as readonly Raw[]
    const shown = (await bodyOf('GET', '/api/upload/files?sort=name:asc', tokens['admin'])) as Raw[]
    expect(shown).to.have.length(previous.length)
    const found = previous.flatMap((one, at) =>
      differences(one, shown[at], { ids, locale: 'en', isDraft: false }),
    )
    expect(found).to.deep.equal([])
    for (const { url, size } of shown) {
      const response = await send('GET', String(url))
      expect(response.status).to.equal(200)
      const bytes = await response.arrayBuffer()
      expect(bytes.byteLength / 1000).to.be.closeTo(Number(size), 0.01)
    }
  })

  it('keeps the locales and the default locale', async () => {
    const brief = (body: unknown) =>
      (body as readonly Raw[]).map(({ code, name, isDefault }) => ({ code, name, isDefault }))
    const shown = await bodyOf('GET', '/api/i18n/locales', tokens['admin'])
    expect(brief(shown)).to.deep.equal(brief(strapi3Response('/i18n/locales').body))
  })

  it('covers every response of the sample', () => {
    const others = answers.filter((answer) => !isContentResponse(answer)).map(({ path }) => path)
    expect(others).to.have.members([
      ...['/users', '/upload/files', '/users/me', '/users-permissions/roles'],
      ...['/upload/files?_sort=name:ASC', '/i18n/locales'],
    ])
  })

  it('returns 404 for an unknown old id, or one of another type', async () => {
    const status = async (path: string) => (await send('GET', path, tokens['admin'])).status
    expect(await status('/api/tags/6b021a569bdd856edb4390d7')).to.equal(404)
    expect(await status('/api/articles/6b021a569bdd856edb439fff')).to.equal(404)
    expect(await status('/api/articles/6B021A569BDD856EDB4390D7')).to.equal(200)
  })

  it('returns 404 for old ids in any locale unless import.legacyIds is on', async () => {
    const other = await startInProcess({ ...env, IMPORT_LEGACY_IDS: 'false' }, folder)
    try {
      const { url } = other
      const headers = { Authorization: `Bearer ${tokens['admin']}` }
      for (const id of ['6b021a569bdd856edb4390d7', '6b021a589bdd856edb43913a']) {
        const statusOf = async (path: string) =>
          (await fetch(`${url}/api/articles/${path}`, { headers })).status
        const locale = id.endsWith('3a') ? 'fr' : 'en'
        expect(await statusOf(id)).to.equal(404)
        expect(await statusOf(`${id}?locale=${locale}`)).to.equal(404)
        expect(await statusOf(`${ids.get(id)}?locale=${locale}`)).to.equal(200)
      }
    } finally {
      await other.stop()
    }
  })

  it('reads an entry by its old id in the requested locale', async () => {
    const read = async (search: string) =>
      ((await bodyOf('GET', `/api/articles/6b021a589bdd856edb43913a${search}`)) as { data: Raw })
        .data
    expect(await read('')).to.include({ title: 'Bonjour le monde', locale: 'fr' })
    expect(await read('?locale=en&fields=title')).to.include({ title: 'Hello, world' })
  })
})
