import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const schema = {
  'content-types/article.json': {
    kind: 'collectionType',
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options: { draftAndPublish: false },
    attributes: {
      title: { type: 'string' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'plugin::users-permissions.user',
      },
    },
  },
}

describe('aggregation through users', () => {
  let app: TestApp
  before(async () => (app = await startApp({ schema })))
  after(() => app.stop())
  const statusOf = async (query: string): Promise<number> =>
    (await app.request('GET', `/api/articles/aggregate?${query}`, { token: app.token })).status

  it('groups by a user and the role, but rejects grouping by other users of the role', async () => {
    expect(await statusOf('groupBy=author.username')).to.equal(200)
    expect(await statusOf('groupBy=author.role.name')).to.equal(200)
    expect(await statusOf('groupBy=author.role.users.username')).to.equal(400)
  })
})
