import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../engine/errors.js'
import { repairContent } from '../../../engine/repair.js'
import type { AgreedDraft, DocumentAction, WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  takeOffMarks,
  updateDocument,
} from '../../../engine/write.js'
import { isReplicaSet } from '../../support/database-server.js'
import { modifiedByTimes, modifiedQueries, readModified } from './marks/read-modified.js'
import { contentType, i18n, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, published, startWriting } from './start-writing.js'
import { pausedAt, Stopped, stoppedAt } from './stepping.js'
import { unmarkedDrafts } from './unmarked-drafts.js'
import { runs } from '../../support/properties.js'

const model = [
  contentType(
    'post',
    {
      title: { type: 'string', pluginOptions: i18n },
      views: { type: 'integer' },
      code: { type: 'string', unique: true },
      label: relation('oneToOne', 'label', { inversedBy: 'post' }),
    },
    { drafts: true, localized: true },
  ),
  contentType(
    'label',
    {
      name: { type: 'string', unique: true },
      post: relation('oneToOne', 'post', { mappedBy: 'label' }),
    },
    { drafts: true },
  ),
]
const types = ['post', 'label'] as const
type Name = (typeof types)[number]

type Drawn = Readonly<{
  name: Name
  /** Index of the document. An index after the last document creates one. */
  at: number
  verb: 'update' | DocumentAction | 'delete'
  locale: 'en' | 'fr'
  isDraft: boolean
  /** Value of a unique attribute. Often, another document has it already. */
  value: number
  /** Step before which the writer is killed, or waits until the next write is done. */
  stop: Readonly<{ how: 'dies' | 'waits'; at: number }> | undefined
  isTransaction: boolean
  /** Whether marks of drafts that are no longer modified are removed before the write. */
  flushes: boolean
}>

const drawn: fc.Arbitrary<Drawn> = fc.record({
  name: fc.constantFrom(...types),
  at: fc.nat(1),
  verb: fc.constantFrom(
    ...(['update', 'update', 'update', 'publish', 'unpublish', 'discard-draft', 'delete'] as const),
  ),
  locale: fc.constantFrom('en', 'fr'),
  isDraft: fc.boolean(),
  value: fc.nat(3),
  stop: fc.option(
    fc.record({ how: fc.constantFrom('dies' as const, 'waits' as const), at: fc.nat(2) }),
    { nil: undefined, freq: 2 },
  ),
  isTransaction: fc.boolean(),
  flushes: fc.boolean(),
})

describe('marks of modified drafts', () => {
  let writing: Writing
  let agreed: AgreedDraft[] = []
  let documents: Record<Name, string[]>
  before(async () => {
    writing = await startWriting(model, { transactions: false })
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await clear()
  })

  const clear = async () => {
    for (const name of ['posts', 'posts.draft', 'labels', 'labels.draft'])
      await writing.db.collection(name).deleteMany({})
    agreed = []
    documents = { post: [], label: [] }
  }
  const flush = () => takeOffMarks(writing.db, agreed.splice(0))
  const recordingAgreed = (context: WriteContext = writing.context): WriteContext => ({
    ...context,
    agreed: (one) => void agreed.push(one),
  })
  const marked = async (collection: string) =>
    (await writing.stored(collection)).filter(({ _modified }) => _modified === true).length

  const write = async (context: WriteContext, one: Drawn): Promise<void> => {
    const { name, at, verb, value } = one
    const type = writing.type(name)
    const ids = documents[name]
    const id = ids[at]
    const status = one.isDraft ? ('draft' as const) : ('published' as const)
    const scope = name === 'post' ? { status, locale: one.locale } : { status }
    const data =
      name === 'post'
        ? { title: `t${value}`, views: value, code: `c${at} ${value % 2}` }
        : { name: `n${value}`, post: documents.post[value] ?? null }
    if (id === undefined) ids.push((await createDocument(context, type, scope, data)).documentId)
    else if (verb === 'update') await updateDocument(context, type, id, scope, data)
    else if (verb === 'delete')
      await deleteDocument(context, type, id, { ...scope, status: 'published' })
    else await actOnDocument(context, type, id, scope, verb)
  }
  const allowed = (error: unknown): void => {
    if (!(error instanceof ApiError || error instanceof Stopped)) throw error
  }
  const run = async (sequence: readonly Drawn[]): Promise<void> => {
    let waiting: Readonly<{ go: () => void; over: Promise<void> }> | undefined
    for (const one of sequence) {
      if (one.flushes) await flush()
      const transactions = one.isTransaction && isReplicaSet()
      const context = recordingAgreed({ ...writing.context, transactions })
      const { stop } = one
      // If a transaction was paused, the next write would have to wait for it.
      if (stop?.how === 'waits' && waiting === undefined && !transactions) {
        let steps = 0
        const paused = pausedAt(writing.db, () => (steps += 1) > stop.at)
        const over = write({ ...context, db: paused.db }, one).catch(allowed)
        await Promise.race([paused.reached, over])
        waiting = { go: paused.go, over }
        continue
      }
      const db = stop?.how === 'dies' ? stoppedAt(writing.db, stop.at).db : writing.db
      await write({ ...context, db }, one).catch(allowed)
      waiting?.go()
      await waiting?.over
      waiting = undefined
      expect(await unmarkedDrafts(writing.db, writing.registry)).to.deep.equal([])
    }
    waiting?.go()
    await waiting?.over
  }
  const expectSameResults = async (name: Name) => {
    for (const search of modifiedQueries(name === 'post')) {
      const [marks, times] = await Promise.all([
        readModified(writing, name, search),
        modifiedByTimes(writing, name, search),
      ])
      expect(marks, `${name} ${search}`).to.deep.equal(times)
    }
  }

  for (const seed of [1, 2, 3])
    it(`give the same results as comparing all versions, after any writes, whole or interrupted (${seed})`, async () => {
      const property = fc.asyncProperty(
        fc.array(drawn, { minLength: 4, maxLength: 14 }),
        async (sequence) => {
          await clear()
          await run(sequence)
          expect(await unmarkedDrafts(writing.db, writing.registry)).to.deep.equal([])
          await expectSameResults('post')
          await expectSameResults('label')
          await flush()
          expect(await unmarkedDrafts(writing.db, writing.registry)).to.deep.equal([])
        },
      )
      await fc.assert(property, { seed, numRuns: runs(25) })
    }).timeout(300_000)

  const newPost = async (scope = published) =>
    (await createDocument(recordingAgreed(), writing.type('post'), scope, { title: 'a' }))
      .documentId
  const modified = async (read = readModified) =>
    (await read(writing, 'post', 'status=draft&publicationFilter=modified')).data.length
  const post = () => writing.type('post')

  it('exist only on modified drafts after a flush', async () => {
    const id = await newPost()
    await newPost(draft)
    expect(await marked('posts.draft')).to.equal(0)
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'b' })
    expect(await marked('posts.draft')).to.equal(1)
    await updateDocument(recordingAgreed(), post(), id, published, { title: 'c' })
    await flush()
    expect(await marked('posts.draft')).to.equal(0)
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'd' })
    await actOnDocument(recordingAgreed(), post(), id, draft, 'discard-draft')
    expect(await marked('posts.draft')).to.equal(0)
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'e' })
    await actOnDocument(recordingAgreed(), post(), id, draft, 'unpublish')
    await flush()
    expect(await marked('posts.draft')).to.equal(0)
  })

  it('exist only on the locale that is modified', async () => {
    const id = await newPost()
    await updateDocument(recordingAgreed(), post(), id, inLocale('fr'), { title: 'b' })
    await updateDocument(recordingAgreed(), post(), id, inLocale('fr', 'draft'), { title: 'c' })
    await flush()
    const drafts = await writing.stored('posts.draft')
    const marks = drafts.map(({ locale, _modified }) => [locale as string, _modified === true])
    expect(marks).to.deep.equal([
      ['en', false],
      ['fr', true],
    ])
  })

  it('are not stored in published versions', async () => {
    const id = await newPost()
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'b' })
    await actOnDocument(recordingAgreed(), post(), id, draft, 'publish')
    expect(
      (await writing.stored('posts')).filter((version) => '_modified' in version),
    ).to.deep.equal([])
  })

  it('stay if a publish was interrupted before the published version', async () => {
    const id = await newPost()
    const { db } = stoppedAt(writing.db, 1)
    const cut = updateDocument(recordingAgreed({ ...writing.context, db }), post(), id, published, {
      title: 'b',
    })
    await cut.catch(allowed)
    await flush()
    expect([await modified(), await modified(modifiedByTimes)]).to.deep.equal([1, 1])
  })

  it('stay on a draft that was written again', async () => {
    const id = await newPost()
    await updateDocument(recordingAgreed(), post(), id, published, { title: 'b' })
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'c' })
    await flush()
    expect(await modified()).to.equal(1)
  })

  it('exist on a draft that was saved while its first publish was in flight', async () => {
    const id = await newPost(draft)
    const paused = pausedAt(writing.db, (step) => step === 'posts insertOne')
    const publishing = actOnDocument(
      recordingAgreed({ ...writing.context, db: paused.db }),
      ...([post(), id, draft, 'publish'] as const),
    )
    await paused.reached
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'c' })
    paused.go()
    await publishing
    await flush()
    expect([await modified(), await modified(modifiedByTimes)]).to.deep.equal([1, 1])
  })

  it('do not change results if there are too many, and are removed by a repair', async () => {
    await newPost()
    await writing.db.collection('posts.draft').updateMany({}, { $set: { _modified: true } })
    await expectSameResults('post')
    expect(await modified()).to.equal(0)
    const found: string[] = []
    const { db, registry } = writing
    const options = { db, registry, repairs: true }
    await repairContent({ ...options, found: ({ kind }) => void found.push(kind) })
    expect(found).to.deep.equal([])
    expect(await marked('posts.draft')).to.equal(0)
  })

  it('are restored by a repair if they are missing', async () => {
    const id = await newPost()
    await updateDocument(recordingAgreed(), post(), id, draft, { title: 'b' })
    await writing.db.collection('posts.draft').updateMany({}, { $unset: { _modified: '' } })
    expect([await modified(), await modified(modifiedByTimes)]).to.deep.equal([0, 1])
    const found: string[] = []
    const { db, registry } = writing
    const options = { db, registry, repairs: true }
    await repairContent({ ...options, found: ({ kind }) => void found.push(kind) })
    expect(found).to.deep.equal(['unmarked'])
    expect(await modified()).to.equal(1)
  })
})
