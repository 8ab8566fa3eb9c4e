import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuire } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { unexplainedRows } from '../import-strapi/unexplained-rows.js'
import { idOf, makeFormer } from './make-former.js'
import { sampleDocuments, sampleFolder, storeAll, type Stored } from './sample.js'

describe('quire import-strapi-v3', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const open = async (stored: Stored, settings: Readonly<Record<string, string>> = {}) => {
    const folder = await makeFolder({})
    const old = await testDatabaseUri()
    await storeAll(old, stored)
    const uri = await testDatabaseUri()
    const env = { MONGODB_URI: uri, DATA_DIR: `${folder}/data`, OLD: old, ...settings }
    const run = (...args: readonly string[]) =>
      runQuireInProcess(['import-strapi-v3', 'env:OLD', ...args], { env, cwd: folder })
    return {
      ...{ folder, old, env, run },
      report: async (...args: readonly string[]): Promise<ImportReport> => {
        const { code, stdout, stderr } = await run(...args, '--json')
        expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
        return JSON.parse(stdout) as ImportReport
      },
      over: async <T>(task: (db: Db) => Promise<T>, address = uri): Promise<T> => {
        const client = new MongoClient(address)
        try {
          return await task(client.db())
        } finally {
          await client.close()
        }
      },
    }
  }

  const counts = (notes: ImportReport['leftOut']): Readonly<Record<string, number>> =>
    Object.fromEntries(notes.map(({ what, count }) => [what, count]))

  it('reports what it imported, adapted and left out, and leaves nothing to repair', async () => {
    const site = await open(sampleDocuments())
    const uploads = ['--uploads', `${sampleFolder}/uploads`, '--json']
    const { code, stdout, stderr } = await runQuire(['import-strapi-v3', 'env:OLD', ...uploads], {
      ...{ env: site.env, cwd: site.folder },
    })
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const report = JSON.parse(stdout) as ImportReport
    expect(report.mapped['api::article.article']).to.deep.equal({
      ...{ rows: 35, documents: 18, drafts: 21, published: 14 },
    })
    expect(report.media.files).to.equal(13)
    expect(unexplainedRows(report)).to.deep.equal([])
    expect(report.rows['api::article.article']).to.deep.equal({
      ...{ read: 21, written: 35 },
      because: [{ what: 'published rows, which also get a draft', entries: 14 }],
    })
    expect(report.next).to.have.length.above(0)
    expect(report.neverIncluded.join()).to.include('--uploads')
    expect(counts(report.adapted)).to.deep.equal({
      'passwords in plain text, which are hashed now': 2,
      'lists that contain an entry more than once, which contain it once now': 1,
    })
    const left = counts(report.leftOut)
    expect(left).to.include({
      'admins, who must be created again': 2,
      'values of api::article.article.legacyCode, which is not an attribute': 4,
      'references to entries of api::category.category that no longer exist': 1,
      'references to entries of api::author.author that no longer exist': 1,
      'permissions for unknown actions: api::article.article.count': 3,
      'files of a type that upload.deniedTypes refuses (image/svg+xml)': 1,
    })
    const secrets = await site.over((db) => db.collection('articles').distinct('secret'))
    expect(secrets.filter((one) => one !== null)).to.satisfy((hashes: readonly string[]) =>
      hashes.every((hash) => hash.startsWith('$argon2id$')),
    )
    const check = await runQuireInProcess(['repair', '--check'], {
      env: site.env,
      cwd: site.folder,
    })
    expect(check).to.deep.include({ code: 0, stderr: '' })
  })

  it('creates the same definitions from the project files as from the database', async () => {
    const site = await open(sampleDocuments())
    const stored = await site.report()
    const project = `${sampleFolder}/project`
    const tried = await site.report('--dry-run', '--definitions', project, '--replace')
    expect(tried.archive.strapiVersion).to.equal('3.6.11')
    const fromFiles = await open(sampleDocuments())
    const report = await fromFiles.report('--definitions', project)
    expect([...report.definitions].sort()).to.deep.equal([...stored.definitions].sort())
    const definitionsOf = (site: Awaited<ReturnType<typeof open>>) =>
      site.over((db) =>
        db
          .collection<{ _id: string }>('_schemas')
          .find({ _id: /::|^shared\./ }, { projection: { definition: 1 } })
          .sort({ _id: 1 })
          .toArray(),
      )
    expect(await definitionsOf(fromFiles)).to.deep.equal(await definitionsOf(site))
  })

  it('keeps documentIds when repeated, and leaves the old database unchanged', async () => {
    const site = await open(sampleDocuments())
    const map = `${site.folder}/ids.json`
    const first = await site.report('--map', map)
    const ids = await readFile(map, 'utf8')
    expect(
      Object.keys((JSON.parse(ids) as Record<string, object>)['api::tag.tag'] ?? {}),
    ).to.have.length(5)
    const again = await site.report('--map', map)
    expect(again.mapped).to.deep.equal(first.mapped)
    await site.report('--map', map, '--replace')
    expect(await readFile(map, 'utf8')).to.equal(ids)
    const names = await site.over(
      async (db) => (await db.listCollections().toArray()).map(({ name }) => name).sort(),
      site.old,
    )
    expect(names).to.deep.equal([...sampleDocuments().keys()].sort())
  })

  it('prints what it would import with --dry-run, without a database', async () => {
    const site = await open(sampleDocuments(), {
      MONGODB_URI: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1',
    })
    const { code, stdout, stderr } = await site.run('--dry-run')
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(stdout).to.match(
      /Would be imported:\n(?: {2}.*\n)*? {2}api::article.article +18 documents: 14 published, 21 drafts/,
    )
  })

  it('is refused if there is no Strapi 3 project, or if the service would use its database', async () => {
    const site = await open(new Map())
    expect((await site.run()).stderr).to.match(
      /^There are no definitions of a Strapi 3 project in core_store/,
    )
    const missing = await site.run('--definitions', `${site.folder}/none`)
    expect(missing.stderr).to.match(/^There are no definitions of a Strapi 3 project in .*none/)
    const own = await open(sampleDocuments())
    const env = { ...own.env, MONGODB_URI: own.old }
    const { code, stderr } = await runQuireInProcess(['import-strapi-v3', 'env:OLD'], {
      env,
      cwd: own.folder,
    })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^The database of this project belongs to a Strapi 3 project/)
    const names = await own.over((db) => db.listCollections({ name: /^_/ }).toArray(), own.old)
    expect(names.map(({ name }) => name)).to.deep.equal([])
    const unreachable = await runQuireInProcess(
      ['import-strapi-v3', 'mongodb://me:secret@127.0.0.1:1/old?serverSelectionTimeoutMS=1'],
      {
        ...{ env, cwd: own.folder },
      },
    )
    expect(unreachable.stderr).to.match(
      /^Cannot read the old database at mongodb:\/\/\*\*\*@127.0.0.1:1\/old: /,
    )
    expect(unreachable.stderr).not.to.include('secret')
  })

  it('imports relations of all kinds, in their order', async () => {
    const book = {
      ...{ kind: 'collectionType', collectionName: 'book', info: { name: 'book' }, options: {} },
      attributes: {
        title: { type: 'string' },
        // Only the other side declares the relation as bidirectional.
        shelf: { model: 'shelf' },
        cover: { model: 'sleeve', via: 'book' },
        sequel: { model: 'book', via: 'prequel' },
        prequel: { model: 'book', via: 'sequel' },
        about: { collection: '*', filter: 'field' },
        first: { model: '*', filter: 'field' },
        owner: { model: 'user', plugin: 'users-permissions', via: 'books' },
        menu: { model: 'menu', plugin: 'menus' },
        status: { type: 'enumeration', enum: ['new', 'old'], default: 'new' },
        locale: { type: 'string' },
      },
    }
    const shelf = {
      ...{ kind: 'collectionType', collectionName: 'shelves', info: { name: 'Shelf' } },
      options: { timestamps: ['made_at', 'changed_at'] },
      attributes: {
        books: { collection: 'book', via: 'shelf' },
        mentions: { collection: 'book', via: 'about' },
      },
    }
    const sleeve = {
      ...{ collectionName: 'sleeves', info: { name: 'Sleeve' }, options: {} },
      attributes: { book: { model: 'book', via: 'cover' } },
    }
    const user = {
      ...{ collectionName: 'users-permissions_user', info: { name: 'user' }, options: {} },
      attributes: { nick: { type: 'string' }, books: { collection: 'book', via: 'owner' } },
    }
    const [one, two, three] = [idOf(1), idOf(2), idOf(3)]
    const stored = makeFormer(
      {
        'application::book.book': book,
        'application::shelf.shelf': shelf,
        'application::sleeve.sleeve': sleeve,
        'plugins::users-permissions.user': user,
      },
      {
        book: [
          {
            ...{ _id: one, title: 'One', shelf: idOf(0x11), cover: idOf(0x21), sequel: two },
            ...{ owner: idOf(0x31), menu: idOf(0x99), status: 'old' },
            about: [
              { _id: idOf(0x41), kind: 'Shelf', ref: idOf(0x12), field: 'mentions' },
              { _id: idOf(0x42), kind: 'Book', ref: three, field: 'x' },
              { _id: idOf(0x43), kind: 'Gone', ref: three, field: 'x' },
            ],
            first: { kind: 'UsersPermissionsUser', ref: idOf(0x31) },
          },
          { _id: two, title: 'Two', shelf: idOf(0x11), prequel: one },
          { _id: three, title: null },
        ],
        shelves: [
          { _id: idOf(0x11), made_at: new Date(1e12), changed_at: new Date(2e12) },
          { _id: idOf(0x12), mentions: [one] },
        ],
        sleeves: [{ _id: idOf(0x21), book: one }],
        'users-permissions_user': [
          { _id: idOf(0x31), username: 'reader', email: 'Reader@example.com', nick: 'r' },
        ],
      },
    )
    const site = await open(stored)
    const report = await site.report('--map', 'ids.json')
    expect(counts(report.leftOut)).to.deep.equal({
      'relations to "menu", which does not exist': 1,
      'attributes: every entry already has a "locale": this attribute is left out': 1,
      'references to entries of an unknown type that no longer exist': 1,
    })
    const text = await readFile(`${site.folder}/ids.json`, 'utf8')
    const ids = JSON.parse(text) as Record<string, Record<string, string>>
    const documentId = (type: string, id: number) =>
      ids[type]?.[idOf(id).toHexString()] ?? `no ${type} ${id}`
    const refer = (type: string, id: number) => ({ documentId: documentId(type, id) })
    await site.over(async (db) => {
      const books = await db.collection('book').find().sort({ _id: 1 }).toArray()
      const [first, second, third] = books
      expect(first).to.deep.include({ title: 'One', status: 'old' })
      expect(second).to.deep.include({ status: 'new' })
      expect(third).to.deep.include({ title: null, shelf: null })
      expect(second?.['prequel']).to.deep.include(refer('api::book.book', 1))
      expect(first?.['createdAt']).to.deep.equal(one.getTimestamp())
      const shelfRef = refer('api::shelf.shelf', 0x11)
      expect(first?.['shelf']).to.deep.include(shelfRef)
      expect(second?.['shelf']).to.deep.include(shelfRef)
      expect(first?.['cover']).to.deep.include(refer('api::sleeve.sleeve', 0x21))
      expect(first?.['owner']).to.deep.include(refer('plugin::users-permissions.user', 0x31))
      expect(first?.['first']).to.deep.include({
        ...refer('plugin::users-permissions.user', 0x31),
        __type: 'plugin::users-permissions.user',
      })
      const about = first?.['about'] as readonly { documentId: string; __type: string }[]
      expect(about.map(({ documentId, __type }) => ({ documentId, __type }))).to.deep.equal([
        { ...refer('api::shelf.shelf', 0x12), __type: 'api::shelf.shelf' },
        { ...refer('api::book.book', 3), __type: 'api::book.book' },
      ])
      const shelves = await db.collection('shelves').find().sort({ _id: 1 }).toArray()
      expect(shelves[0]).to.deep.include({ createdAt: new Date(1e12), updatedAt: new Date(2e12) })
      const users = await db.collection('users').find().toArray()
      expect(users[0]).to.deep.include({
        username: 'reader',
        email: 'reader@example.com',
        nick: 'r',
      })
    })
    const check = await runQuireInProcess(['repair', '--check'], {
      env: site.env,
      cwd: site.folder,
    })
    expect(check).to.deep.include({ code: 0, stderr: '' })
  })

  it('joins the locales of a document, and keeps other rows separate', async () => {
    const localized = { i18n: { localized: true } }
    const note = {
      ...{ collectionName: 'notes', info: { name: 'Note' }, pluginOptions: localized },
      options: { draftAndPublish: true, timestamps: true },
      attributes: { text: { type: 'string', pluginOptions: localized } },
    }
    const front = {
      ...{ kind: 'singleType', collectionName: 'fronts', info: { name: 'Front' }, options: {} },
      attributes: { text: { type: 'string' } },
    }
    const row = (
      number: number,
      locale: string | undefined,
      others: readonly number[],
      more = {},
    ) => ({
      ...{ _id: idOf(number), text: `${number}`, published_at: null, ...more },
      ...(locale === undefined ? {} : { locale }),
      localizations: others.map(idOf),
    })
    const stored = makeFormer(
      { 'application::note.note': note, 'application::front.front': front },
      {
        notes: [
          row(1, 'en', [2, 3], { published_at: new Date(1.5e12) }),
          row(2, 'fr', [1, 3]),
          row(3, 'de', [1, 2]),
          // Row 4 was created before the type was localized. Row 5 refers to a deleted row.
          // Rows 6 and 7 have the same locale.
          row(4, undefined, []),
          row(5, 'fr', [9]),
          row(6, 'en', [7]),
          row(7, 'en', [6]),
          { _id: 'by hand', text: 'x' },
        ],
        fronts: [
          { _id: idOf(0x51), text: 'first' },
          { _id: idOf(0x52), text: 'second' },
        ],
        i18n_locales: [
          { _id: idOf(0x61), code: 'en', name: 'English' },
          { _id: idOf(0x62), code: 'fr', name: 'French' },
          { _id: idOf(0x63), code: 'de', name: 'German' },
        ],
      },
    )
    const site = await open(stored)
    const report = await site.report()
    expect(report.mapped['api::note.note']).to.deep.include({
      documents: 5,
      drafts: 7,
      published: 1,
    })
    expect(counts(report.adapted)).to.deep.equal({
      'rows of api::note.note in a locale that their document already has, which become separate documents': 1,
    })
    expect(counts(report.leftOut)).to.deep.equal({
      'rows of api::note.note whose id is not from Strapi': 1,
      'further rows of the single type api::front.front': 1,
    })
    await site.over(async (db) => {
      const drafts = await db.collection('notes.draft').find().sort({ _id: 1 }).toArray()
      const documents = [...new Set(drafts.map(({ documentId }) => documentId as string))]
      const shown = drafts.map(({ _id, text, locale, documentId }) =>
        [_id, text, locale, documents.indexOf(documentId as string)].join(' '),
      )
      expect(shown).to.deep.equal([
        ...['1 1 en 0', '3 2 fr 0', '5 3 de 0', '7 4 en 1', '9 5 fr 2', '11 6 en 3', '13 7 en 4'],
      ])
      const published = await db.collection('notes').find().toArray()
      expect(published).to.have.length(1)
      expect(published[0]).to.deep.include({ text: '1', publishedAt: new Date(1.5e12) })
      expect(await db.collection('fronts').distinct('text')).to.deep.equal(['first'])
    })
  })

  it('imports components, nested ones included, from their collections', async () => {
    const page = {
      ...{ collectionName: 'pages', info: { name: 'Page' }, options: { draftAndPublish: true } },
      attributes: {
        box: { type: 'component', component: 'ui.box' },
        boxes: { type: 'component', component: 'ui.box', repeatable: true },
        zone: { type: 'dynamiczone', components: ['ui.box', 'ui.label'] },
        link: { type: 'component', component: 'ui.label' },
      },
    }
    const box = {
      ...{ collectionName: 'components_ui_boxes', info: { name: 'box' }, options: {} },
      attributes: {
        name: { type: 'string', default: 'untitled' },
        label: { type: 'component', component: 'ui.label' },
        pages: { collection: 'page' },
      },
    }
    const label = {
      ...{ collectionName: 'components_ui_labels', info: { name: 'label' }, options: {} },
      attributes: { text: { type: 'string' }, big: { type: 'biginteger' }, raw: { type: 'json' } },
    }
    const part = (kind: string, number: number) => ({ _id: idOf(0xfff), kind, ref: idOf(number) })
    const stored = makeFormer(
      { 'application::page.page': page, 'ui.box': box, 'ui.label': label },
      {
        pages: [
          {
            ...{ _id: idOf(1), published_at: new Date(1.5e12) },
            box: [part('ComponentUiBox', 0x11), part('ComponentUiBox', 0x12)],
            boxes: [part('ComponentUiBox', 0x13), part('ComponentUiBox', 0x12)],
            zone: [
              part('ComponentUiLabel', 0x21),
              part('ComponentUiGone', 0x21),
              part('ComponentUiBox', 0x99),
            ],
            link: [part('ComponentUiBox', 0x11)],
          },
        ],
        components_ui_boxes: [
          { _id: idOf(0x11), name: 'a', label: [part('ComponentUiLabel', 0x22)], pages: [idOf(1)] },
          { _id: idOf(0x12), name: 'b' },
          { _id: idOf(0x13) },
        ],
        components_ui_labels: [
          { _id: idOf(0x21), text: 'z', big: 9007199254740993n, raw: { a: new Date(0), b: 5n } },
          { _id: idOf(0x22), text: 'inner' },
        ],
      },
    )
    const site = await open(stored)
    const report = await site.report()
    expect(counts(report.leftOut)).to.deep.equal({
      'further components of an attribute that holds one': 1,
      'components whose definition no longer exists': 1,
      'components that no longer exist': 1,
      'components of ui.box, which the attribute no longer allows': 1,
    })
    await site.over(async (db) => {
      const draft = await db.collection('pages.draft').findOne({}, { useBigInt64: true })
      const shown = JSON.parse(
        JSON.stringify(draft, (key, value: unknown) =>
          key === 'id' || key.startsWith('_r') || key.startsWith('_i')
            ? undefined
            : typeof value === 'bigint'
              ? String(value)
              : value,
        ),
      ) as Record<string, unknown>
      const pages = [{ documentId: draft?.['documentId'] as string }]
      const inner = { text: 'inner', big: null, raw: null }
      expect(shown['box']).to.deep.include({ name: 'a', label: inner })
      expect((shown['box'] as { pages: object[] }).pages[0]).to.deep.include(pages[0])
      expect(shown['boxes']).to.deep.equal([
        { name: 'untitled', label: null, pages: [] },
        { name: 'b', label: null, pages: [] },
      ])
      expect(shown['zone']).to.deep.equal([
        {
          ...{ __component: 'ui.label', text: 'z', big: '9007199254740993' },
          raw: { a: '1970-01-01T00:00:00.000Z', b: 5 },
        },
      ])
      expect(shown['link']).to.equal(null)
      const published = await db.collection('pages').findOne()
      expect((published?.['box'] as { id: unknown }).id).to.equal(
        Number((draft?.['box'] as { id: unknown }).id),
      )
    })
  })
})
