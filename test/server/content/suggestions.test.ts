import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

describe('error about an unknown name', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())

  const suggestionOf = (body: unknown): unknown =>
    (body as { error: { details: { suggestion?: unknown } } }).error.details.suggestion

  it('suggests a parameter, operator, option or attribute in a query', async () => {
    for (const [query, suggestion] of [
      ['local=fr', 'locale'],
      ['filter[title]=a', 'filters'],
      ['page=2', 'pagination[page]'],
      ['limit=2', 'pagination[limit]'],
      ['pagination[pagesize]=2', 'pageSize'],
      ['filters[views][$gtt]=2', '$gt'],
      ['filters[views][gt]=2', '$gt'],
      ['filters[title][containsi]=a', '$containsi'],
      ['filters[$nt][title]=2', '$not'],
      ['populate[author][filter][name]=Ana', 'filters'],
      ['populate[author][fields]=nam', 'name'],
      ['populate=auhtor', 'author'],
      ['sort=titel', 'title'],
      ['explian=true', undefined],
      ['filters[$eq]=a', undefined],
    ] as const) {
      const { status, body } = await magazine.get(`/api/articles?${query}`)
      expect([status, suggestionOf(body)], query).to.deep.equal([400, suggestion])
    }
  })

  it('suggests an attribute, member or operation in a body', async () => {
    const { app } = magazine
    for (const [data, suggestion] of [
      [{ titel: 'a' }, 'title'],
      [{ title: 'a', seo: { metaTitel: 'a' } }, 'metaTitle'],
      [{ title: 'a', tags: { conect: [] } }, 'connect'],
      [{ title: 'a', tags: { connect: [{ documentID: 'x' }] } }, 'documentId'],
      [{ title: 'a', nothing: 1 }, undefined],
    ] as const) {
      const answer = await app.request('POST', '/api/articles', {
        token: app.token,
        body: { data },
      })
      const result = [answer.status, suggestionOf(answer.body)]
      expect(result, JSON.stringify(data)).to.deep.equal([400, suggestion])
    }
  })

  it('suggests an action for a permission', async () => {
    const { app } = magazine
    const role = await magazine.app.quire.services.db
      .collection('roles')
      .findOne({ type: 'public' })
    const permissions = {
      'api::article': { controllers: { article: { fnd: { enabled: true } } } },
    }
    const { status, body } = await app.request(
      'PUT',
      `/api/users-permissions/roles/${String(role?._id)}`,
      {
        token: app.token,
        body: { permissions },
      },
    )
    expect([status, suggestionOf(body)]).to.deep.equal([400, 'api::article.article.find'])
  })
  it('suggests a type for a path if the caller may find it', async () => {
    const { app } = magazine
    const ask = (path: string, token?: string) =>
      app.request('GET', path, token === undefined ? {} : { token })
    for (const [path, suggestion] of [
      ['/api/artcles', '/api/articles'],
      ['/api/Article', '/api/articles'],
      ['/api/artcles/x?populate=*', '/api/articles/x'],
      ['/api/nothing-like-it', undefined],
      ['/api/artcles/a%2Fb', '/api/articles/a%2Fb'],
      ['/artcles', '/api/articles'],
    ] as const) {
      const { status, body } = await ask(path, app.token)
      expect([status, suggestionOf(body)], path).to.deep.equal([404, suggestion])
    }
    const nobody = await ask('/api/artcles')
    expect([nobody.status, suggestionOf(nobody.body)]).to.deep.equal([404, undefined])
    const stranger = await ask('/api/artcles', 'not-a-token')
    expect([stranger.status, suggestionOf(stranger.body)]).to.deep.equal([404, undefined])
    await app.allow('public', ['api::article.article.find'])
    expect(suggestionOf((await ask('/api/artcles')).body)).to.equal('/api/articles')
    expect(suggestionOf((await ask('/api/author')).body)).to.equal(undefined)
  })
})
