import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { contentTypeRoutes } from '../../../server/content-types/routes.js'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import type { HttpRequest, Reply, Route } from '../../../server/http/route.js'

const blog = fileURLToPath(new URL('../../../../test/fixtures/blog', import.meta.url))

const request = (params: Readonly<Record<string, string>>, search = ''): HttpRequest => ({
  id: 'test',
  method: 'GET',
  isHead: false,
  path: '/',
  params,
  search,
  headers: {},
  body: undefined,
  files: [],
  ip: '127.0.0.1',
  caller: { kind: 'public', grant: fullGrant },
  client: { address: '', bytes: 0 },
  signal: new AbortController().signal,
  ignored: () => undefined,
})

describe('content type builder API', () => {
  let routes: readonly Route[]

  before(async () => {
    const registry = createRegistryFrom(await readSchemaFiles(blog), 1)
    routes = contentTypeRoutes({ registry: () => registry })
  })

  const get = async (path: string, uid = '', search = ''): Promise<Reply> => {
    const route = routes.find((candidate) => candidate.path === path)
    if (route === undefined) throw new Error(`no route ${path}`)
    return route.handle(request({ uid }, search))
  }
  const asSent = (reply: Reply): unknown => JSON.parse(JSON.stringify(reply))
  const uids = ({ body }: Reply) =>
    (body as { data: readonly { uid: string }[] }).data.map(({ uid }) => uid)

  it('requires an admin, or a full-access token under /api', () => {
    expect(
      routes.map(
        ({ method, path, guard }) =>
          `${method} ${path} ${typeof guard === 'string' ? guard : guard.action}`,
      ),
    ).to.deep.equal([
      'GET /content-type-builder/content-types admin',
      'GET /content-type-builder/content-types/:uid admin',
      'GET /content-type-builder/components admin',
      'GET /content-type-builder/components/:uid admin',
      'GET /api/content-type-builder/content-types full-access',
      'GET /api/content-type-builder/content-types/:uid full-access',
      'GET /api/content-type-builder/components full-access',
      'GET /api/content-type-builder/components/:uid full-access',
    ])
  })

  it('lists all types, or those of one kind', async () => {
    const path = '/api/content-type-builder/content-types'
    expect(uids(await get(path))).to.include.members(['api::post.post', 'admin::user'])
    expect(uids(await get(path, '', 'kind=singleType'))).to.deep.equal([
      'api::front-page.front-page',
    ])
  })

  it('rejects an unknown kind and suggests a known one', async () => {
    const path = '/api/content-type-builder/content-types'
    for (const kind of ['', 'null', 'singletype']) {
      const refused = await get(path, '', `kind=${kind}`).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(ApiError).and.include({ status: 400 })
    }
    const refused = await get(path, '', 'kind=singletype').catch((error: unknown) => error)
    expect((refused as ApiError).details).to.deep.equal({ suggestion: 'singleType' })
  })

  it('shows a type in the format of Strapi', async () => {
    const path = '/api/content-type-builder/content-types/:uid'
    expect(asSent(await get(path, 'api::front-page.front-page'))).to.deep.equal({
      status: 200,
      body: {
        data: {
          uid: 'api::front-page.front-page',
          apiID: 'front-page',
          schema: {
            draftAndPublish: false,
            displayName: 'front-page',
            singularName: 'front-page',
            pluralName: 'front-pages',
            description: '',
            pluginOptions: {},
            kind: 'singleType',
            collectionName: 'front_pages',
            attributes: {
              heading: { type: 'string' },
              post: {
                type: 'relation',
                relation: 'oneToOne',
                target: 'api::post.post',
                mappedBy: 'page',
                targetAttribute: 'page',
                required: false,
                private: false,
              },
            },
            visible: true,
            restrictRelationsTo: null,
          },
        },
      },
    })
  })

  it('shows a component in the format of Strapi', async () => {
    expect(asSent(await get('/content-type-builder/components/:uid', 'shared.seo'))).to.deep.equal({
      status: 200,
      body: {
        data: {
          uid: 'shared.seo',
          category: 'shared',
          apiId: 'seo',
          schema: {
            icon: 'search',
            displayName: 'Seo',
            description: '',
            collectionName: 'components_shared_seos',
            pluginOptions: {},
            attributes: {
              metaTitle: { type: 'string', required: true },
              image: { type: 'media', multiple: false, required: false, private: false },
            },
          },
        },
      },
    })
  })

  for (const [path, message] of [
    ['/content-type-builder/content-types/:uid', 'contentType.notFound'],
    ['/content-type-builder/components/:uid', 'component.notFound'],
  ] as const)
    it(`returns 404 ${message} for an unknown uid`, async () => {
      const failure = await get(path, 'api::no.no').catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(ApiError)
      expect(failure).to.include({ status: 404, message })
    })
})
