import { expect } from 'chai'
import type { Document } from 'mongodb'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { eventually } from '../database/support.js'
import { wronglyListed } from '../../engine/write/listed-references.js'

/** More relations than a collection can have indexes. */
const count = 105

/** Every third relation is one-way. The two-way relations are of every kind, including exclusive ones. */
const kindOf = (n: number) =>
  (['manyToOne', 'manyToMany', 'oneToMany'] as const)[(n % 5) % 3] ?? 'manyToOne'
const isTwoSided = (n: number) => n % 3 !== 0
const inverse = {
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
  oneToMany: 'manyToOne',
} as const

const target = 'api::spoke.spoke'
const hubAttributes: Record<string, object> = { name: { type: 'string' } }
const spokeAttributes: Record<string, object> = {
  name: { type: 'string' },
  rank: { type: 'integer' },
}
for (let n = 0; n < count; n += 1) {
  const two = isTwoSided(n)
  hubAttributes[`rel${n}`] = {
    ...{ type: 'relation', relation: kindOf(n), target },
    ...(two ? { inversedBy: `hubs${n}` } : {}),
  }
  if (two)
    spokeAttributes[`hubs${n}`] = {
      ...{
        type: 'relation',
        relation: inverse[kindOf(n)],
        target: 'api::hub.hub',
        mappedBy: `rel${n}`,
      },
    }
}
const type = (name: string, attributes: object) => ({
  ...{
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
  },
  ...{ options: { draftAndPublish: true }, attributes },
})
const schema = {
  'content-types/hub.json': type('hub', hubAttributes),
  'content-types/spoke.json': type('spoke', spokeAttributes),
}

describe(`content type with ${count} relations`, () => {
  let app: TestApp
  let listed: readonly number[]
  before(async () => {
    app = await startApp({ schema })
    const { attributes } = app.quire.services.registry().contentTypes.get('api::hub.hub') ?? {}
    listed = Array.from({ length: count }, (_, n) => n).filter((n) => {
      const attribute = attributes?.get(`rel${n}`)
      return attribute?.type === 'relation' && attribute.listed === true
    })
  })
  after(() => app.stop())
  afterEach(async () => {
    const { db, registry } = app.quire.services
    expect(await wronglyListed(db, registry())).to.deep.equal([])
  })

  const send = async (method: string, path: string, data?: object) => {
    const { status, body } = await app.request(method, `/api/${path}`, {
      token: app.token,
      ...(data && { body: { data } }),
    })
    expect(status, JSON.stringify(body)).to.be.lessThan(300)
    return (body as { data: Document }).data
  }
  const spoke = async (name: string, more: object = {}) =>
    (await send('POST', 'spokes', { name, ...more }))['documentId'] as string
  const hub = async (name: string, data: object) =>
    (await send('POST', 'hubs', { name, ...data }))['documentId'] as string
  const names = (shown: unknown) => {
    const { data = shown } = shown as { data?: unknown }
    return (data as { name: string }[]).map(({ name }) => name)
  }
  const one = (kind: ReturnType<typeof kindOf>) =>
    listed.findLast((n) => isTwoSided(n) && kindOf(n) === kind) ?? expect.fail(`no ${kind}`)

  it('creates as many indexes as allowed, and a shared one for the remaining relations', async () => {
    const indexes = await app.quire.services.db.collection('hubs').indexes()
    expect(indexes).to.have.length(61)
    expect(indexes.map(({ name }) => name)).to.include('quire__refs:partial')
    expect(listed).to.have.length(count - 58)
  })

  for (const kind of ['manyToMany', 'manyToOne'] as const)
    it(`populates, counts, filters and sorts by the inverse side in the shared index (${kind})`, async () => {
      const n = one(kind)
      const [a, b, c] = [await spoke('a'), await spoke('b'), await spoke('c')]
      const many = kind === 'manyToMany'
      await hub('first', { [`rel${n}`]: many ? [a, b] : a })
      await hub('second', { [`rel${n}`]: many ? [a] : a })
      await hub('third', { [`rel${n}`]: many ? [c] : c })
      const inner = `hubs${n}`
      const shown = await send('GET', `spokes/${a}?populate[${inner}][sort]=name:desc`)
      expect(names(shown[inner])).to.deep.equal(['second', 'first'])
      const ids = [a, b, c].map((id, at) => `filters[documentId][$in][${at}]=${id}`).join('&')
      const found = await send('GET', `spokes?${ids}&filters[${inner}][name]=first&sort=name`)
      expect(names(found)).to.deep.equal(many ? ['a', 'b'] : ['a'])
      const sorted = await send('GET', `spokes?${ids}&sort=${inner}.name:desc`)
      expect(names(sorted)).to.deep.equal(['c', ...(many ? ['a', 'b'] : ['a', 'b'])])
      const counted = await send('GET', `spokes/${a}?populate[${inner}][count]=true`)
      expect(counted[inner]).to.deep.equal({ count: 2 })
      const hubs = await send('GET', `hubs?filters[rel${n}][name]=c`)
      expect(names(hubs)).to.deep.equal(['third'])
    })

  it('finds references through the shared index', async () => {
    const { db } = app.quire.services
    const n = one('manyToMany')
    const a = await spoke('a')
    const plan = await db
      .collection('hubs')
      .find({
        _refs: { $in: [`rel${n}:${a}`, `rel${n}:b`] },
        [`rel${n}.documentId`]: { $in: [a, 'b'] },
      })
      .explain('queryPlanner')
    expect(JSON.stringify(plan)).to.include('"indexName":"quire__refs:partial"')
  })

  it('takes an exclusive target from its previous owner', async () => {
    const n = one('oneToMany')
    const a = await spoke('a')
    const first = await hub('first', { [`rel${n}`]: [a] })
    const second = await hub('second', { [`rel${n}`]: [a] })
    const at = `populate=rel${n}`
    expect((await send('GET', `hubs/${first}?${at}`))[`rel${n}`]).to.deep.equal([])
    expect(names((await send('GET', `hubs/${second}?${at}`))[`rel${n}`])).to.deep.equal(['a'])
    await send('PUT', `spokes/${a}`, { [`hubs${n}`]: first })
    expect(names((await send('GET', `hubs/${first}?${at}`))[`rel${n}`])).to.deep.equal(['a'])
    expect((await send('GET', `hubs/${second}?${at}`))[`rel${n}`]).to.deep.equal([])
  })

  it('removes all references to a deleted document', async () => {
    const a = await spoke('a')
    const data = Object.fromEntries(
      listed.map((n) => [`rel${n}`, kindOf(n) === 'manyToOne' ? a : [a]]),
    )
    const id = await hub('all', data)
    const { db } = app.quire.services
    await app.request('DELETE', `/api/spokes/${a}`, { token: app.token })
    for (const name of ['hubs', 'hubs.draft']) {
      const find = () => db.collection(name).findOne({ documentId: id })
      await eventually(async () => !JSON.stringify(await find()).includes(a))
    }
  })
})
