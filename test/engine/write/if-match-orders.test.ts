import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../../engine/write.js'
import { everyOrder } from './every-order.js'
import { albumsAndLabels, contentType, i18n } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, published, startWriting } from './start-writing.js'
import { Stopped, stoppedAt } from './stepping.js'

const model = [
  contentType('page', { title: { type: 'string' }, views: { type: 'integer' } }, { drafts: true }),
  contentType('plain', { title: { type: 'string' } }),
  contentType(
    'post',
    { title: { type: 'string', pluginOptions: i18n }, views: { type: 'integer' } },
    { drafts: true, localized: true },
  ),
  ...albumsAndLabels({ album: { title: { type: 'string' } } }),
]

type Call = (context: WriteContext, id: string, ifRevision: number) => Promise<unknown>

describe('If-Match between two processes, in every order of their commands', function () {
  this.timeout(120_000)
  let writing: Writing
  before(async () => {
    writing = await startWriting(model, { transactions: false })
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const put =
    (name: string, title: string, scope = published): Call =>
    (context, id, ifRevision) =>
      updateDocument(context, writing.type(name), id, scope, { title }, { ifRevision })
  const remove =
    (name: string): Call =>
    (context, id, ifRevision) =>
      deleteDocument(context, writing.type(name), id, published, { ifRevision })
  const act =
    (action: 'publish' | 'unpublish'): Call =>
    (context, id) =>
      actOnDocument(context, writing.type('page'), id, published, action)
  const contextOf = (db: Db): WriteContext => ({ ...writing.context, db })
  const versionsOf = async (name: string, id: string) => {
    const find = (versions: readonly Document[]) =>
      versions.find(({ documentId }) => documentId === id)
    return {
      draft: find(await writing.stored(`${name}s.draft`)),
      live: find(await writing.stored(`${name}s`)),
    }
  }
  const statusOf = (result: PromiseSettledResult<unknown> | undefined) => {
    if (result?.status === 'fulfilled') return 200
    if (result?.reason instanceof ApiError) return result.reason.status
    throw result?.reason
  }
  /**
   * Runs two calls in every order of their steps. Each run starts with a new document, and both calls get its published
   * revision.
   */
  const race = (
    name: string,
    calls: readonly Call[],
    check: (statuses: readonly number[], id: string, order: string) => Promise<void>,
    prepare: (id: string) => Promise<unknown> = () => Promise.resolve(),
  ) => {
    let id = ''
    const start = async () => {
      const { context, type } = writing
      id = (await createDocument(context, type(name), published, { title: 'first' })).documentId
      await prepare(id)
      const { live } = await versionsOf(name, id)
      const revision = Number(live?.['_revision'])
      return calls.map((call) => (db: Db) => call(contextOf(db), id, revision))
    }
    return everyOrder(writing.db, start, async (results, order) => {
      await check(results.map(statusOf), id, order)
      await writing.clear()
    })
  }

  for (const name of ['page', 'plain'])
    it(`accepts one of two updates (${name})`, async () => {
      const orders = await race(name, [put(name, 'a'), put(name, 'b')], async (ends, id, order) => {
        expect(ends.toSorted(), order).to.deep.equal([200, 412])
        const title = ends[0] === 200 ? 'a' : 'b'
        const { draft: mine, live } = await versionsOf(name, id)
        expect(live?.['title'], order).to.equal(title)
        if (name === 'page') expect(mine?.['title'], order).to.equal(title)
      })
      expect(orders).to.be.greaterThan(3)
    })

  it('accepts one of two updates if the draft was modified since publishing', async () => {
    const modify = (id: string) =>
      updateDocument(writing.context, writing.type('page'), id, draft, { views: 1 })
    await race(
      'page',
      [put('page', 'a'), put('page', 'b')],
      (ends, _, order) => {
        expect(ends.toSorted(), order).to.deep.equal([200, 412])
        return Promise.resolve()
      },
      modify,
    )
  })

  for (const name of ['page', 'plain'])
    it(`accepts either an update or a delete (${name})`, async () => {
      await race(name, [put(name, 'a'), remove(name)], async (ends, id, order) => {
        const { draft: mine, live } = await versionsOf(name, id)
        expect(
          ends.filter((status) => status === 200),
          order,
        ).to.have.length(1)
        expect(ends, order).to.satisfy(
          ([update, deleted]: number[]) => update === 404 || update === 412 || deleted === 412,
        )
        const isThere = ends[0] === 200
        expect(live?.['title'], order).to.equal(isThere ? 'a' : undefined)
        if (name === 'page') expect(mine?.['title'], order).to.equal(isThere ? 'a' : undefined)
      })
    })

  it('accepts one of two deletes', async () => {
    await race('page', [remove('page'), remove('page')], async (ends, id, order) => {
      expect(ends.toSorted(), order).to.deep.equal([200, 412])
      expect(await versionsOf('page', id), order).to.deep.equal({
        draft: undefined,
        live: undefined,
      })
    })
  })

  it('rejects an update completely or publishes it, during a concurrent publish', async () => {
    const statuses = new Set<number>()
    await race('page', [put('page', 'a'), act('publish')], async (ends, id, order) => {
      expect(ends[1], order).to.equal(200)
      expect(ends[0], order).to.be.oneOf([200, 412])
      statuses.add(ends[0] ?? 0)
      const title = ends[0] === 200 ? 'a' : 'first'
      const { draft: mine, live } = await versionsOf('page', id)
      expect([mine?.['title'], live?.['title']], order).to.deep.equal([title, title])
    })
    expect([...statuses].sort()).to.deep.equal([200, 412])
  })

  it('rejects an update completely or stores it in the draft, during a concurrent unpublish', async () => {
    await race('page', [put('page', 'a'), act('unpublish')], async (ends, id, order) => {
      expect(ends[1], order).to.equal(200)
      expect(ends[0], order).to.be.oneOf([200, 412])
      const { draft: mine, live } = await versionsOf('page', id)
      expect(live, order).to.equal(undefined)
      expect(mine?.['title'], order).to.equal(ends[0] === 200 ? 'a' : 'first')
    })
  })

  it('rejects an update completely if a write of the inverse side of a relation came first', async () => {
    const connect: Call = async (context, id) =>
      createDocument(context, writing.type('label'), published, { albums: [id] })
    const statuses = new Set<number>()
    await race('album', [put('album', 'a'), connect], async (ends, id, order) => {
      expect(ends[1], order).to.equal(200)
      expect(ends[0], order).to.be.oneOf([200, 412])
      statuses.add(ends[0] ?? 0)
      const { draft: mine, live } = await versionsOf('album', id)
      for (const version of [mine, live]) {
        expect(version?.['title'], order).to.equal(ends[0] === 200 ? 'a' : 'first')
        expect(version?.['labels'], order).to.have.length(1)
      }
    })
    expect([...statuses].sort()).to.deep.equal([200, 412])
  })

  it('rejects an update completely if a write of another locale came first', async () => {
    const french: Call = (context, id) =>
      updateDocument(context, writing.type('post'), id, inLocale('fr'), { views: 2 })
    const translate = (id: string) =>
      updateDocument(writing.context, writing.type('post'), id, inLocale('fr'), { title: 'fr' })
    await race(
      'post',
      [put('post', 'a'), french],
      async (ends, id, order) => {
        expect(ends[1], order).to.equal(200)
        expect(ends[0], order).to.be.oneOf([200, 412])
        const { draft: mine, live } = await versionsOf('post', id)
        for (const version of [mine, live]) {
          expect(version?.['title'], order).to.equal(ends[0] === 200 ? 'a' : 'first')
          expect(version?.['views'], order).to.equal(2)
        }
      },
      translate,
    )
  })

  it('ignores an interrupted publish if no other process writes', async () => {
    const { context, type } = writing
    const page = type('page')
    const conditional: readonly [
      string,
      (context: WriteContext, id: string) => Promise<unknown>,
    ][] = [
      ['update', async (by, id) => put('page', 'again')(by, id, await revisionOf(id))],
      ['delete', async (by, id) => remove('page')(by, id, await revisionOf(id))],
    ]
    const revisionOf = async (id: string) =>
      Number((await versionsOf('page', id)).live?.['_revision'])
    for (const [name, write] of conditional) {
      const { documentId: id } = await createDocument(context, page, published, { title: 'first' })
      // As if the process was killed between writing the draft and the published version.
      const killed = { ...context, db: stoppedAt(writing.db, 1).db }
      const cut = updateDocument(killed, page, id, published, { title: 'lost' })
      expect(await cut.catch((error: unknown) => error), name).to.be.instanceOf(Stopped)
      const one = statusOf((await Promise.allSettled([write(context, id)]))[0])
      expect(one, `${name} with other processes`).to.equal(412)
      const other = statusOf(
        (await Promise.allSettled([write({ ...context, publishingMs: 0 }, id)]))[0],
      )
      expect(other, name).to.equal(200)
      const { live } = await versionsOf('page', id)
      expect(live?.['title'], name).to.equal(name === 'update' ? 'again' : undefined)
    }
  })

  it('rejects a write for as long as a publish of another process may take', async () => {
    const { context, type } = writing
    const { documentId: id } = await createDocument(context, type('page'), published, {
      title: 'first',
    })
    const shown = { $set: { _publishedFrom: Date.now() - 120_000 } }
    await writing.db.collection('pages').updateOne({ documentId: id }, shown)
    const decided = { $set: { _publishing: Date.now() - 60_000 } }
    await writing.db.collection('pages.draft').updateOne({ documentId: id }, decided)
    const revision = Number((await versionsOf('page', id)).live?.['_revision'])
    const write = (publishingMs: number) =>
      Promise.allSettled([put('page', 'again')({ ...context, publishingMs }, id, revision)])
    expect(statusOf((await write(600_000))[0])).to.equal(412)
    expect(statusOf((await write(30_000))[0])).to.equal(200)
  })

  it('accepts a write without concurrent writes, whatever was written before', async () => {
    const { context, type } = writing
    const page = type('page')
    const { documentId: id } = await createDocument(context, page, published, { title: 'first' })
    const revision = async () => Number((await versionsOf('page', id)).live?.['_revision'])
    const before = [
      () => updateDocument(context, page, id, draft, { views: 1 }),
      () => updateDocument(context, page, id, published, { views: 2 }),
      () => actOnDocument(context, page, id, published, 'discard-draft'),
      // A publish that was interrupted between its two steps two minutes ago.
      async () => {
        const shown = { $set: { _publishedFrom: Date.now() - 120_000 } }
        await writing.db.collection('pages').updateOne({ documentId: id }, shown)
        const decided = { $set: { _publishing: Date.now() - 60_000 } }
        await writing.db.collection('pages.draft').updateOne({ documentId: id }, decided)
      },
      async () => {
        await actOnDocument(context, page, id, published, 'unpublish')
        await actOnDocument(context, page, id, published, 'publish')
      },
    ]
    for (const write of before) {
      await write()
      await put('page', 'again')(context, id, await revision())
    }
    await remove('page')(context, id, await revision())
    expect(await versionsOf('page', id)).to.deep.equal({ draft: undefined, live: undefined })
  })
})
