import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { isReplicaSet } from '../../support/database-server.js'
import type { Writing } from './start-writing.js'
import { inLocale, plain, published, startWriting } from './start-writing.js'
import type { Job, WriterData } from './writer-thread.js'

type Reference = Readonly<{ documentId: string }>

/**
 * Each entry lists which writers use transactions: with two values, every second writer does. Both kinds of writers can
 * share a database.
 */
const ways: readonly (readonly [string, readonly boolean[]])[] = [
  ['step by step', [false]],
  ...(isReplicaSet()
    ? ([
        ['in transactions', [true]],
        ['partly in transactions', [true, false]],
      ] as const)
    : []),
]

for (const [way, transactions] of ways) severalProcesses(way, transactions)

function severalProcesses(way: string, transactions: readonly boolean[]): void {
  describe(`processes that write the same document ${way}`, () => {
    let writing: Writing
    let id: string
    before(async () => {
      writing = await startWriting()
    })
    after(() => writing.stop())
    beforeEach(async () => {
      await writing.clear()
      const { context, type } = writing
      id = (await createDocument(context, type('article'), published, { title: 'A', views: 0 }))
        .documentId
    })

    /** Runs each list of jobs in its own thread. Returns the statuses of the rejected writes. */
    const race = async (...lists: readonly (readonly Job[])[]): Promise<number[]> => {
      const file = new URL('./writer-thread.js', import.meta.url)
      const refused = await Promise.all(
        lists.map(async (jobs, at) => {
          const together = transactions[at % transactions.length] ?? false
          const workerData: WriterData = { uri: writing.uri, jobs, transactions: together }
          const [statuses] = (await once(new Worker(file, { workerData }), 'message')) as [number[]]
          return statuses
        }),
      )
      return refused.flat()
    }
    const update = (data: unknown, scope = published): Job => ({
      call: 'update',
      type: 'article',
      id,
      scope,
      data,
    })
    const both = async () => {
      const [drafts, versions] = await Promise.all([
        writing.stored('articles.draft'),
        writing.stored('articles'),
      ])
      const byLocale = (list: typeof drafts) =>
        Object.fromEntries(list.map((version) => [version['locale'] as string, plain(version)]))
      return { drafts: byLocale(drafts), versions: byLocale(versions) }
    }

    it('lose no connected relation', async () => {
      const { context, type } = writing
      const tags: string[] = []
      for (let at = 0; at < 18; at += 1)
        tags.push(
          (await createDocument(context, type('tag'), published, { name: `${at}` })).documentId,
        )
      const jobs = tags.map((tag) => update({ tags: { connect: [tag] } }))
      expect(await race(jobs.slice(0, 6), jobs.slice(6, 12), jobs.slice(12))).to.deep.equal([])
      const { drafts, versions } = await both()
      const connected = (drafts['en']?.['tags'] as Reference[]).map(({ documentId }) => documentId)
      expect(connected.sort()).to.deep.equal(tags.sort())
      expect(versions).to.deep.equal(drafts)
    })

    it('end with equal shared values in all locales', async () => {
      const { context, type } = writing
      for (const locale of ['fr', 'de'])
        await updateDocument(context, type('article'), id, inLocale(locale), { title: locale })
      const jobs = (locale: string, from: number) =>
        Array.from({ length: 8 }, (_, at) =>
          update({ views: from + at, title: `${locale} ${at}` }, inLocale(locale)),
        )
      expect(await race(jobs('en', 100), jobs('fr', 200), jobs('de', 300))).to.deep.equal([])
      const { drafts, versions } = await both()
      expect(versions).to.deep.equal(drafts)
      expect(
        new Set(Object.values(drafts).map((version) => version['views'] as unknown)).size,
      ).to.equal(1)
    })

    it('end with the same relation in draft and published versions if both sides write it', async () => {
      const { context, type } = writing
      const authors: string[] = []
      for (const name of ['Ada', 'Bela'])
        authors.push(
          (await createDocument(context, type('author'), published, { name })).documentId,
        )
      const steal = (author: string | undefined): Job => ({
        call: 'update',
        type: 'author',
        id: author ?? '',
        scope: published,
        data: { articles: { connect: [id] } },
      })
      const steals = (author: string | undefined) => Array.from({ length: 8 }, () => steal(author))
      const titles = Array.from({ length: 8 }, (_, at) => update({ title: `T${at}` }))
      for (let round = 0; round < 3; round += 1) {
        expect(await race(steals(authors[round % 2]), titles)).to.deep.equal([])
        const { drafts, versions } = await both()
        expect((drafts['en']?.['author'] as Reference).documentId).to.equal(authors[round % 2])
        expect(versions).to.deep.equal(drafts)
      }
    })

    it('never leave a published version without a draft', async () => {
      const remove: Job = { call: 'delete', type: 'article', id, scope: published }
      const act = (action: 'publish' | 'unpublish'): Job => ({
        call: 'act',
        type: 'article',
        id,
        scope: published,
        action,
      })
      const publishes = Array.from({ length: 12 }, () => act('publish'))
      const changes = Array.from({ length: 12 }, (_, at) =>
        at % 2 === 0 ? act('unpublish') : update({ views: at }),
      )
      const refused = await race(publishes, [...changes, remove])
      expect(refused.every((status) => status === 404)).to.equal(true)
      expect(await both()).to.deep.equal({ drafts: {}, versions: {} })
    })
  })
}
