import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { pino } from 'pino'
import { convertEntries } from '../../../engine/convert-entries.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { readDefinitions, writeConverting } from '../../../server/content-types/definition-store.js'
import { sourced } from '../../../server/content-types/merge-definitions.js'
import { openSchemaStore } from '../../../server/content-types/store.js'
import { eventually } from '../../server/database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { later, quickened } from '../../support/later.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { dishSchema, type Turned } from './dish-site.js'

const dish = 'api::dish.dish'
type Shown = Readonly<{ documentId: string; id: number }> & Readonly<Record<string, unknown>>

/** Members that differ between the versions of an entry, or show the locale. */
const ofVersion = new Set(['id', 'publishedAt', 'locale', 'localizations'])

/** Removes the members `ofVersion` from entries, but not from components. */
function withoutVersion(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVersion)
  if (typeof value !== 'object' || value === null) return value
  const isEntry = 'documentId' in value
  const members = Object.entries(value).filter(([name]) => !isEntry || !ofVersion.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutVersion(member)]))
}

const without = (version: Document, names: readonly string[]): Document =>
  Object.fromEntries(Object.entries(version).filter(([name]) => !names.includes(name)))

describe('quire schema apply', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()
  let apps: TestApp[] = []
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop()
    apps = []
  })

  const start = async (uri: string, schema: Readonly<Record<string, object>>, more = {}) => {
    // A service polls for newer definitions, and reports its own, every second.
    const app = await quickened(10, () => startApp({ databaseUri: uri, schema, ...more }))
    apps.push(app)
    return app
  }
  const apply = async (uri: string, schema: Readonly<Record<string, object>>) => {
    const env = { MONGODB_URI: uri, SCHEMA_DIR: await makeFolder(schema) }
    return runQuireInProcess(['schema', 'apply'], { env })
  }
  const send = (app: TestApp, method: string, path: string, data?: object) => {
    const body = data === undefined ? {} : { body: { data } }
    return app.request(method, `/api/${path}`, { token: app.token, ...body })
  }
  const mustSend = async (app: TestApp, method: string, path: string, data?: object) => {
    const { status, body, text } = await send(app, method, path, data)
    expect(status, `${method} ${path}: ${text}`).to.be.within(200, 204)
    return (body as { data: Shown } | undefined)?.data ?? { documentId: '', id: 0 }
  }

  /** Creates content in which the order of related entries differs from the order of their ids. */
  const fill = async (app: TestApp) => {
    const form = new FormData()
    form.set('files', new Blob(['a menu']), 'menu.txt')
    const upload = await app.request('POST', '/api/upload', { token: app.token, body: form })
    const photo = (upload.body as readonly { id: number }[])[0]?.id
    const soups = await mustSend(app, 'POST', 'categories', { name: 'Soups' })
    const cakes = await mustSend(app, 'POST', 'categories', { name: 'Cakes' })
    const ann = await mustSend(app, 'POST', 'chefs', { name: 'Ann' })
    const ids: string[] = []
    for (const [at, name] of ['Ramen', 'Borscht', 'Opera', 'Pho'].entries()) {
      const seo = { title: name, key: `k${at}`, image: photo, about: soups.documentId }
      const { documentId } = await mustSend(app, 'POST', 'dishes', {
        ...{ name, code: `c${at}`, price: '10.50', stock: '9007199254740993', photo, seo },
        ...{ facts: { vegan: at === 2 }, parts: [{ __component: 'shared.seo', title: 'part' }] },
        ...{ pairings: [...ids].reverse(), chef: at === 1 ? ann.documentId : null },
      })
      ids.unshift(documentId)
    }
    const [pho = '', opera = '', borscht = '', ramen = ''] = ids
    await mustSend(app, 'PUT', `categories/${soups.documentId}`, { dishes: [pho, ramen, borscht] })
    await mustSend(app, 'PUT', `categories/${cakes.documentId}`, {
      dishes: [opera],
      favourite: opera,
    })
    await mustSend(app, 'PUT', 'card', { title: 'Lunch', dishes: [borscht, pho] })
    return { pho, opera, borscht, ramen, soups: soups.documentId, ann: ann.documentId }
  }
  const paths = [
    'dishes?populate=*',
    'dishes?populate[pairings][populate]=category&populate[seo][populate]=*&sort=name:desc',
    'dishes?sort=code:desc&pagination[pageSize]=2&pagination[page]=2',
    'dishes?sort=category.name&fields=name',
    'dishes?filters[category][name][$eq]=Soups&filters[chef][name][$null]=true&fields=name',
    'dishes?filters[pairings][code][$in][0]=c0&populate[parts]=true&_q=o',
    'categories?populate[dishes][populate]=chef&populate[favourite][populate]=seo',
    'categories?populate[dishes][sort]=name&populate[dishes][filters][code][$ne]=c0',
    'categories?filters[dishes][name][$contains]=e&populate[dishes][count]=true',
    'chefs?populate=dish',
    'card?populate[dishes][populate]=category',
  ]
  const answers = async (app: TestApp, query = '') => {
    const shown = new Map<string, unknown>()
    for (const path of paths) {
      const { status, body } = await send(app, 'GET', path + query)
      // The single type may have no document.
      expect(status, path).to.be.oneOf(path.startsWith('card') ? [200, 404] : [200])
      shown.set(path, body)
    }
    return shown
  }
  const expectSame = (
    after: ReadonlyMap<string, unknown>,
    before: ReadonlyMap<string, unknown>,
    without = (answer: unknown) => answer,
  ) => {
    for (const path of paths)
      expect(without(after.get(path)), path).to.deep.equal(without(before.get(path)))
  }
  const expectConsistent = async (uri: string) => {
    const { stdout } = await runQuireInProcess(['repair', '--check'], { env: { MONGODB_URI: uri } })
    expect(stdout).to.equal('The content is consistent.\n')
  }
  const versions = (db: Db, collection: string): Promise<Document[]> =>
    db.collection(collection).find().sort({ _id: 1 }).toArray()

  describe('while a service runs', () => {
    it('gives drafts to entries, and changes no other response', async () => {
      const uri = await testDatabaseUri()
      const app = await start(uri, dishSchema({}))
      const { pho, soups } = await fill(app)
      await app.allow('public', ['api::dish.dish.find'])
      const open = async () => (await app.request('GET', '/api/dishes?sort=code')).body
      const [before, shownToAll] = [await answers(app), await open()]

      const { code, stdout, stderr } = await apply(uri, dishSchema({ drafts: true }))
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(stdout).to.include('api::dish.dish: gave drafts to 4 entries\n')
      expect(stdout).to.include('are the newest now. Running instances serve them.')

      expectSame(await answers(app), before)
      expect(await open()).to.deep.equal(shownToAll)
      expectSame(await answers(app, '&status=draft'), before, withoutVersion)
      const count = async (filter: string) => {
        const query = `dishes?status=draft&publicationFilter=${filter}`
        const { body } = await send(app, 'GET', query)
        return (body as { data: readonly unknown[] }).data.length
      }
      expect([await count('modified'), await count('unmodified')]).to.deep.equal([0, 4])
      await expectConsistent(uri)

      const draft = await mustSend(app, 'PUT', `dishes/${pho}?status=draft`, {
        name: 'Phở',
        code: 'c0',
      })
      expect(draft['publishedAt']).to.equal(null)
      expect(await count('modified')).to.equal(1)
      expectSame(await answers(app), before)
      expect((await send(app, 'POST', `dishes/${pho}/actions/publish`)).status).to.equal(400)
      await mustSend(app, 'PUT', `dishes/${pho}?status=draft`, { code: 'c9' })
      const { id } = await mustSend(app, 'POST', `dishes/${pho}/actions/publish`)
      expect(id).to.equal((shownToAll as { data: readonly Shown[] }).data[3]?.id)
      await mustSend(app, 'PUT', `categories/${soups}`, { dishes: { disconnect: [pho] } })
      await mustSend(app, 'POST', 'dishes', { name: 'Pie' })
      await mustSend(app, 'DELETE', `dishes/${pho}`)
      await expectConsistent(uri)
    })

    it('gives entries the default locale, and changes no other response', async () => {
      const uri = await testDatabaseUri()
      const app = await start(uri, dishSchema({}))
      const { pho } = await fill(app)
      const locale = { code: 'fr', name: 'French', isDefault: true }
      await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: locale })
      const before = await answers(app)

      const { code, stdout } = await apply(uri, dishSchema({ locales: true }))
      expect(code).to.equal(0)
      expect(stdout).to.include('api::dish.dish: gave the locale fr to 4 entries\n')
      expect(stdout).to.include('api::card.card: gave the locale fr to 1 entry\n')

      expectSame(await answers(app), before, (answer) =>
        JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
          name === 'locale' || name === 'localizations' ? undefined : value,
        ),
      )
      const shown = await mustSend(app, 'GET', `dishes/${pho}?populate=localizations`)
      expect(shown).to.deep.include({ locale: 'fr', localizations: [] })
      await expectConsistent(uri)
      await mustSend(app, 'PUT', `dishes/${pho}?locale=en`, { name: 'Pho (en)' })
      await mustSend(app, 'PUT', `dishes/${pho}`, { price: '12' })
      const other = await mustSend(app, 'GET', `dishes/${pho}?locale=en`)
      expect(other).to.include({ name: 'Pho (en)', price: 12, code: 'c3' })
      expect((await send(app, 'POST', 'dishes', { name: 'Pie', code: 'c3' })).status).to.equal(400)
      await mustSend(app, 'DELETE', `dishes/${pho}?locale=*`)
      await expectConsistent(uri)
    })

    for (const [what, from, said] of [
      ['both at once', {}, 'the locale en and drafts to 4 entries'],
      ['drafts in each locale', { locales: true }, 'drafts to 4 entries'],
      ['locales to drafts', { drafts: true }, 'the locale en to 5 entries'],
    ] as const satisfies readonly (readonly [string, Turned, string])[])
      it(`gives ${what}, and leaves nothing to repair`, async () => {
        const uri = await testDatabaseUri()
        const app = await start(uri, dishSchema(from))
        const { pho, ramen, soups } = await fill(app)
        const french = { code: 'fr', name: 'French', isDefault: false }
        await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: french })
        if ('locales' in from)
          await mustSend(app, 'PUT', `dishes/${pho}?locale=fr`, { name: 'Phở' })
        if ('drafts' in from) {
          await mustSend(app, 'PUT', `dishes/${pho}?status=draft`, { name: 'Phở' })
          await mustSend(app, 'POST', `dishes/${ramen}/actions/unpublish`)
          await mustSend(app, 'POST', 'dishes?status=draft', { name: 'Stew', category: soups })
        }
        const queries = ['', '&status=draft', '&locale=fr', '&publicationFilter=unmodified'].filter(
          (query) => 'locales' in from || query !== '&locale=fr',
        )
        const before = new Map<string, ReadonlyMap<string, unknown>>()
        for (const query of queries) before.set(query, await answers(app, query))
        const to = { drafts: true, locales: true }
        const { code, stdout, stderr } = await apply(uri, dishSchema(to))
        expect([code, stderr]).to.deep.equal([0, ''])
        expect(stdout).to.include(`api::dish.dish: gave ${said}\n`)
        await expectConsistent(uri)
        for (const query of queries)
          expectSame(await answers(app, query), before.get(query) ?? new Map(), withoutVersion)
        await mustSend(app, 'PUT', `dishes/${pho}`, { name: 'Pho', stock: '1' })
        const { documentId } = await mustSend(app, 'PUT', `dishes/${pho}?locale=fr`, {
          name: 'Phở',
        })
        expect(documentId).to.equal(pho)
        await expectConsistent(uri)
      })

    it('passes pending relation changes of a draft to owners that get a locale', async () => {
      const uri = await testDatabaseUri()
      const app = await start(uri, dishSchema({ drafts: true }))
      const { ann, ramen } = await fill(app)
      await mustSend(app, 'PUT', `chefs/${ann}?status=draft`, { dish: ramen })
      await apply(uri, dishSchema({ drafts: true, locales: true }))
      await mustSend(app, 'POST', `chefs/${ann}/actions/publish`)
      const { dish: shown } = await mustSend(app, 'GET', `chefs/${ann}?populate=dish`)
      expect((shown as Shown).documentId).to.equal(ramen)
      await expectConsistent(uri)
    })

    it('converts an attribute to a value per locale, and refuses to convert it back', async () => {
      const uri = await testDatabaseUri()
      const localized = { pluginOptions: { i18n: { localized: true } } }
      const note = (more: object) =>
        dishSchema({ locales: true }, { note: { type: 'string', ...more } })
      const app = await start(uri, note({}))
      const { pho } = await fill(app)
      const french = { code: 'fr', name: 'French', isDefault: false }
      await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: french })
      await mustSend(app, 'PUT', `dishes/${pho}`, { note: 'hot' })
      await mustSend(app, 'PUT', `dishes/${pho}?locale=fr`, { name: 'Phở' })
      expect((await apply(uri, note(localized))).code).to.equal(0)
      await mustSend(app, 'PUT', `dishes/${pho}`, { note: 'very hot' })
      const shown = await mustSend(app, 'GET', `dishes/${pho}?locale=fr`)
      expect(shown).to.include({ note: 'hot' })
      const refused = await apply(uri, note({}))
      expect(refused.code).to.equal(1)
      expect(refused.stderr).to.include(
        'attributes.note.pluginOptions.i18n.localized: api::dish.dish cannot change from true to false: entries have different values in their locales, and only one value would remain',
      )
    })

    it('prints warnings as short lines', async () => {
      const misspelt = dishSchema({}, { note: { type: 'string', requierd: true } })
      const { code, stderr } = await apply(await testDatabaseUri(), misspelt)
      expect(code).to.equal(0)
      expect(stderr).to.match(/^\d\d:\d\d:\d\d warn .*requierd.*\n$/)
    })

    it('changes nothing if a start would refuse another change', async () => {
      const uri = await testDatabaseUri()
      const app = await start(uri, dishSchema({}))
      await fill(app)
      const schemas = await versions(app.quire.services.db, '_schemas')
      const drafts = { drafts: true }
      for (const [more, said] of [
        [{ code: { type: 'integer' } }, 'cannot change from string to integer'],
        [
          { price: { type: 'decimal', unique: true } },
          'attributes.price.unique: it cannot be unique',
        ],
      ] as const) {
        const { code, stderr } = await apply(uri, dishSchema(drafts, more))
        expect([code, stderr]).to.deep.equal([1, stderr])
        expect(stderr).to.include(said)
      }
      expect(await versions(app.quire.services.db, '_schemas')).to.deep.equal(schemas)
      expect(await versions(app.quire.services.db, 'dishes.draft')).to.deep.equal([])
    })

    it('changes nothing if an instance cannot serve the definitions', async () => {
      const uri = await testDatabaseUri()
      const settings = { 'api.rest.defaultPopulate': { [dish]: 'pairings' } }
      const app = await start(uri, dishSchema({}), { settings })
      const { pho } = await fill(app)
      const schema = dishSchema({ drafts: true }, { pairings: { type: 'json', storedAs: 'with' } })
      const { db } = app.quire.services
      const applying = apply(uri, schema)
      await eventually(async () => (await readDefinitions(db)).converting !== undefined)
      const { code, stderr } = await later(15, () => applying)
      expect([code, stderr.includes(`The process ${process.pid} on `)]).to.deep.equal([1, true])
      await mustSend(app, 'PUT', `dishes/${pho}`, { price: '1' })
      expect(await versions(db, 'dishes.draft')).to.deep.equal([])
    })

    it('reports that there is nothing to do if the definitions are the newest', async () => {
      const uri = await testDatabaseUri()
      await start(uri, dishSchema({}))
      const { code, stdout } = await apply(uri, dishSchema({}))
      expect(code).to.equal(0)
      expect(stdout).to.include('are the newest. There is nothing to do.')
    })
  })

  describe('after an interruption', () => {
    // Enough documents for two batches of the conversion.
    const count = 600
    const at = new Date('2024-01-01')
    const documents = new Map<string, readonly Document[]>([
      [
        'dishes',
        Array.from({ length: count }, (_, index) => ({
          ...{ _id: index + 1, documentId: `dish${index}`, locale: null, _revision: 1 + index },
          ...{ createdAt: at, updatedAt: at, publishedAt: at, createdBy: null, updatedBy: null },
          ...{ name: `Dish ${index}`, code: `c${index}` },
        })),
      ],
      ['_sequences', [{ _id: dish, value: count }]],
    ])
    const both = { drafts: true, locales: true }
    const begin = async () => {
      const uri = await testDatabaseUri()
      const app = await start(uri, dishSchema({}), { documents })
      const { db } = app.quire.services
      const category = await mustSend(app, 'POST', 'categories', { name: 'Soups' })
      await mustSend(app, 'PUT', `categories/${category.documentId}`, { favourite: 'dish7' })
      const shown = await answers(app)
      const { version } = await readDefinitions(db)
      const definitions = Object.entries(dishSchema(both)).map(([path, definition]) => {
        const name = path.replace(/^.*\/|\.json$/g, '')
        const [kind, uid] = path.startsWith('components')
          ? (['component', `shared.${name}`] as const)
          : (['content-type', `api::${name}.${name}`] as const)
        return { kind, uid, source: path, definition }
      })
      const conversions = [{ uid: dish, drafts: true, locale: 'en' }]
      expect(await writeConverting(db, { conversions, definitions })).to.equal(version + 1)
      await eventually(() => app.quire.services.registry().locked?.has(dish) === true)
      const registry = createRegistryFrom(definitions, version)
      /** Interrupts the conversion after a number of batches. */
      const convert = async (batches: number) => {
        let left = batches
        const check = () => {
          left -= 1
          return left < 0 ? Promise.reject(new Error('killed')) : Promise.resolve()
        }
        const conversion = { type: typeOf(registry, dish), drafts: true, locale: 'en' }
        const options = { db, registry, check, progress: () => undefined }
        return convertEntries(conversion, options).catch((error: Error) => error.message)
      }
      return { uri, app, db, shown, convert, category: category.documentId }
    }
    const refusal = 'are being converted'

    it('serves the previous responses, refuses writes, and continues where it stopped', async () => {
      const { uri, app, db, shown: before, convert, category } = await begin()
      for (const batches of [0, 1, 2, 4]) {
        expect(await convert(batches)).to.equal('killed')
        expectSame(await answers(app), before)
        for (const [method, path, data] of [
          ['POST', 'dishes', { name: 'x' }],
          ['PUT', 'dishes/dish3', { name: 'x' }],
          ['DELETE', 'dishes/dish3'],
          ['PUT', `categories/${category}`, { dishes: ['dish3'] }],
        ] as const) {
          const { status, headers, text } = await send(app, method, path, data)
          expect([status, headers.get('retry-after')], `${method} ${path}`).to.deep.equal([
            503,
            '5',
          ])
          expect(text).to.include(refusal).and.to.include('not-done')
        }
      }
      await mustSend(app, 'PUT', `categories/${category}`, { favourite: 'dish8' })
      const shown = await answers(app)
      // Meanwhile, a service with the previous definitions can start, but one with the new definitions cannot.
      const second = await start(uri, dishSchema({}))
      expectSame(await answers(second), shown)
      expect((await send(second, 'POST', 'dishes', { name: 'x' })).status).to.equal(503)
      const failure = await startApp({ databaseUri: uri, schema: dishSchema(both) }).catch(String)
      expect(failure).to.include(refusal).and.to.include('schema -- apply')
      const schemaCommand = await runQuireInProcess(['schema'], {
        env: { MONGODB_URI: uri, SCHEMA_DIR: await makeFolder(dishSchema(both)) },
      })
      expect([schemaCommand.code, schemaCommand.stderr.includes(refusal)]).to.deep.equal([1, true])
      const repair = await runQuireInProcess(['repair'], { env: { MONGODB_URI: uri } })
      expect([repair.code, repair.stderr.includes(refusal)]).to.deep.equal([1, true])
      const other = await apply(uri, dishSchema({}))
      expect([other.code, other.stderr.includes(refusal)]).to.deep.equal([1, true])

      expect((await apply(uri, dishSchema(both))).code).to.equal(0)
      for (const one of [app, second]) {
        expectSame(await answers(one), shown, withoutVersion)
        expectSame(await answers(one, '&status=draft'), shown, withoutVersion)
      }
      const [published, drafts] = [await versions(db, 'dishes'), await versions(db, 'dishes.draft')]
      expect(published.map(({ _id }) => _id as number)).to.deep.equal(
        Array.from({ length: count }, (_, index) => index + 1),
      )
      const ids = new Set([...published, ...drafts].map(({ _id }) => _id as number))
      expect(ids.size).to.equal(2 * count)
      for (const [index, version] of published.entries()) {
        const draft = drafts[index] ?? {}
        const own = ['_id', 'publishedAt', '_publishedFrom']
        expect(without(draft, own)).to.deep.equal(without(version, own))
        expect(draft['publishedAt']).to.equal(null)
        expect(version).to.deep.include({ publishedAt: at, locale: 'en' })
        expect(version['_publishedFrom']).to.equal(draft['_revision'])
      }
      await mustSend(second, 'PUT', 'dishes/dish3', { name: 'Soup' })
      await expectConsistent(uri)
    })

    it('refuses writes until it ends, and ends even if the definitions are already stored', async () => {
      const { uri, app, db, convert } = await begin()
      expect(await convert(100)).to.equal(2 * count)
      const { stop } = await openSchemaStore({
        ...{ db, log: pino({ level: 'silent' }), schemaDir: await makeFolder(dishSchema(both)) },
        ...{ onOlder: 'adopt', converted: true },
      })
      await stop()
      await eventually(
        async () => (await send(app, 'GET', 'dishes/dish3?locale=fr')).status === 404,
      )
      const write = () => send(app, 'PUT', 'dishes/dish3?status=draft', { name: 'Soup' })
      expect((await write()).status).to.equal(503)
      expect((await apply(uri, dishSchema(both))).code).to.equal(0)
      expect((await write()).status).to.equal(200)
      await expectConsistent(uri)
    })

    it('converts an entry that a background write changed after its conversion', async () => {
      const { uri, db, convert } = await begin()
      await convert(4)
      await db
        .collection('dishes')
        .updateOne({ documentId: 'dish1' }, { $set: { name: 'Late' }, $inc: { _revision: 1 } })
      expect((await apply(uri, dishSchema(both))).code).to.equal(0)
      const draft = await db.collection('dishes.draft').findOne({ documentId: 'dish1' })
      expect(draft).to.include({ name: 'Late', _revision: 3 })
      await expectConsistent(uri)
    })

    it('ends even if a draft is newer than its published version', async () => {
      const { db, convert } = await begin()
      await convert(100)
      await db
        .collection('dishes.draft')
        .updateOne({ documentId: 'dish1' }, { $inc: { _revision: 1 } })
      expect(await convert(100)).to.equal(0)
    })

    it('also converts what the definitions turned on in the meantime', async () => {
      const uri = await testDatabaseUri()
      const app = await start(uri, dishSchema({ drafts: true }))
      const { pho } = await fill(app)
      const { db } = app.quire.services
      // As if the command had been killed after it wrote the definitions.
      await db.collection('dishes.draft').deleteOne({ documentId: pho })
      const definitions = (await readDefinitions(db)).definitions.map(sourced)
      const conversions = [{ uid: dish, drafts: true, locale: null }]
      await writeConverting(db, { conversions, definitions })
      expect((await apply(uri, dishSchema(both))).code).to.equal(0)
      const draft = await db.collection('dishes.draft').findOne({ documentId: pho })
      expect(draft).to.include({ locale: 'en', publishedAt: null })
      await expectConsistent(uri)
    })
  })
})
