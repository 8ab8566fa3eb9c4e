import { expect } from 'chai'
import { prepareCollections } from '../../../engine/database/prepare-collections.js'
import type { WriteContext } from '../../../engine/write.js'
import { actOnDocument, createDocument, updateDocument } from '../../../engine/write.js'
import { markModified } from '../../../server/migrations/migrations.js'
import { readModified } from '../../engine/write/marks/read-modified.js'
import { contentType, i18n } from '../../engine/write/model.js'
import type { Writing } from '../../engine/write/start-writing.js'
import { draft, inLocale, published, startWriting } from '../../engine/write/start-writing.js'
import { pausedAt } from '../../engine/write/stepping.js'
import { unmarkedDrafts } from '../../engine/write/unmarked-drafts.js'
import { Killed, migratingOf, tapped } from './migrating.js'

const title = { title: { type: 'string', pluginOptions: i18n } }
const model = [
  contentType('post', title, { drafts: true, localized: true }),
  contentType('note', { title: { type: 'string' } }, { drafts: true }),
  contentType('label', { title: { type: 'string' } }),
]

describe('A database whose modified drafts are not marked', () => {
  let writing: Writing
  let posts: string[]
  before(async () => {
    writing = await startWriting(model, { transactions: false })
  })
  after(() => writing.stop())
  // Several batches for each collection.
  const migrating = migratingOf(() => writing, [markModified(2)])
  const { settings, instances, format, start, until, told, olderProgram, stop } = migrating
  afterEach(async () => {
    await stop()
    await settings().deleteMany({})
    await prepareCollections(writing.db, writing.registry)
    await writing.clear()
  })

  const post = () => writing.type('post')
  const isComplete = async () => (await format())['complete'] === 3
  const unmarked = () => unmarkedDrafts(writing.db, writing.registry)
  const indexes = async () =>
    (await writing.db.collection('posts.draft').listIndexes().toArray()).map(({ name }) =>
      String(name),
    )
  const index = 'quire__modified+locale+_id+documentId+updatedAt:partial'

  /** What programs of format 2 make of everything: they know no marks, and drop an index that they do not know. */
  const asFormat2 = async () => {
    for (const name of ['posts.draft', 'notes.draft']) {
      const drafts = writing.db.collection(name)
      await drafts.updateMany({}, { $unset: { _modified: '' } })
      for (const { name } of await drafts.listIndexes().toArray())
        if (String(name).includes('_modified')) await drafts.dropIndex(String(name))
    }
    await settings().replaceOne({ _id: 'format' }, { version: 2 }, { upsert: true })
  }
  /** A save of a draft by a program of format 2: the time and the revision rise, and there is no mark. */
  const saveOlder = (documentId = '', locale = 'en') =>
    writing.db.collection('posts.draft').updateOne({ documentId, locale }, [
      {
        $set: {
          title: 'older',
          updatedAt: { $add: ['$updatedAt', 1000] },
          _revision: { $add: ['$_revision', 1] },
        },
      },
    ])
  const modified = async (by: 'marks' | 'times') => {
    const search = 'status=draft&publicationFilter=modified&locale=*'
    return readModified(writing, 'post', search, by)
  }

  beforeEach(async () => {
    await migrating.forget()
    posts = []
    const { context } = writing
    for (let at = 0; at < 5; at += 1) {
      const { documentId } = await createDocument(context, post(), published, { title: `${at}` })
      posts.push(documentId)
      await updateDocument(context, post(), documentId, inLocale('fr'), { title: `${at}` })
    }
    await updateDocument(context, post(), posts[1] ?? '', inLocale('fr', 'draft'), { title: 'b' })
    await updateDocument(context, post(), posts[3] ?? '', draft, { title: 'd' })
    const note = writing.type('note')
    const { documentId } = await createDocument(context, note, published, { title: 'n' })
    await updateDocument(context, note, documentId, draft, { title: 'm' })
    await asFormat2()
  })

  it('is carried over: those that are modified are marked, and found by an index', async () => {
    expect(await unmarked()).to.have.length(3)
    const { completed } = await start()
    await until(isComplete)
    expect(await unmarked()).to.deep.equal([])
    const marked = { _modified: true }
    expect(await writing.db.collection('posts.draft').countDocuments(marked)).to.equal(2)
    expect(await writing.db.collection('notes.draft').countDocuments(marked)).to.equal(1)
    expect(await indexes()).to.include(index)
    await until(() => completed.at(-1) === 3)
    await until(() => told('Carried over').length > 0)
    expect(told('Carried over')[0]).to.include({ format: 3, looked: 11, changed: 3 })
  })

  it('is not waited for by a start, which keeps the index that there is', async () => {
    await prepareCollections(writing.db, writing.registry)
    expect(await indexes()).not.to.include(index)
    await start()
    await until(isComplete)
    await stop()
    await settings().updateOne({ _id: 'format' }, { $set: { complete: 2 } })
    await prepareCollections(writing.db, writing.registry)
    expect(await indexes()).to.include(index)
  })

  it('is asked for what is modified the old way while an older program writes beside', async () => {
    await olderProgram('older', { format: 2 })
    const { completed } = await start()
    await until(() => told('run over this database').length > 0)
    const before = await modified('times')
    await saveOlder(posts[0])
    // By the newer program, on what the older one wrote.
    await updateDocument(writing.context, post(), posts[2] ?? '', draft, { title: 'x' })
    await actOnDocument(writing.context, post(), posts[3] ?? '', draft, 'publish')
    expect(completed).to.deep.equal([2])
    expect(await modified('times')).not.to.equal(before)
    await instances().deleteOne({ _id: 'older' })
    await until(isComplete)
    expect(await unmarked()).to.deep.equal([])
    expect(await modified('marks')).to.equal(await modified('times'))
  })

  it('is filled again where an older program is heard of that was thought to have ended', async () => {
    const { completed } = await start()
    await until(() => completed.at(-1) === 3)
    await saveOlder(posts[0])
    await olderProgram('woken', { format: 2 })
    await until(() => completed.at(-1) === 2)
    await saveOlder(posts[4], 'fr')
    await instances().deleteOne({ _id: 'woken' })
    await until(() => completed.at(-1) === 3)
    expect(await unmarked()).to.deep.equal([])
  })

  it('is carried over to the end whichever write the process was killed before', async () => {
    for (let at = 0; ; at += 1) {
      await asFormat2()
      let written = 0
      const dying = tapped(writing.db, () => {
        written += 1
        if (written > at) throw new Killed()
      })
      const first = await start({ db: dying })
      await until(async () => written > at || (await isComplete()))
      await first.stop()
      const isWhole = await isComplete()
      // Whoever comes next waits for nobody: what the killed one held is its own.
      await settings().deleteOne({ _id: 'migrating' })
      const next = await start()
      await until(isComplete)
      await next.stop()
      expect(await unmarked(), `killed before write ${at}`).to.deep.equal([])
      if (isWhole && written <= at) break
    }
  }).timeout(120_000)

  it('misses nothing that is written between reading a draft and marking it', async () => {
    let isDone = false
    const { context } = writing
    const db = tapped(writing.db, async (write) => {
      if (isDone || write !== 'posts.draft bulkWrite') return
      isDone = true
      await updateDocument(context, post(), posts[3] ?? '', draft, { title: 'later' })
      await actOnDocument(context, post(), posts[1] ?? '', inLocale('fr', 'draft'), 'publish')
      await actOnDocument(context, post(), posts[0] ?? '', draft, 'unpublish')
    })
    await start({ db })
    await until(isComplete)
    expect(isDone).to.equal(true)
    expect(await unmarked()).to.deep.equal([])
  })

  it('misses no draft that an older program saved while its first publish was under way', async () => {
    const { context } = writing
    const { documentId } = await createDocument(context, post(), draft, { title: 'new' })
    const paused = pausedAt(writing.db, (step) => step === 'posts insertOne')
    const publisher: WriteContext = { ...context, db: paused.db }
    const publishing = actOnDocument(publisher, post(), documentId, draft, 'publish')
    await paused.reached
    await saveOlder(documentId)
    await start()
    await until(isComplete)
    paused.go()
    await publishing
    expect(await unmarked()).to.deep.equal([])
    expect(await modified('marks')).to.equal(await modified('times'))
  })
})
