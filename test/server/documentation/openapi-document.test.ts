import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { OpenApiDocument } from '../../../server/documentation/make-document.js'
import { testDatabaseUri } from '../../support/database.js'
import { startInProcess } from '../../support/service-in-process.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
import { permissionRows } from '../accounts/permission-rows.js'

const path = '/documentation/openapi.json'

describe('OpenAPI document', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const read = async (
    token?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<OpenApiDocument> => {
    const { status, body } = await app.request('GET', path, {
      ...(token === undefined ? {} : { token }),
      ...(headers === undefined ? {} : { headers }),
    })
    expect(status).to.equal(200)
    return body as OpenApiDocument
  }
  const schemasOf = ({ components }: OpenApiDocument): Record<string, Schema> =>
    components['schemas'] as Record<string, Schema>

  it('is valid OpenAPI 3.1 for every kind of caller and both response formats', async () => {
    await app.allow('public', ['api::article.article.find', 'api::homepage.homepage.update'])
    for (const token of [undefined, app.token, app.adminJwt])
      for (const headers of [undefined, { 'Strapi-Response-Format': 'v4' }]) {
        const document = await read(token, headers)
        const { valid, errors } = await new Validator().validate(structuredClone(document))
        expect(errors).to.equal(undefined)
        expect(valid).to.equal(true)
      }
  })

  it('has only valid schemas, and no broken references', async () => {
    const document = await read(app.adminJwt)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'openapi')
    for (const name of Object.keys(schemasOf(document)))
      ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    for (const reference of new Set(references)) {
      const pointer = (JSON.parse(reference) as string).slice(2).split('/')
      const found = pointer.reduce<unknown>(
        (at, name) => (at as Record<string, unknown>)[name],
        document,
      )
      expect(found, reference).to.be.an('object')
    }
  })

  it('has the name and version of the project, and no licence', async () => {
    const infoOf = async (files: Readonly<Record<string, unknown>>) => {
      const folder = await makeFolder(files)
      const MONGODB_URI = await testDatabaseUri()
      const quire = await startInProcess({ MONGODB_URI, DATA_DIR: `${folder}/data` }, folder)
      const answer = await fetch(`${quire.url}${path}`)
      const { info } = (await answer.json()) as { info: Readonly<Record<string, unknown>> }
      await quire.stop()
      await removeFolder(folder)
      const { description, ...others } = info
      expect(description).to.be.a('string')
      return others
    }
    const project = { name: 'my-site', version: '2.1.0', license: 'UNLICENSED' }
    expect(await infoOf({ 'package.json': project })).to.deep.equal({
      ...{ title: 'my-site', version: '2.1.0' },
    })
    const nameless = { title: 'Quire', version: '0' }
    expect(await infoOf({})).to.deep.equal(nameless)
    expect(await infoOf({ 'package.json': '{' })).to.deep.equal(nameless)
    expect(await infoOf({ 'package.json': { name: '', version: 2 } })).to.deep.equal(nameless)
  })

  it('requires a body only if a member is required', async () => {
    const { paths } = await read(app.adminJwt)
    const requires = (path: string): unknown =>
      (paths[path]?.['post']?.['requestBody'] as { required?: true } | undefined)?.required
    expect(requires('/upload/folders')).to.equal(true)
    expect(requires('/upload/actions/bulk-delete')).to.equal(undefined)
  })

  it('allows several locales in queries', async () => {
    const { components } = await read(app.token)
    const { schema } = components['parameters']?.['locale'] as { schema: Schema }
    expect(schema.anyOf).to.deep.include({ type: 'array', items: { type: 'string' } })
    const { status } = await app.request('GET', '/api/articles?locale=en&locale=en', {
      token: app.token,
    })
    expect(status).to.equal(200)
  })

  it('lists every format of exported entries', async () => {
    const path = '/admin/content/api::article.article/export'
    for (const [format, form] of [
      ['csv', 'text/csv'],
      ['json', 'application/json'],
      ['jsonl', 'application/x-ndjson'],
    ] as const) {
      const { status, headers } = await app.request('GET', `${path}?format=${format}`, {
        token: app.adminJwt,
      })
      expect(status).to.equal(200)
      expect(headers.get('content-type')).to.match(new RegExp(`^${form}`))
    }
  })

  it('gives every operation a unique id, and every operation of a type a unique summary', async () => {
    const { paths } = await read(app.adminJwt)
    type Operation = Readonly<{ operationId: string; summary: string }>
    const operationsOf = (prefix: string) =>
      Object.entries(paths)
        .filter(([path]) => path.startsWith(prefix))
        .flatMap(([, item]) => Object.values(item) as Operation[])
    const ids = operationsOf('/').map(({ operationId }) => operationId)
    expect(ids.length).to.be.greaterThan(100)
    expect(new Set(ids).size).to.equal(ids.length)
    const summaries = operationsOf('/api/articles').map(
      ({ summary }: { summary: string }) => summary,
    )
    expect(summaries.length).to.be.greaterThan(8)
    expect(new Set(summaries).size).to.equal(summaries.length)
  })

  it('has every endpoint for an admin, but no admin endpoint for a full-access token', async () => {
    // `permissionRows` has every endpoint. Those of content are there with the paths of real types, such as
    // `/api/articles`.
    const endpoints = Object.keys(permissionRows).map((endpoint) =>
      bracketed(endpoint.replace(/\/x(?=\/|$)/, '/:documentId')),
    )
    expect(operationsOf(await read(app.adminJwt))).to.include.members(endpoints)
    const ofToken = operationsOf(await read(app.token))
    const ofAdmins = app.quire.routes.filter(({ guard }) => guard === 'admin')
    expect(ofAdmins).to.not.deep.equal([])
    for (const { method, path } of ofAdmins)
      expect(ofToken).to.not.include(`${method} ${bracketed(path)}`)
    expect(ofToken).to.include('GET /api/content-type-builder/content-types')
  })

  it('has $some, $none and $every for attributes with several targets', async () => {
    const document = await read(app.token)
    const quantified = Object.entries(schemaOf(document, 'ArticleFilters').properties ?? {})
      .filter(([, { anyOf = [] }]) => anyOf.some(({ $ref }) => $ref?.endsWith('Quantifiers')))
      .map(([name]) => name)
    expect(quantified).to.have.members(['gallery', 'tags', 'related', 'localizations'])
    const filters = { $ref: '#/components/schemas/TagFilters' }
    const members = { $some: filters, $none: filters, $every: filters }
    expect(schemaOf(document, 'TagQuantifiers').properties).to.deep.include(members)
    expect(schemasOf(document)).to.include.keys('SharedSocialQuantifiers')
  })

  it('returns 401 for unknown credentials', async () => {
    expect((await app.request('GET', path, { token: 'nobody' })).status).to.equal(401)
  })

  it('returns 304 while nothing has changed', async () => {
    const { headers } = await app.request('GET', path, { token: app.token })
    const again = { token: app.token, headers: { 'If-None-Match': headers.get('etag') ?? '' } }
    expect((await app.request('GET', path, again)).status).to.equal(304)
    const asOthers = { headers: again.headers }
    expect((await app.request('GET', path, asOthers)).status).to.equal(200)
  })
})

describe('OpenAPI document for a caller', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ schema: shop })
    await app.allow('public', ['api::product.product.find'])
  })
  after(() => app.stop())

  const read = async (token?: string): Promise<OpenApiDocument> =>
    (await app.request('GET', path, token === undefined ? {} : { token })).body as OpenApiDocument

  it('contains only what the caller may do', async () => {
    const document = await read()
    const content = operationsOf(document).filter((name) => name.includes('/api/pro'))
    expect(content).to.deep.equal(['GET /api/products', 'GET /api/products/aggregate'])
    expect(JSON.stringify(document)).to.not.match(/supplier|Supplier/)
    expect(operationsOf(await read(app.token))).to.include('DELETE /api/products/{documentId}')
  })

  it('changes when a permission changes', async () => {
    await app.allow('public', ['api::product.product.findOne', 'api::supplier.supplier.find'])
    const document = await read()
    expect(operationsOf(document)).to.include('GET /api/products/{documentId}')
    const { properties } = schemaOf(document, 'Product')
    expect(properties).to.have.property('supplier')
  })

  it('omits private attributes from responses, but allows them in bodies', async () => {
    const document = await read(app.token)
    expect(schemaOf(document, 'Product').properties).to.not.have.property('margin')
    expect(schemaOf(document, 'ProductFilters').properties).to.not.have.property('margin')
    expect(schemaOf(document, 'ProductUpdate').properties).to.have.property('margin')
  })

  it('describes attributes separately for responses and bodies', async () => {
    const document = await read(app.token)
    expect(schemaOf(document, 'Product').properties).to.deep.include({
      name: { type: ['string', 'null'] },
      price: { type: ['number', 'null'] },
      size: { enum: ['S', 'L', null] },
    })
    const { properties, required, additionalProperties } = schemaOf(document, 'ProductCreate')
    expect(properties).to.deep.include({
      name: { type: 'string', minLength: 2, maxLength: 255 },
      size: { enum: ['S', 'L', null] },
    })
    expect(required).to.deep.equal(['name'])
    expect(additionalProperties).to.equal(false)
  })

  it('allows the same forms of a boolean as the service', async () => {
    const document = await read(app.token)
    const { onSale } = schemaOf(document, 'ProductCreate').properties ?? {}
    const isValid = new Ajv2020({ strict: false }).compile(onSale as object)
    const create = async (value: unknown): Promise<unknown> => {
      const body = { data: { name: 'Boots', onSale: value } }
      const { status } = await app.request('POST', '/api/products', { token: app.token, body })
      return status === 201
    }
    for (const value of [true, false, null, 0, 1, '0', '1', 'true', 'False', 'TRUE'])
      expect([isValid(value), await create(value)], JSON.stringify(value)).to.deep.equal([
        true,
        true,
      ])
    for (const value of [2, -1, '', 'yes', '2', {}, 'true '])
      expect([isValid(value), await create(value)], JSON.stringify(value)).to.deep.equal([
        false,
        false,
      ])
  })

  it('lists the filter operators for each type of attribute', async () => {
    const document = await read(app.token)
    const { properties } = schemaOf(document, 'ProductFilters')
    expect(properties).to.deep.include({
      name: { $ref: '#/components/schemas/TextFilter' },
      price: { $ref: '#/components/schemas/NumberFilter' },
      supplier: {
        anyOf: [
          { $ref: '#/components/schemas/SupplierFilters' },
          { $ref: '#/components/schemas/ReferenceFilter' },
        ],
      },
    })
    const [, , object] = schemaOf(document, 'BooleanFilter').anyOf ?? []
    expect(object?.properties).to.include.keys('$eq').and.not.include.keys('$contains')
  })

  it('gives content-types with the same name separate schemas', async () => {
    const document = await read(app.token)
    const names = Object.keys(document.components['schemas'] ?? {})
    expect(names).to.include.members([
      'User',
      'ApiUserUser',
      'ProductFilters',
      'ApiProductFiltersProductFilters',
    ])
  })
})

describe('documentation.access', () => {
  const statuses = async (app: TestApp) => ({
    nobody: (await app.request('GET', path)).status,
    token: (await app.request('GET', path, { token: app.token })).status,
    admin: (await app.request('GET', path, { token: app.adminJwt })).status,
  })

  it('returns the document only to admins and full-access tokens with `admins`', async () => {
    const app = await startApp({ settings: { 'documentation.access': 'admins' } })
    try {
      expect(await statuses(app)).to.deep.equal({ nobody: 403, token: 200, admin: 200 })
    } finally {
      await app.stop()
    }
  })

  it('is `admins` by default in production', async () => {
    const app = await startApp({ environment: { NODE_ENV: 'production', ...longSecrets } })
    try {
      expect((await statuses(app)).nobody).to.equal(403)
    } finally {
      await app.stop()
    }
  })

  it('returns everyone the part that they may call with `public`, even in production', async () => {
    const app = await startApp({
      environment: { NODE_ENV: 'production', ...longSecrets },
      settings: { 'documentation.access': 'public' },
    })
    try {
      expect((await statuses(app)).nobody).to.equal(200)
    } finally {
      await app.stop()
    }
  })
})

const longSecrets = {
  JWT_SECRET: 'a secret for JWTs that is long enough',
  API_TOKEN_SALT: 'a salt for tokens that is long enough',
  UPLOAD_SIGNING_KEY: 'a key for links that is long enough',
}

type Schema = Readonly<{
  $ref?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  additionalProperties?: boolean
}>

const schemaOf = ({ components }: OpenApiDocument, name: string): Schema =>
  components['schemas']?.[name] ?? {}

const operationsOf = ({ paths }: OpenApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

const bracketed = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

const type = (singularName: string, pluralName: string, attributes: object) => ({
  kind: 'collectionType',
  collectionName: pluralName.replaceAll('-', '_'),
  info: { singularName, pluralName, displayName: singularName },
  options: { draftAndPublish: false },
  attributes,
})

const shop = {
  'content-types/product.json': type('product', 'products', {
    name: { type: 'string', required: true, minLength: 2 },
    price: { type: 'decimal', min: 0 },
    margin: { type: 'float', private: true },
    size: { type: 'enumeration', enum: ['S', 'L'] },
    onSale: { type: 'boolean' },
    supplier: { type: 'relation', relation: 'manyToOne', target: 'api::supplier.supplier' },
  }),
  'content-types/supplier.json': type('supplier', 'suppliers', { name: { type: 'string' } }),
  'content-types/user.json': type('user', 'customers', { name: { type: 'string' } }),
  'content-types/product-filters.json': type('product-filters', 'filter-sets', {
    name: { type: 'string' },
  }),
}
