import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { actOnDocument, createDocument, updateDocument } from '../../../engine/write.js'
import { contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, plain, published, refusal, startWriting } from './start-writing.js'

const sides = {
  slug: { type: 'string', unique: true },
  partner: relation('oneToOne', 'label', { inversedBy: 'owner' }),
  parts: relation('oneToMany', 'label', { inversedBy: 'whole' }),
}
const inverse = (target: string) => ({
  owner: relation('oneToOne', target, { mappedBy: 'partner' }),
  whole: relation('manyToOne', target, { mappedBy: 'parts' }),
})

for (const drafts of [false, true])
  describe(`A write that is refused at last, ${drafts ? 'with' : 'without'} drafts`, () => {
    let writing: Writing
    let label: string
    let holder: string
    before(async () => {
      writing = await startWriting([
        contentType('post', sides, { drafts }),
        contentType('label', inverse('post'), { drafts }),
      ])
    })
    after(() => writing.stop())
    beforeEach(async () => {
      await writing.clear()
      const { context, type } = writing
      label = (await createDocument(context, type('label'), published, {})).documentId
      holder = (await create({ slug: 'holder', partner: label, parts: [label] })).documentId
    })

    const create = (data: unknown) =>
      createDocument(writing.context, writing.type('post'), published, data)
    const collections = () => (drafts ? ['posts.draft', 'posts'] : ['posts'])
    const of = async (documentId: string): Promise<Document[]> => {
      const lists = await Promise.all(collections().map((name) => writing.stored(name)))
      return lists.flat().filter((post) => post['documentId'] === documentId)
    }
    /** A context in which somebody takes a slug after it was checked and before it is written. */
    const beaten = (slug: string) => ({
      ...writing.context,
      db: beforeWriting(writing.db, 'posts', async () => {
        const rival = { _id: -1 as never, documentId: 'rival', locale: null, slug, _revision: 1 }
        await writing.db.collection('posts').insertOne(rival)
      }),
    })
    const wanted = () => ({ slug: 'wanted', partner: label, parts: [label] })

    it('takes nothing from former owners when it creates', async () => {
      const before = await of(holder)
      const write = createDocument(beaten('wanted'), writing.type('post'), published, wanted())
      expect(await refusal(write)).to.include({ status: 400 })
      expect(await of(holder)).to.deep.equal(before)
      const left = (await writing.stored('posts')).map((post) => post['documentId'] as string)
      expect(left.sort()).to.deep.equal([holder, 'rival'].sort())
    })

    it('takes nothing from former owners when it updates', async () => {
      const other = (await create({ slug: 'other' })).documentId
      const before = [await of(holder), (await of(other)).map(plain)]
      const write = updateDocument(
        beaten('wanted'),
        writing.type('post'),
        other,
        published,
        wanted(),
      )
      expect(await refusal(write)).to.include({ status: 400 })
      expect([await of(holder), (await of(other)).map(plain)]).to.deep.equal(before)
    })

    it('would have taken everything otherwise, and says at which revision', async () => {
      const other = await create(wanted())
      for (const post of await of(holder))
        expect(post).to.deep.include({ partner: null, parts: [] })
      const versions = await of(other.documentId)
      expect(versions).to.have.length(collections().length)
      for (const post of versions)
        expect([post['partner'], ...(post['parts'] as Document[])]).to.have.length(2)
      for (const reference of versions.flatMap((post) => [
        post['partner'] as Document,
        ...(post['parts'] as Document[]),
      ]))
        expect(reference['documentId']).to.equal(label)
      expect(versions.at(-1)?.['_revision']).to.equal(other.revision)
    })

    if (drafts)
      it('gives back what a draft took when the draft is discarded', async () => {
        const { context, type } = writing
        const other = await create({ slug: 'other' })
        await updateDocument(context, type('post'), other.documentId, draft, wanted())
        await actOnDocument(context, type('post'), holder, draft, 'discard-draft')
        const [mine, live] = await of(holder)
        // What it connects again is connected now.
        const shown = (post: Document | undefined) => ({
          ...plain(post),
          partner: (post?.['partner'] as Document)['documentId'] as string,
          parts: (post?.['parts'] as Document[]).map(({ documentId }) => documentId as string),
        })
        expect(shown(mine)).to.deep.equal(shown(live))
        const [theirs] = await of(other.documentId)
        expect(theirs).to.deep.include({ partner: null, parts: [] })
      })
  })

describe('A value that all locales share', () => {
  let writing: Writing
  before(async () => {
    const unique = { code: { type: 'string', unique: true } }
    writing = await startWriting([
      contentType('item', unique, { drafts: true, localized: true }),
      contentType('thing', unique, { localized: true }),
    ])
  })
  after(() => writing.stop())

  for (const name of ['item', 'thing'])
    it(`is refused in all of them where one refuses it (${name})`, async () => {
      const { context, type, db, stored } = writing
      const { documentId } = await createDocument(context, type(name), published, { code: 'a' })
      for (const locale of ['de', 'fr'])
        await updateDocument(context, type(name), documentId, inLocale(locale), {})
      const all = async () => [
        ...(await stored(`${name}s`)),
        ...(name === 'item' ? await stored('items.draft') : []),
      ]
      const before = (await all()).map(plain)
      const rival = { _id: -1 as never, documentId: 'rival', locale: 'fr', code: 'b', _revision: 1 }
      const racing = beforeWriting(db, `${name}s`, async () => {
        await db.collection(`${name}s`).insertOne(rival)
      })
      const write = { ...context, db: racing }
      const refused = await refusal(
        updateDocument(write, type(name), documentId, published, { code: 'b' }),
      )
      expect(refused).to.include({ status: 400, message: 'This attribute must be unique' })
      await db.collection(`${name}s`).deleteOne({ documentId: 'rival' })
      expect((await all()).map(plain)).to.deep.equal(before)
      await updateDocument(context, type(name), documentId, published, { code: 'c' })
      expect(new Set((await all()).map(({ code }) => code as string))).to.deep.equal(new Set('c'))
    })
})

/** A database that does something once, just before the first write to a collection. */
function beforeWriting(db: Db, name: string, act: () => Promise<void>): Db {
  let isDone = false
  const collection = (wanted: string) => {
    const real = db.collection(wanted)
    if (wanted !== name) return real
    return new Proxy(real, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        if (!['insertOne', 'updateOne', 'findOneAndUpdate', 'bulkWrite'].includes(String(key)))
          return (...given: unknown[]): unknown => Reflect.apply(member, target, given)
        return async (...given: unknown[]): Promise<unknown> => {
          if (!isDone) {
            isDone = true
            await act()
          }
          return Reflect.apply(member, target, given) as unknown
        }
      },
    })
  }
  return Object.create(db, { collection: { value: collection } }) as Db
}
