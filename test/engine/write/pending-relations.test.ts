import { expect } from 'chai'
import type { Document } from 'mongodb'
import type { WriteScope } from '../../../engine/write.js'
import { actOnDocument, createDocument, updateDocument } from '../../../engine/write.js'
import { oneByOne } from '../../../engine/database/unit-of-work.js'
import { executeOwner } from '../../../engine/write/execute/execute-owners.js'
import type { OwnerWrite } from '../../../engine/write/plan/write-plan.js'
import { contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, published, startWriting } from './start-writing.js'

describe('pending inverse relations of a draft', () => {
  let writing: Writing
  let posts: readonly string[]
  before(async () => {
    const drafts = { drafts: true }
    writing = await startWriting([
      contentType(
        'post',
        {
          title: { type: 'string' },
          labels: relation('manyToMany', 'label', { inversedBy: 'posts' }),
          partner: relation('oneToOne', 'label', { inversedBy: 'owner' }),
        },
        drafts,
      ),
      contentType(
        'label',
        {
          posts: relation('manyToMany', 'post', { mappedBy: 'labels' }),
          owner: relation('oneToOne', 'post', { mappedBy: 'partner' }),
        },
        drafts,
      ),
    ])
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await writing.clear()
    const written = []
    for (const title of ['one', 'two']) written.push(await create('post', { title }))
    posts = written
  })

  const create = async (name: string, data: unknown, scope = published) =>
    (await createDocument(writing.context, writing.type(name), scope, data)).documentId
  const update = (name: string, id: string | undefined, data: unknown, scope = published) =>
    updateDocument(writing.context, writing.type(name), id ?? '', scope, data)
  const publish = (id: string) =>
    actOnDocument(writing.context, writing.type('label'), id, published, 'publish')
  const discard = (id: string) =>
    actOnDocument(writing.context, writing.type('label'), id, draft, 'discard-draft')
  const labels = async (collection = 'posts') =>
    (await writing.stored(collection)).map((post) =>
      (post['labels'] as Document[]).map(({ documentId }) => documentId as string),
    )
  const listOf = async (label: string, collection = 'posts') => {
    const places = (await writing.stored(collection)).flatMap((post) =>
      (post['labels'] as (Document & { order: number })[])
        .filter(({ documentId }) => documentId === label)
        .map(({ order }) => ({ title: post['title'] as string, order })),
    )
    return places.toSorted((a, b) => a.order - b.order).map(({ title }) => title)
  }
  const partners = async (collection = 'posts') =>
    (await writing.stored(collection)).map(
      (post) => ((post['partner'] as Document | null)?.['documentId'] ?? null) as string | null,
    )

  /** Connects 16 posts, each right after the first one, so that the list has to be renumbered. */
  const crowd = async (
    label: string,
    scopes: readonly WriteScope[],
  ): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let at = 0; at < 16; at += 1) {
      const documentId = await create('post', { title: String(at) })
      const connect = [{ documentId, position: { after: posts[0] } }]
      await update('label', label, { posts: { connect } }, scopes[at % scopes.length])
      ids.push(documentId)
    }
    return ids
  }

  it('reach the published owners when the document is published', async () => {
    const label = await create('label', { posts: [posts[1]] }, draft)
    expect(await labels()).to.deep.equal([[], []])
    await publish(label)
    expect(await labels()).to.deep.equal([[], [label]])
    const orders = await Promise.all(
      ['posts.draft', 'posts'].map(
        async (name) => (await writing.stored(name))[1]?.['labels'] as Document[],
      ),
    )
    expect(orders[0]).to.deep.equal(orders[1])
  })

  it('disconnect the published owners when a write publishes the document', async () => {
    const label = await create('label', { posts })
    await update('label', label, { posts: { disconnect: [posts[0]] } }, draft)
    expect(await labels()).to.deep.equal([[label], [label]])
    await update('label', label, {})
    expect(await labels()).to.deep.equal([[], [label]])
  })

  it('apply the last of several draft writes, and only once', async () => {
    const label = await create('label', { posts: [posts[0]] }, draft)
    await update('label', label, { posts: [posts[1]] }, draft)
    await publish(label)
    expect(await labels()).to.deep.equal([[], [label]])
    await update('post', posts[1], { labels: [] })
    await publish(label)
    expect(await labels()).to.deep.equal([[], []])
  })

  it('lose to the value that a publishing write sends', async () => {
    const label = await create('label', { posts: [posts[0]] }, draft)
    await update('label', label, { posts: [posts[1]] })
    expect(await labels()).to.deep.equal([[], [label]])
  })

  it('move a oneToOne relation to its new owner when published', async () => {
    const label = await create('label', { owner: posts[0] })
    await update('label', label, { owner: posts[1] }, draft)
    expect(await partners()).to.deep.equal([label, null])
    await publish(label)
    expect(await partners()).to.deep.equal([null, label])
    expect(await partners('posts.draft')).to.deep.equal([null, label])
  })

  it('wait until an owner without a published version is published', async () => {
    const post = await create('post', { title: 'three' }, draft)
    const label = await create('label', { posts: [post] }, draft)
    await publish(label)
    expect(await labels()).to.deep.equal([[], []])
    await update('post', post, {})
    expect(await labels()).to.deep.equal([[], [], [label]])
  })

  it('keep the published order when an owner that had only a draft is published', async () => {
    const post = await create('post', { title: 'three' }, draft)
    const label = await create('label', { posts: [post] }, draft)
    await update('label', label, { posts: [posts[0], post, posts[1]] })
    expect(await listOf(label)).to.deep.equal(['one', 'two'])
    await update('post', post, {})
    expect(await listOf(label)).to.deep.equal(['one', 'three', 'two'])
    expect(await listOf(label, 'posts.draft')).to.deep.equal(['one', 'three', 'two'])
  })

  it('keep the published order when an owner with the relation only in its draft is published', async () => {
    const label = await create('label', {})
    await update('post', posts[1], { labels: [label] }, draft)
    await update('label', label, { posts })
    expect(await listOf(label)).to.deep.equal(['one', 'two'])
    await update('post', posts[1], {})
    expect(await listOf(label)).to.deep.equal(['one', 'two'])
  })

  it('keep their position next to a neighbour that is not published yet', async () => {
    const post = await create('post', { title: 'three' }, draft)
    const label = await create('label', { posts: [posts[0]] })
    await update('post', post, { labels: [label] }, draft)
    const connect = [{ documentId: posts[1], position: { before: post } }]
    await update('label', label, { posts: { connect } })
    expect(await listOf(label)).to.deep.equal(['one', 'two'])
    await update('post', post, {})
    expect(await listOf(label)).to.deep.equal(['one', 'two', 'three'])
  })

  it('have the same order in draft and published lists if items of one list refer to each other', async () => {
    const third = await create('post', { title: 'three' })
    for (const connect of [
      [{ documentId: posts[1], position: { after: third } }, { documentId: third }],
      [
        { documentId: posts[1], position: { before: posts[0] } },
        { documentId: posts[0], position: { end: true } },
      ],
      [
        { documentId: third, position: { start: true } },
        { documentId: posts[1], position: { after: third } },
      ],
    ]) {
      const label = await create('label', { posts: [posts[0]] })
      await update('label', label, { posts: { connect } })
      expect(await listOf(label)).to.deep.equal(await listOf(label, 'posts.draft'))
    }
  })

  it('do not publish an owner that no write named, even if the list is renumbered', async () => {
    const label = await create('label', { posts })
    const third = await create('post', { title: 'three' })
    await update('post', third, { labels: [label] }, draft)
    const ids = await crowd(label, [published, draft])
    await publish(label)
    const drafts = await listOf(label, 'posts.draft')
    const titles = ids.map((_, at) => String(at)).toReversed()
    expect(drafts).to.deep.equal(['one', ...titles, 'two', 'three'])
    expect(await listOf(label)).to.deep.equal(drafts.slice(0, -1))
  })

  it('keep the position of an owner that only published content has when the list is renumbered', async () => {
    const third = await create('post', { title: 'three' })
    const label = await create('label', { posts: [posts[0], third, posts[1]] })
    await update('post', third, { labels: [] }, draft)
    await crowd(label, [published])
    const titles = await listOf(label)
    expect(titles).to.have.length(19).and.include('three')
    expect([titles.at(0), titles.at(-1)]).to.deep.equal(['one', 'two'])
  })

  it('do not publish a relation that the owner itself changed since, even if the list is renumbered', async () => {
    const third = await create('post', { title: 'three' })
    const label = await create('label', { posts })
    await update('label', label, { posts: { connect: [third] } }, draft)
    await update('post', third, { labels: [] }, draft)
    await update('post', third, { labels: [label] }, draft)
    await crowd(label, [draft])
    await publish(label)
    expect(await listOf(label))
      .to.have.length(18)
      .and.not.include('three')
    expect(await listOf(label, 'posts.draft'))
      .to.have.length(19)
      .and.include('three')
  })

  it('do not restore the reference of an owner that lost it while the list was renumbered', async () => {
    const label = await create('label', { posts })
    const [documentId = ''] = posts
    const write: OwnerWrite = {
      ...{ collection: 'posts', documentId, locale: null, field: 'labels', many: true },
      ...{ target: label, order: 1, exclusive: false, ifFree: false, ifThere: true },
    }
    await executeOwner(oneByOne(writing.db), write, Date.now(), true)
    expect(await listOf(label)).to.deep.equal(['one', 'two'])
    await update('post', posts[0], { labels: [] })
    expect(await executeOwner(oneByOne(writing.db), write, Date.now(), true)).to.equal(undefined)
    expect(await listOf(label)).to.deep.equal(['two'])
  })

  it('keep the draft reference of an unnamed owner when a draft that renumbered the list is discarded', async () => {
    const third = await create('post', { title: 'three' })
    const label = await create('label', { posts })
    await update('post', third, { labels: [label] }, draft)
    await crowd(label, [draft])
    await discard(label)
    expect(await listOf(label, 'posts.draft')).to.deep.equal(['one', 'two', 'three'])
    expect(await listOf(label)).to.deep.equal(['one', 'two'])
  })

  it('do not publish an unnamed owner that has the reference only in its draft', async () => {
    const label = await create('label', {})
    await update('post', posts[0], { labels: [label] }, draft)
    await update('label', label, { posts: { connect: [posts[1]] } })
    expect(await labels()).to.deep.equal([[], [label]])
    expect(await listOf(label, 'posts.draft')).to.deep.equal(['one', 'two'])
  })

  it('reserve a oneToOne target for its draft owner even if that owner is not published', async () => {
    const post = await create('post', { title: 'three' }, draft)
    const label = await create('label', { owner: post })
    await update('label', label, { owner: { connect: [post, posts[0]] } })
    expect(await partners('posts.draft')).to.deep.equal([null, null, label])
    expect(await partners()).to.deep.equal([null, null])
    await update('post', post, {})
    expect(await partners()).to.deep.equal([null, null, label])
  })

  it('do not publish changes that an owner made itself', async () => {
    const label = await create('label', { posts: [posts[0]] }, draft)
    await update('post', posts[0], { title: 'unpublished', labels: [] }, draft)
    await update('post', posts[1], { labels: [label] }, draft)
    await publish(label)
    expect(await labels()).to.deep.equal([[], []])
    await update('post', posts[0], { labels: [label] }, draft)
    await publish(label)
    expect(await labels()).to.deep.equal([[], []])
    expect((await writing.stored('posts'))[0]?.['title']).to.equal('one')
  })

  it('are undone in the drafts of the owners when the draft is discarded', async () => {
    const label = await create('label', { posts: [posts[0]], owner: posts[0] })
    await update('label', label, { posts: [posts[1]], owner: posts[1] }, draft)
    expect([await labels('posts.draft'), await partners('posts.draft')]).to.deep.equal([
      [[], [label]],
      [null, label],
    ])
    await discard(label)
    expect([await labels('posts.draft'), await partners('posts.draft')]).to.deep.equal([
      [[label], []],
      [label, null],
    ])
    await publish(label)
    expect([await labels(), await partners()]).to.deep.equal([
      [[label], []],
      [label, null],
    ])
  })

  it('keep later changes of the owner itself when the draft is discarded', async () => {
    const label = await create('label', { posts: [posts[0]], owner: posts[0] })
    const other = await create('label', {})
    await update('label', label, { posts: [], owner: null }, draft)
    await update('post', posts[0], { labels: [other], partner: other }, draft)
    await discard(label)
    expect(await partners('posts.draft')).to.deep.equal([other, null])
    expect(await labels('posts.draft')).to.deep.equal([[other, label], []])
  })

  it('are deleted from the stored draft when they are published or discarded', async () => {
    const pending = async () =>
      (await writing.stored('labels.draft')).map((stored) =>
        Object.keys(stored).includes('_pending'),
      )
    const label = await create('label', { posts: [posts[0]] }, draft)
    expect(await pending()).to.deep.equal([true])
    await publish(label)
    expect(await pending()).to.deep.equal([false])
    await update('label', label, { posts: [] }, draft)
    await discard(label)
    expect(await pending()).to.deep.equal([false])
  })

  it('let owners publish another value afterwards', async () => {
    const label = await create('label', { posts: [posts[0]] }, draft)
    await publish(label)
    await update('post', posts[0], { labels: [] }, draft)
    await update('post', posts[0], {})
    expect(await labels()).to.deep.equal([[], []])
  })

  it('let owners publish another value after only their published version changed', async () => {
    const [label, other] = [await create('label', { posts: [posts[0]] }), await create('label', {})]
    await update('post', posts[0], { labels: [] }, draft)
    await update('label', label, { posts: [] })
    await update('post', posts[0], { labels: [other] })
    expect(await labels()).to.deep.equal([[other], []])
  })
})
