import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { compile, inProject } from '../../client/compile.js'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const text = { type: 'string' }

const page = {
  kind: 'collectionType',
  info: info('page'),
  options: { draftAndPublish: true },
  attributes: {
    'og:title': { ...text, unique: true, maxLength: 20 },
    'og:day': { type: 'date' },
    'price (€)': { type: 'decimal', index: true },
    "it's [odd]|\\d+": { ...text, maxLength: 20 },
    'pass[word]': { type: 'password', minLength: 8 },
    2024: { type: 'integer' },
    'og:image': { type: 'media', multiple: false },
    'see:also': {
      ...{ type: 'relation', relation: 'manyToMany', target: 'api::page.page' },
      inversedBy: 'seen:from',
    },
    'seen:from': {
      ...{ type: 'relation', relation: 'manyToMany', target: 'api::page.page' },
      mappedBy: 'see:also',
    },
    'meta:box': { type: 'component', component: 'shared.meta', repeatable: true },
  },
}
const meta = {
  info: { displayName: 'Meta' },
  attributes: {
    'meta:name': { ...text, required: true },
    'meta[0]': { type: 'integer', max: 3 },
    'meta:page': { type: 'relation', relation: 'oneToOne', target: 'api::page.page' },
  },
}
const schema = { 'content-types/page.json': page, 'components/shared/meta.json': meta }

type Failed = Readonly<{ path: readonly string[] }>
type Shown = Readonly<Record<string, unknown>> & Readonly<{ documentId: string }>

describe('attribute names beyond letters and digits', function () {
  this.timeout(60_000)
  let app: TestApp
  let first: Shown
  let second: Shown
  before(async () => {
    app = await startApp({ schema })
    first = await post({
      ...{ 'og:title': 'Rain', 'og:day': '2026-01-05', 'price (€)': 2.5, 2024: 7 },
      "it's [odd]|\\d+": 'odd',
      'meta:box': [{ 'meta:name': 'a' }],
    })
    second = await post({
      ...{ 'og:title': 'Sun', 'og:day': '2026-02-05', 'price (€)': 9, 2024: 1 },
      'see:also': [first.documentId],
      'meta:box': [{ 'meta:name': 'b', 'meta:page': first.documentId }],
    })
  })
  after(() => app.stop())

  const send = (data: object) =>
    app.request('POST', '/api/pages', { token: app.token, body: { data } })
  const post = async (data: object) => {
    const { status, body } = await send(data)
    expect(status, JSON.stringify(body)).to.equal(201)
    return (body as { data: Shown }).data
  }
  const titles = async (query: string) => {
    const { body, status } = await app.request('GET', `/api/pages?${query}`, { token: app.token })
    expect(status, JSON.stringify(body)).to.equal(200)
    return (body as { data: readonly Shown[] }).data.map((entry) => entry['og:title'])
  }
  const refusal = async (query: string) =>
    (await app.request('GET', `/api/pages?${query}`, { token: app.token })).body as {
      error: { status: number; message: string }
    }

  it('are returned as they were sent', () => {
    expect(first).to.include({ 'og:title': 'Rain', 'price (€)': 2.5, "it's [odd]|\\d+": 'odd' })
    expect(first[2024]).to.equal(7)
  })

  it('can be filtered by, sorted by and selected', async () => {
    expect(await titles('filters[og:title][$contains]=ai')).to.deep.equal(['Rain'])
    expect(await titles('filters[price (€)][$gt]=3')).to.deep.equal(['Sun'])
    expect(await titles('filters[$or][0][see:also][og:title]=Rain')).to.deep.equal(['Sun'])
    expect(await titles('filters[seen:from][og:title]=Sun')).to.deep.equal(['Rain'])
    expect(await titles('filters[meta:box][meta:name]=b')).to.deep.equal(['Sun'])
    expect(await titles('filters[meta:box][meta:page][og:title]=Rain')).to.deep.equal(['Sun'])
    for (const [query, order] of [
      ['sort=og:title:desc', ['Sun', 'Rain']],
      ['sort=og:title', ['Rain', 'Sun']],
      ['sort=og:title:ASC', ['Rain', 'Sun']],
      ['sort[og:title]=desc', ['Sun', 'Rain']],
      ['sort[0]=price (€):desc&sort[1]=og:title', ['Sun', 'Rain']],
      ['sort=2024', ['Sun', 'Rain']],
    ] as const)
      expect(await titles(query), query).to.deep.equal(order)
    const { body } = await app.request(
      'GET',
      `/api/pages/${first.documentId}?fields=og:title,2024`,
      { token: app.token },
    )
    expect((body as { data: object }).data).to.deep.equal({
      ...{ id: first['id'], documentId: first.documentId, 'og:title': 'Rain', 2024: 7 },
    })
  })

  it('can be populated in lists, paths and objects', async () => {
    for (const query of [
      'populate=see:also,meta:box.meta:page',
      'populate[0]=see:also&populate[1]=meta:box.meta:page',
      'populate[see:also]=true&populate[meta:box][populate][meta:page]=true',
    ]) {
      const path = `/api/pages/${second.documentId}?${query}`
      const { body } = await app.request('GET', path, { token: app.token })
      expect(body, query).to.have.nested.property('data.see:also[0].og:title', 'Rain')
      expect(body, query).to.have.nested.property('data.meta:box[0].meta:page.og:title', 'Rain')
    }
  })

  it('can be grouped by, dates also by unit', async () => {
    const answer = async (query: string) =>
      (await app.request('GET', `/api/pages/aggregate?${query}`, { token: app.token })).body
    expect(await answer('groupBy=og:day:month&count=*&sort=og:day:desc')).to.have.nested.property(
      'data[0].group.og:day:month',
    )
    expect(await answer('groupBy=og:title&sum=price (€)')).to.have.nested.property(
      'data[0].group.og:title',
      'Rain',
    )
  })

  it('are distinguished from a sort order after a colon, whose typos are reported', async () => {
    for (const [query, path, received] of [
      ['sort=og:title:up', 'og:title', 'up'],
      ['sort=og:titel', 'og', 'titel'],
      ['sort=2024:up', '2024', 'up'],
    ] as const)
      expect(await refusal(query), query).to.deep.include({
        error: {
          ...{ status: 400, name: 'ValidationError' },
          message: 'Invalid order. order can only be one of asc|desc|ASC|DESC',
          details: { path, source: 'query', param: 'sort', expected: 'asc or desc', received },
        },
      })
  })

  it('appear in the paths of errors', async () => {
    const { body, status } = await send({ 'og:title': 'x'.repeat(21), 'meta:box': [{}] })
    expect(status).to.equal(400)
    expect(body)
      .to.have.nested.property('error.details.errors[0].path')
      .that.deep.equals([...['og:title']])
    const missing = await send({ 'og:title': 'y', 'meta:box': [{}] })
    expect(missing.body)
      .to.have.nested.property('error.details.errors[0].path')
      .that.deep.equals([...['meta:box', '0', 'meta:name']])
    const several = await send({
      ...{ 'og:title': 'z', "it's [odd]|\\d+": 'x'.repeat(21), 'pass[word]': 'secret' },
      'meta:box': [{ 'meta:name': 'a', 'meta[0]': 4 }],
    })
    const { errors } = (several.body as { error: { details: { errors: readonly Failed[] } } }).error
      .details
    expect(errors.map(({ path }) => path)).to.deep.equal([
      ...[["it's [odd]|\\d+"], ['pass[word]'], ['meta:box', '0', 'meta[0]']],
    ])
    expect(several.text, 'a password').to.not.include('secret')
    const taken = await send({ 'og:title': 'Rain' })
    expect(taken.body)
      .to.have.nested.property('error.details.errors[0].path')
      .that.deep.equals([...['og:title']])
  })

  it('can hold a file, which is removed when the file is deleted', async () => {
    const form = new FormData()
    form.append('files', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
    const uploaded = await fetch(`${app.url}/api/upload`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token}` },
      body: form,
    })
    const [file] = (await uploaded.json()) as readonly { id: number }[]
    const made = await post({ 'og:title': 'File', 'og:image': file?.id })
    const path = `/api/pages/${made.documentId}?populate=og:image`
    const shown = await app.request('GET', path, { token: app.token })
    expect(shown.body).to.have.nested.property('data.og:image.name', 'a.txt')
    await app.request('DELETE', `/api/upload/files/${file?.id}`, { token: app.token })
    const after = await app.request('GET', path, { token: app.token })
    expect(after.body).to.have.nested.property('data.og:image', null)
  })

  it('are column headers of exports and imports', async () => {
    const path = '/admin/content/api::page.page'
    const token = app.adminJwt
    const { text: csv } = await app.request('GET', `${path}/export?by=see:also=og:title`, { token })
    expect(csv.split('\n')[0]).to.include('og:title,og:day,price (€)')
    expect(csv.split('\n')[0]).to.include('see:also.og:title')
    const form = new FormData()
    const rows = `documentId,og:title,price (€),meta:box\n${second.documentId},Moon,4,"[{""meta:name"":""c""}]"\n`
    form.append('file', new Blob([rows]), 'pages.csv')
    const imported = await fetch(`${app.url}${path}/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    })
    expect(await imported.json()).to.have.nested.property('data.updated', 1)
    expect(await titles('filters[meta:box][meta:name]=c')).to.deep.equal(['Moon'])
  })

  it('are in a valid OpenAPI document, whose patterns match them literally', async () => {
    const { body } = await app.request('GET', '/documentation/openapi.json', {
      token: app.adminJwt,
    })
    const document = body as { components: { schemas: Readonly<Record<string, object>> } }
    const { valid } = await new Validator().validate(structuredClone(document))
    expect(valid).to.equal(true)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'openapi')
    const check = (name: string) =>
      ajv.compile({ $ref: `openapi#/components/schemas/${name}` }) as (value: unknown) => boolean
    for (const name of Object.keys(document.components.schemas)) check(name)
    const sort = check('PageSort')
    for (const key of ['og:title', 'og:title:desc', 'price (€)', "it's [odd]|\\d+", '2024:asc'])
      expect(sort([key]), key).to.equal(true)
    for (const key of ['og', 'price', 'title:desc', "it's [odd]|7"])
      expect(sort([key]), key).to.equal(false)
    const populate = check('PagePopulate')
    expect(populate(['see:also', 'meta:box.meta:page'])).to.equal(true)
    expect(populate(['see'])).to.equal(false)
  })

  it('are quoted in the generated types', async () => {
    const { text: types } = await app.request(
      'GET',
      '/api/content-type-builder/typescript?client=../../client/main.js',
      { token: app.token },
    )
    expect(types).to.include("'og:title'").and.include("'meta:name'")
    const file = inProject('test/client/odd-names.d.ts')
    expect(compile([file], { [file]: types }).complaints).to.deep.equal([])
  })

  it('are rejected if MongoDB or a path would misread them', async () => {
    for (const name of ['a.b', '$eq', '', 'a\0b', '\ud800']) {
      const attributes = { [name]: text }
      const folder = await makeFolder({ 'content-types/page.json': { ...page, attributes } })
      const definitions = await readSchemaFiles(folder)
      await removeFolder(folder)
      expect(() => createRegistryFrom(definitions, 1), name).to.throw(
        /a name must have 1 to 100 characters, without "\.", NUL and unpaired surrogates, and must not begin with "\$"/,
      )
    }
  })
})
