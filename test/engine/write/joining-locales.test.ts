import { expect } from 'chai'
import type { Document } from 'mongodb'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { component, contentType, i18n } from './model.js'
import type { Writing } from './start-writing.js'
import { inLocale, published, refusal, startWriting } from './start-writing.js'

const field = { label: { type: 'string', required: true }, rank: { type: 'integer', default: 1 } }

for (const drafts of [false, true])
  describe(`new locale of a document ${drafts ? 'with' : 'without'} drafts`, () => {
    let writing: Writing
    let id: string
    let english: Document
    before(async () => {
      writing = await startWriting([
        component('page.part', field),
        contentType(
          'page',
          {
            title: { type: 'string', pluginOptions: i18n },
            part: { type: 'component', component: 'page.part' },
            parts: { type: 'component', component: 'page.part', repeatable: true },
            own: { type: 'component', component: 'page.part', pluginOptions: i18n },
            files: { type: 'media', multiple: true },
          },
          { drafts, localized: true },
        ),
      ])
    })
    after(() => writing.stop())
    beforeEach(async () => {
      await writing.clear()
      const file = (documentId: string, _id: number) => ({ _id: _id as never, documentId })
      await writing.db
        .collection('upload_files')
        .insertMany([file('fileone', 1), file('filetwo', 2)])
      const { context, type } = writing
      const part = { label: 'a', rank: 7 }
      const data = { part, parts: [part, { label: 'b' }], own: part, files: ['fileone'] }
      id = (await createDocument(context, type('page'), published, data)).documentId
      english = await version('en')
    })

    const join = (data: unknown) =>
      updateDocument(writing.context, writing.type('page'), id, inLocale('fr'), data)
    const version = async (locale: string): Promise<Document> =>
      (await writing.stored('pages')).find((page) => page['locale'] === locale) ?? {}
    const ids = (parts: unknown) => (parts as { id: number }[]).map((part) => part.id)

    it('updates shared components and media in place, in all locales', async () => {
      const [first, second] = ids(english['parts'])
      await join({
        part: { id: (english['part'] as { id: number }).id, label: 'A' },
        parts: [{ id: second }, { id: first, label: 'A' }],
        files: { connect: ['filetwo'] },
      })
      for (const locale of ['en', 'fr']) {
        const { part, parts, files } = await version(locale)
        expect(part).to.deep.equal({ ...english['part'], label: 'A' })
        expect(parts).to.deep.equal([
          { id: second, label: 'b', rank: 1 },
          { id: first, label: 'A', rank: 7 },
        ])
        expect((files as Document[]).map(({ documentId }) => documentId as string)).to.deep.equal([
          'fileone',
          'filetwo',
        ])
      }
    })

    it('gets its own localized components, ignoring the ids that are sent', async () => {
      await join({ own: { id: (english['own'] as { id: number }).id, label: 'c' } })
      const own = (await version('fr'))['own'] as Document
      expect(own).to.deep.equal({ id: own['id'] as number, label: 'c', rank: 1 })
      expect(own['id']).not.to.equal((english['own'] as Document)['id'])
      expect((await version('en'))['own']).to.deep.equal(english['own'])
    })

    it('rejects component ids that no locale has or that are sent twice', async () => {
      expect(await refusal(join({ part: { id: 12345, label: 'x' } }))).to.include({
        message: 'Some of the provided components in part are not related to the entity',
      })
      const [first] = ids(english['parts'])
      expect(await refusal(join({ parts: [{ id: first }, { id: first }] }))).to.include({
        message: 'parts[1].id names a component that is there already',
      })
      expect(await refusal(join({ parts: [{ id: first }, {}] }))).to.include({ status: 400 })
      expect(await version('fr')).to.deep.equal({})
    })
  })
