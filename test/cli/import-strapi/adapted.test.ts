import { readdir } from 'node:fs/promises'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { makeExport } from './make-export.js'

const definition = (uid: string, attributes: object, more: object = {}) => {
  const name = uid.split('.')[1] ?? ''
  return {
    ...{ uid, modelType: 'contentType', kind: 'collectionType', collectionName: `${name}s` },
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    ...more,
    attributes: { ...attributes, createdAt: { type: 'datetime' } },
  }
}

const at = '2026-01-01T00:00:00.000Z'
const times = { createdAt: at, updatedAt: at }
const row = (type: string, id: number, documentId: string, data: object) => ({
  ...{ type, id },
  data: { documentId, ...times, publishedAt: null, locale: null, ...data },
})
const id = (letter: string): string => letter.repeat(24)

describe('quire import-strapi of unusual content', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  it('reports what it adapts and leaves out, and leaves nothing to repair', async () => {
    const folder = await makeFolder({})
    const page = 'api::page.page'
    const file = 'plugin::upload.file'
    const i18n = { pluginOptions: { i18n: { localized: true } } }
    const archive = await makeExport(`${folder}/export.tar.gz`, {
      'schemas/s.jsonl': [
        definition(
          page,
          {
            title: { type: 'string', ...i18n },
            views: { type: 'integer', ...i18n },
            box: { type: 'component', component: 'shared.box', repeatable: true },
            about: { type: 'relation', relation: 'morphToMany' },
          },
          i18n,
        ),
        definition('api::note.note', { text: { type: 'string' }, pages: pagesOfNote }),
        {
          uid: 'shared.box',
          modelType: 'component',
          info: {},
          attributes: { to: { type: 'string' } },
        },
      ],
      'entities/e.jsonl': [
        // Shared attributes have separate components in each locale.
        row(page, 1, id('a'), { locale: 'en', title: 'A', box: [{ id: 1, to: 'x' }] }),
        row(page, 2, id('a'), {
          locale: 'en',
          title: 'A',
          box: [{ id: 2, to: 'x' }],
          publishedAt: at,
        }),
        row(page, 3, id('a'), { locale: 'de', title: 'Ä', box: [{ id: 3, to: 'x' }] }),
        // A published row without a draft and without a locale, with a value of the wrong type.
        row(page, 4, id('b'), { title: 'B', views: 'many', publishedAt: at }),
        row(page, 5, 'not a documentId', {}),
        row('api::gone.gone', 1, id('c'), {}),
        row('api::note.note', 1, id('d'), { text: 'first' }),
        row('api::note.note', 7, id('d'), { text: 'later' }),
        // `strapi export` never writes admins. The author of this archive must not become an admin here.
        row('admin::user', 1, id('k'), { email: 'eve@example.com', isActive: true, roles: [] }),
        row('plugin::i18n.locale', 1, id('e'), { code: 'en', name: 'English' }),
        row('plugin::i18n.locale', 2, id('f'), { code: 'de', name: 'German' }),
        row('plugin::users-permissions.user', 1, id('g'), {
          ...{ username: 'Eve', email: 'Eve@Example.com' },
          password: '$2a$31$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXq',
        }),
        row(file, 1, id('h'), {
          ...{ name: 'IMG 1.JPG', hash: 'IMG_1_0a1b2c3d4e', ext: '.JPG', mime: 'image/jpeg' },
          ...{ size: 1, url: '/uploads/IMG_1_0a1b2c3d4e.JPG', provider: 'local' },
        }),
        row(file, 2, id('i'), {
          ...{ name: 'odd', hash: '../../odd name', ext: null, mime: 'application/octet-stream' },
          ...{ size: 1, url: '/x', provider: 'aws-s3', provider_metadata: { secret: 1 } },
        }),
        row(file, 3, id('j'), {
          ...{ name: 'a.svg', hash: 'a_0a1b2c3d4e', ext: '.svg', mime: 'image/svg+xml' },
          ...{ size: 1, url: '/x', provider: 'local' },
        }),
      ],
      'links/l.jsonl': [
        {
          ...{ kind: 'relation.morph', relation: 'morphToMany' },
          left: { type: page, field: 'about', ref: 1 },
          right: { type: 'api::note.note', field: 'pages', ref: 1, pos: 2 },
        },
        {
          ...{ kind: 'relation.morph', relation: 'morphToMany' },
          left: { type: page, field: 'about', ref: 1 },
          right: { type: file, field: 'x', ref: 2, pos: 1 },
        },
        {
          ...{ kind: 'relation.basic', relation: 'oneToOne' },
          left: { type: page, field: 'gone', ref: 1 },
          right: { type: page, ref: 2 },
        },
      ],
      'configuration/c.jsonl': [
        coreStore('plugin_i18n_default_locale', 'de'),
        coreStore('plugin_users-permissions_advanced', { allow_register: false }),
      ],
      'assets/uploads/IMG_1_0a1b2c3d4e.JPG': 'picture',
      'assets/uploads/nobodys.png': 'picture',
    })
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` }
    const run = (...args: readonly string[]) => runQuireInProcess(args, { env, cwd: folder })
    const { code, stdout, stderr } = await run('import-strapi', archive, '--json')
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const report = JSON.parse(stdout) as ImportReport
    expect(report.adapted.map(({ what, count }) => `${count} ${what}`)).to.have.members([
      '1 rows of api::page.page without a locale, which get the default locale',
      '1 published rows of api::page.page without a draft, which get one',
      '1 names of stored files, and therefore their addresses',
    ])
    expect(report.leftOut.map(({ what, count }) => `${count} ${what}`)).to.have.members([
      '1 rows without a type, an id or a documentId',
      '1 rows of api::gone.gone: there is no such content-type',
      '1 rows of admin::user: admins must be created again',
      '1 files of a type that upload.deniedTypes refuses (image/svg+xml)',
      '1 relations of api::page.page.gone, which is not a relation in this project',
      '1 values of api::page.page.views: a value is not a whole number',
      '1 further rows of a document of api::note.note in one locale',
      '1 passwords that are not bcrypt hashes, whose users must choose new ones by mail',
      '1 closed registration: set auth.registration=closed',
      '1 content of files that is not in the archive',
      '1 files in the archive without a record',
    ])
    expect(await readdir(`${folder}/data/uploads`)).to.include('IMG_1_0a1b2c3d4e.JPG')

    const client = new MongoClient(env.MONGODB_URI)
    try {
      const db = client.db()
      const pages = await db.collection('pages.draft').find().sort({ _id: 1 }).toArray()
      expect(
        pages.map(({ _id, locale, title }) => [String(_id), locale as unknown, title as unknown]),
      ).to.deep.equal([
        ['1', 'en', 'A'],
        ['3', 'de', 'Ä'],
        // Ids of new entries are above all ids of the export.
        ['5', 'de', 'B'],
      ])
      const published = await db.collection('pages').find().sort({ _id: 1 }).toArray()
      expect(published[0]?.['box']).to.deep.equal(pages[0]?.['box'])
      expect(pages[1]?.['box']).to.deep.equal(pages[0]?.['box'])
      expect(pages[0]?.['about']).to.deep.equal([
        { documentId: id('i'), order: 1, __type: file },
        { documentId: id('d'), order: 2, __type: 'api::note.note' },
      ])
      expect(await db.collection('notes.draft').findOne()).to.include({ text: 'later' })
      expect(await db.collection('admin_users').countDocuments()).to.equal(0)
      const user = await db.collection('users').findOne()
      expect(user).to.include({ username: 'Eve', email: 'eve@example.com', password: null })
      const files = await db.collection('upload_files').find().sort({ _id: 1 }).toArray()
      expect(files.map(({ url }) => url as unknown)).to.deep.equal([
        '/uploads/IMG_1_0a1b2c3d4e.JPG',
        '/uploads/_odd_name.bin',
      ])
      expect(files[1]).to.include({ provider: 'local', provider_metadata: null })
      const settings = db.collection<{ _id: string; code: string }>('_settings')
      expect(await settings.findOne({ _id: 'default-locale' })).to.have.property('code', 'de')
    } finally {
      await client.close()
    }
    expect(await run('repair', '--check')).to.deep.include({ code: 0, stderr: '' })
  })
})

const pagesOfNote = {
  ...{ type: 'relation', relation: 'morphMany' },
  ...{ target: 'api::page.page', morphBy: 'about' },
}

const coreStore = (key: string, value: unknown) => ({ type: 'core-store', value: { key, value } })
