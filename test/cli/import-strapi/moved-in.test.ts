import { expect } from 'chai'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startApp } from '../../support/start-app.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { makeExport, type ExportFiles } from './make-export.js'

const at = '2026-01-01T00:00:00.000Z'
const id = (letter: string): string => letter.repeat(24)
const row = (type: string, number: number, letter: string, data: object) => ({
  ...{ type, id: number },
  data: {
    ...{ documentId: id(letter), createdAt: at, updatedAt: at, publishedAt: at, locale: null },
    ...data,
  },
})
const definition = (name: string, attributes: object) => ({
  ...{ kind: 'collectionType', collectionName: `${name}s` },
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: false },
  attributes,
})
const exported = (name: string, attributes: object) => ({
  ...{ uid: `api::${name}.${name}`, modelType: 'contentType' },
  ...definition(name, attributes),
})

describe('quire import-strapi next to the exported project', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const importInto = async (project: Readonly<Record<string, object>>, files: ExportFiles) => {
    const folder = await makeFolder(project)
    const archive = await makeExport(`${folder}/export.tar.gz`, files)
    const databaseUri = await testDatabaseUri()
    const env = {
      ...{ MONGODB_URI: databaseUri, DATA_DIR: `${folder}/data`, SCHEMA_DIR: folder },
    }
    const args = ['import-strapi', archive, '--json']
    const { code, stdout, stderr } = await runQuireInProcess(args, { env, cwd: folder })
    expect(code, stderr).to.equal(0)
    const report = JSON.parse(stdout) as ImportReport
    const app = await startApp({ databaseUri, schemaDir: folder })
    const get = async (path: string) => {
      const { status, body } = await app.request('GET', `/api/${path}`, { token: app.token })
      return { status, body: body as { data: readonly Readonly<Record<string, unknown>>[] } }
    }
    return { report, get, app }
  }
  const schemaFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`

  it('takes the types of unknown custom fields from the export, and keeps them', async () => {
    const field = { customField: 'plugin::maps.spot', options: { zoom: 3 } }
    const { report, get, app } = await importInto(
      {
        'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } },
        [schemaFile('page')]: definition('page', { spot: { type: 'customField', ...field } }),
      },
      {
        'schemas/s.jsonl': [exported('page', { spot: { type: 'string', ...field } })],
        'entities/e.jsonl': [
          row('api::page.page', 1, 'a', { spot: 'here' }),
          row('api::page.page', 2, 'b', { spot: 'there' }),
        ],
      },
    )
    try {
      expect(report.differences).to.deep.equal([])
      const { status, body } = await get('pages?filters[spot][$startsWith]=th&sort=spot')
      expect(status).to.equal(200)
      expect(body.data.map(({ spot }) => spot)).to.deep.equal(['there'])
      const wrong = { token: app.token, body: { data: { spot: { lat: 1 } } } }
      expect((await app.request('POST', '/api/pages', wrong)).status).to.equal(400)
    } finally {
      await app.stop()
    }
  })

  it('reads the links of a relation with inversedBy on both sides only once', async () => {
    const side = (target: string, inversedBy: string) => ({
      ...{ type: 'relation', relation: 'manyToMany', inversedBy },
      target: `api::${target}.${target}`,
    })
    const attributes = {
      category: { name: { type: 'string' }, products: side('product', 'categories') },
      product: { name: { type: 'string' }, categories: side('category', 'products') },
    }
    const link = (left: object, right: object) => ({
      ...{ kind: 'relation.basic', relation: 'manyToMany', left, right },
    })
    const product = (ref: number) => ({ type: 'api::product.product', ref })
    const category = (ref: number) => ({ type: 'api::category.category', ref })
    const { get, app } = await importInto(
      {
        [schemaFile('category')]: definition('category', attributes.category),
        [schemaFile('product')]: definition('product', attributes.product),
      },
      {
        'schemas/s.jsonl': [
          exported('category', attributes.category),
          exported('product', attributes.product),
        ],
        'entities/e.jsonl': [
          row('api::product.product', 1, 'a', { name: 'Blue' }),
          row('api::product.product', 2, 'b', { name: 'Red' }),
          row('api::category.category', 1, 'c', { name: 'Cups' }),
        ],
        // Strapi writes each link twice, once from each side.
        'links/l.jsonl': [1, 2].flatMap((ref) => [
          link(
            { ...product(ref), field: 'categories', pos: 1 },
            { ...category(1), field: 'products', pos: 3 - ref },
          ),
          link(
            { ...category(1), field: 'products', pos: 3 - ref },
            { ...product(ref), field: 'categories', pos: 1 },
          ),
        ]),
      },
    )
    try {
      const { body } = await get('categorys?populate=products')
      const products = body.data[0]?.['products'] as readonly { name: string }[]
      expect(products.map(({ name }) => name)).to.deep.equal(['Red', 'Blue'])
      const { body: found } = await get('products?filters[categories][name]=Cups&populate=*')
      expect(found.data.map(({ name }) => name)).to.deep.equal(['Blue', 'Red'])
      expect(found.data[0]?.['categories']).to.have.lengthOf(1)
    } finally {
      await app.stop()
    }
  })

  it('keeps the URLs of files and formats whose content is not in the archive', async () => {
    const bucket = 'https://bucket.s3.amazonaws.com'
    const file = (number: number, letter: string, provider: string, base: string) => {
      const hash = `photo_${number}`
      const about = { ext: '.png', mime: 'image/png', size: 1 }
      const version = (name: string) => ({
        ...{ name: `${name}_${hash}.png`, hash: `${name}_${hash}`, ...about },
        url: `${base}/${name}_${hash}.png`,
      })
      return row('plugin::upload.file', number, letter, {
        ...{ name: `${hash}.png`, hash, ...about, provider, url: `${base}/${hash}.png` },
        formats: { thumbnail: version('thumbnail'), small: version('small') },
      })
    }
    const { report, app } = await importInto(
      { [schemaFile('page')]: definition('page', { title: { type: 'string' } }) },
      {
        'schemas/s.jsonl': [exported('page', { title: { type: 'string' } })],
        'entities/e.jsonl': [
          file(1, 'a', 'aws-s3', bucket),
          file(2, 'b', 'aws-s3', bucket),
          file(3, 'c', 'local', '/uploads'),
          file(4, 'd', 'local', '//cdn.example.org'),
        ],
        'assets/uploads/photo_2.png': 'png',
      },
    )
    try {
      const answer = await app.request('GET', '/api/upload/files?sort=id', { token: app.token })
      type File = Readonly<{
        url: string
        provider: string
        formats: Readonly<Record<string, Readonly<{ url: string }>>>
      }>
      const shown = (answer.body as readonly File[]).map(({ url, provider, formats }) => ({
        ...{ url, provider },
        formats: Object.values(formats).map((version) => version.url),
      }))
      expect(shown).to.deep.equal([
        {
          ...{ url: `${bucket}/photo_1.png`, provider: 'aws-s3' },
          formats: [`${bucket}/thumbnail_photo_1.png`, `${bucket}/small_photo_1.png`],
        },
        // The archive has the content of this file, but not of its smaller versions.
        {
          ...{ url: '/uploads/photo_2.png', provider: 'local' },
          formats: [`${bucket}/thumbnail_photo_2.png`, `${bucket}/small_photo_2.png`],
        },
        {
          ...{ url: '/uploads/photo_3.png', provider: 'local' },
          formats: ['/uploads/thumbnail_photo_3.png', '/uploads/small_photo_3.png'],
        },
        {
          ...{ url: '//cdn.example.org/photo_4.png', provider: 'elsewhere' },
          formats: [
            '//cdn.example.org/thumbnail_photo_4.png',
            '//cdn.example.org/small_photo_4.png',
          ],
        },
      ])
      const missing = 'content of files that is not in the archive'
      expect(report.adapted.map(({ what, count }) => `${count} ${what}`)).to.include.members([
        `5 ${missing} and stays with the provider "aws-s3"`,
        `3 ${missing} and stays with the provider "local"`,
      ])
      expect(report.leftOut.map(({ what, count }) => `${count} ${what}`)).to.include(`3 ${missing}`)
    } finally {
      await app.stop()
    }
  })
})
