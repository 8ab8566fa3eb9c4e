import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { listReferences } from '../../../server/migrations/migrations.js'
import { component, contentType, relation } from '../../engine/write/model.js'
import { wronglyListed } from '../../engine/write/listed-references.js'
import type { Writing } from '../../engine/write/start-writing.js'
import { published, startWriting } from '../../engine/write/start-writing.js'
import { Killed, migratingOf, tapped } from './migrating.js'

const model = [
  component('shared.link', { to: relation('oneToOne', 'label') }),
  contentType(
    'post',
    {
      title: { type: 'string' },
      author: relation('manyToOne', 'label', { inversedBy: 'posts' }),
      labels: relation('manyToMany', 'label'),
      links: { type: 'component', component: 'shared.link', repeatable: true },
    },
    { drafts: true },
  ),
  contentType('label', { posts: relation('oneToMany', 'post', { mappedBy: 'author' }) }),
]

describe('A database of an earlier format', () => {
  let writing: Writing
  let labels: readonly string[]
  before(async () => {
    writing = await startWriting(model)
  })
  after(() => writing.stop())
  afterEach(async () => {
    await stop()
    await writing.clear()
  })

  // Several batches for each collection.
  const migrating = migratingOf(() => writing, [listReferences(3)])
  const { settings, instances, format, start, until, told, olderProgram, stop } = migrating
  const isComplete = async () => (await format())['complete'] === 2
  const wrong = () => wronglyListed(writing.db, writing.registry)

  /** What a process of format 1 makes of everything: it knows no lists and passes them over. */
  const asFormat1 = async () => {
    for (const name of ['posts', 'posts.draft'])
      await writing.db.collection(name).updateMany({}, { $unset: { _refs: '' } })
    await settings().replaceOne({ _id: 'format' }, { version: 1 }, { upsert: true })
  }
  /** A write of format 1: it raises the revision, and does not list what it refers to. */
  const writeOlder = (documentId: string) =>
    writing.db.collection('posts.draft').updateOne(
      { documentId },
      {
        $set: { labels: [], author: { documentId: labels[1], order: 9 } },
        $inc: { _revision: 1 },
      },
    )

  const post = async () => {
    const data = { title: 'a', author: labels[0], labels, links: [{ to: labels[1] }, {}] }
    return (await createDocument(writing.context, writing.type('post'), published, data)).documentId
  }
  let posts: string[]
  beforeEach(async () => {
    await migrating.forget()
    const label = writing.type('label')
    labels = [
      (await createDocument(writing.context, label, published, {})).documentId,
      (await createDocument(writing.context, label, published, {})).documentId,
    ]
    posts = []
    for (let at = 0; at < 4; at += 1) posts.push(await post())
    await asFormat1()
  })

  it('is carried over, and each process learns it', async () => {
    const other = await start({ migrations: [] })
    const { completed } = await start()
    await until(isComplete)
    expect(await format()).to.include({ version: 2, complete: 2 })
    expect(await wrong()).to.deep.equal([])
    await until(() => completed.at(-1) === 2 && other.completed.at(-1) === 2)
    await until(() => told('Carried over').length > 0)
    expect(completed).to.deep.equal([1, 2])
    expect(told('Carried over')[0]).to.include({ format: 2, changed: 8 })
  })

  it('is carried over at once where no other process can be', async () => {
    await olderProgram('killed')
    await start({ alone: true })
    await until(isComplete)
    expect(await wrong()).to.deep.equal([])
  })

  it('is served as it is while an older program runs, and nothing that one wrote is missed', async () => {
    await olderProgram('older')
    const { completed } = await start()
    await until(() => told('run over this database').length > 0)
    await writeOlder(posts[0] ?? '')
    expect(await format()).to.deep.equal({ _id: 'format', version: 1 })
    expect(completed).to.deep.equal([1])
    expect(told('still writes')).to.deep.equal([])
    await instances().deleteOne({ _id: 'older' })
    await until(isComplete)
    expect(await wrong()).to.deep.equal([])
  })

  it('is filled when one has ended that had begun to start before the others were refused', async () => {
    await olderProgram('first')
    await start()
    await until(() => told('run over this database').length > 0)
    await olderProgram('second', { starting: true, format: 1 })
    await instances().deleteOne({ _id: 'first' })
    await instances().updateOne({ _id: 'second' }, { $set: { starting: false } })
    await until(() => told('run over this database').length > 1)
    await writeOlder(posts[1] ?? '')
    await instances().deleteOne({ _id: 'second' })
    await until(isComplete)
    expect(await wrong()).to.deep.equal([])
  })

  it('is not filled while somebody starts who may be of an older program', async () => {
    const schemas = writing.db.collection<{ _id: string } & Document>('_schemas')
    const lock = { _id: 'lock', owner: 'older', until: new Date(Date.now() + 60_000) }
    await schemas.insertOne(lock)
    await start()
    await until(async () => (await format())['version'] === 2)
    await writeOlder(posts[2] ?? '')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await format()).to.include({ version: 2, complete: 1 })
    await schemas.deleteOne({ _id: 'lock' })
    await until(isComplete)
    expect(await wrong()).to.deep.equal([])
  })

  it('is filled again where an older program is heard of that was thought to have ended', async () => {
    const { completed } = await start()
    await until(() => completed.at(-1) === 2)
    await writeOlder(posts[3] ?? '')
    await olderProgram('woken')
    await until(() => completed.at(-1) === 1)
    await writeOlder(posts[0] ?? '')
    await instances().deleteOne({ _id: 'woken' })
    await until(() => completed.at(-1) === 2)
    expect(await wrong()).to.deep.equal([])
    expect(completed).to.deep.equal([1, 2, 1, 2])
  })

  it('does not mind an older program that is about to be refused', async () => {
    const { completed } = await start()
    await until(() => completed.at(-1) === 2)
    await olderProgram('refused', { starting: true })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(completed).to.deep.equal([1, 2])
  })

  it('is carried over by one of several processes that start at once', async () => {
    const together = await Promise.all([start(), start(), start()])
    await until(isComplete)
    // The line follows the mark in the database.
    for (const one of together) await one.stop()
    expect(told('Carried over')).to.have.length(1)
    expect(await wrong()).to.deep.equal([])
  })

  it('is carried over to the end whichever write the process was killed before', async () => {
    // No older program is there to be waited for: each look for one is a write to be killed before.
    const waits = { everyMs: 5, silentMs: 30_000, quietMs: 1 }
    for (let at = 0; ; at += 1) {
      await asFormat1()
      let written = 0
      const dying = tapped(writing.db, () => {
        written += 1
        if (written > at) throw new Killed()
      })
      const first = await start({ db: dying, waits })
      await until(async () => written > at || (await isComplete()))
      await first.stop()
      const isWhole = await isComplete()
      // Whoever comes next waits for nobody: what the killed one held is its own.
      await settings().deleteOne({ _id: 'migrating' })
      const next = await start({ waits })
      await until(isComplete)
      await next.stop()
      expect(await wrong(), `killed before write ${at}`).to.deep.equal([])
      if (isWhole && written <= at) break
    }
  }).timeout(120_000)

  it('misses nothing that is written between reading a version and listing it', async () => {
    let isDone = false
    const { context, type } = writing
    const db = tapped(writing.db, async (write) => {
      if (isDone || write !== 'posts.draft bulkWrite') return
      isDone = true
      // From the other side: who writes this does not know the rest of the version.
      await updateDocument(context, type('label'), labels[1] ?? '', published, {
        posts: posts.slice(0, 2),
      })
      await updateDocument(context, type('post'), posts[2] ?? '', published, { labels: [] })
    })
    await start({ db })
    await until(isComplete)
    expect(isDone).to.equal(true)
    expect(await wrong()).to.deep.equal([])
  })

  it('goes through as many formats as there are, in turn', async () => {
    const done: string[] = []
    const fill = (name: string) => (_db: Db, after: unknown) => {
      done.push(`${name} ${String(after)}`)
      return Promise.resolve({ after: after === undefined ? 7 : undefined, looked: 1, changed: 0 })
    }
    const migrations = [2, 3].map((number) => ({
      ...{ format: number, name: `format ${number}` },
      parts: () => [{ name: 'a', fill: fill(`${number}a`) }],
    }))
    const { completed } = await start({ migrations })
    await until(() => completed.at(-1) === 3)
    expect(done).to.deep.equal(['2a undefined', '2a 7', '3a undefined', '3a 7'])
    expect(await format()).to.include({ version: 3, complete: 3 })
    // Nothing was listed.
    for (const name of ['posts', 'posts.draft']) await writing.db.collection(name).deleteMany({})
  })
})
