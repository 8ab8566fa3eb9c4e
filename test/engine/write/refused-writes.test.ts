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
  describe(`write that takes targets of another owner, ${drafts ? 'with' : 'without'} drafts`, () => {
    let writing: Writing
    let label: string
    let currentOwner: string
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
      currentOwner = (await create({ slug: 'currentOwner', partner: label, parts: [label] }))
        .documentId
    })

    const create = (data: unknown) =>
      createDocument(writing.context, writing.type('post'), published, data)
    const collections = () => (drafts ? ['posts.draft', 'posts'] : ['posts'])
    const of = async (documentId: string): Promise<Document[]> => {
      const lists = await Promise.all(collections().map((name) => writing.stored(name)))
      return lists.flat().filter((post) => post['documentId'] === documentId)
    }
    /** Another document takes the slug between the uniqueness check and the write. */
    const withRival = (slug: string) => ({
      ...writing.context,
      db: beforeWriting(writing.db, 'posts', async () => {
        const rival = { _id: -1 as never, documentId: 'rival', locale: null, slug, _revision: 1 }
        await writing.db.collection('posts').insertOne(rival)
      }),
    })
    const wanted = () => ({ slug: 'wanted', partner: label, parts: [label] })

    it('takes nothing from the other owner if a create fails at the end', async () => {
      const before = await of(currentOwner)
      const write = createDocument(withRival('wanted'), writing.type('post'), published, wanted())
      expect(await refusal(write)).to.include({ status: 400 })
      expect(await of(currentOwner)).to.deep.equal(before)
      const left = (await writing.stored('posts')).map((post) => post['documentId'] as string)
      expect(left.sort()).to.deep.equal([currentOwner, 'rival'].sort())
    })

    it('takes nothing from the other owner if an update fails at the end', async () => {
      const other = (await create({ slug: 'other' })).documentId
      const before = [await of(currentOwner), (await of(other)).map(plain)]
      const write = updateDocument(
        withRival('wanted'),
        writing.type('post'),
        other,
        published,
        wanted(),
      )
      expect(await refusal(write)).to.include({ status: 400 })
      expect([await of(currentOwner), (await of(other)).map(plain)]).to.deep.equal(before)
    })

    it('takes all targets and returns the new revision if it succeeds', async () => {
      const other = await create(wanted())
      for (const post of await of(currentOwner))
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
      it('gives the targets back when the draft that took them is discarded', async () => {
        const { context, type } = writing
        const other = await create({ slug: 'other' })
        await updateDocument(context, type('post'), other.documentId, draft, wanted())
        await actOnDocument(context, type('post'), currentOwner, draft, 'discard-draft')
        const [mine, live] = await of(currentOwner)
        // Restored relations get a new order, so only the documentIds are compared.
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

describe('value that all locales share', () => {
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
    it(`stays unchanged in all locales if one of them rejects the new value (${name})`, async () => {
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

/** Calls `act` once, just before the first write to a collection. */
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
