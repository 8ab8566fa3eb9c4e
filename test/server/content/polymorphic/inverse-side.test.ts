import { expect } from 'chai'
import { repairContent } from '../../../../engine/repair.js'
import { eventually } from '../../database/support.js'
import type { Notes, Shown } from './start-notes.js'
import { article, author, namesIn, startNotes } from './start-notes.js'

const texts = (shown: unknown): readonly unknown[] =>
  (shown as readonly Shown[]).map(({ text }) => text)

describe('inverse side of a polymorphic relation', () => {
  let notes: Notes
  let rain: Shown
  let sun: Shown
  let ana: Shown
  const to = (type: string, { documentId }: Shown) => ({ __type: type, documentId })
  before(async () => {
    notes = await startNotes({ 'api.rest.wrapFilteredRelations': true })
    rain = await notes.make('articles', { title: 'Rain' })
    sun = await notes.make('articles', { title: 'Sun' })
    ana = await notes.make('authors', { name: 'Ana' })
    const items = [to(article, rain), to(author, ana)]
    await notes.make('notes', { text: 'A', related: items, about: to(article, rain) })
    await notes.make('notes', { text: 'B', related: [to(article, rain), to(article, sun)] })
    await notes.make('notes', { text: 'C', related: [to(author, ana)], about: to(author, ana) })
  })
  after(() => notes.app.stop())

  it('shows the entries that refer to it in the order they were connected', async () => {
    const path = `articles/${rain.documentId}`
    const shown = await notes.get(`${path}?populate=notes,mainNote`)
    expect(texts(shown['notes'])).to.deep.equal(['A', 'B'])
    const main = shown['mainNote'] as Shown
    expect(Object.keys(main)).to.deep.equal([
      ...['id', 'documentId', 'text', 'createdAt', 'updatedAt', 'publishedAt'],
    ])
    const { notes: none, mainNote } = await notes.get(`articles/${sun.documentId}?populate=*`)
    expect(texts(none)).to.deep.equal(['B'])
    expect(mainNote).to.equal(null)
    const { notes: hers, about } = await notes.get(`authors/${ana.documentId}?populate=notes,about`)
    expect([texts(hers), texts(about)]).to.deep.equal([['A', 'C'], ['C']])
  })

  it('is filtered, sorted, counted and populated further like any relation', async () => {
    const list = async (query: string): Promise<readonly unknown[]> => {
      const { body } = await notes.app.request('GET', `/api/articles?${query}`, {
        token: notes.app.token,
      })
      return (body as { data: readonly Shown[] }).data.map(({ title }) => title)
    }
    expect(await list('filters[notes][text]=B')).to.deep.equal(['Rain', 'Sun'])
    expect(await list('filters[notes][text]=A')).to.deep.equal(['Rain'])
    expect(await list('filters[notes][text]=C')).to.deep.equal([])
    expect(await list('filters[mainNote][$null]=true')).to.deep.equal(['Sun'])
    expect(await list('sort=mainNote.text:desc')).to.deep.equal(['Rain', 'Sun'])
    expect(await list('sort=mainNote.text')).to.deep.equal(['Sun', 'Rain'])
    const path = `articles/${rain.documentId}`
    const counted = await notes.get(`${path}?populate[notes][count]=true`)
    expect(counted['notes']).to.deep.equal({ count: 2 })
    const sorted = await notes.get(`${path}?populate[notes][sort]=text:desc`)
    expect(texts((sorted['notes'] as { data: unknown }).data)).to.deep.equal(['B', 'A'])
    const deep = await notes.get(`${path}?populate[notes][populate]=related`)
    expect(
      (deep['notes'] as readonly Shown[]).map(({ related }) => namesIn(related)),
    ).to.deep.equal([
      ['article Rain', 'author Ana'],
      ['article Rain', 'article Sun'],
    ])
  })
})

describe('polymorphic relation written from its inverse side', () => {
  let notes: Notes
  let named: Readonly<Record<'A' | 'B' | 'C', Shown>>
  beforeEach(async () => {
    notes = await startNotes()
    named = {
      A: await notes.make('notes', { text: 'A' }),
      B: await notes.make('notes', { text: 'B' }),
      C: await notes.make('notes', { text: 'C' }),
    }
  })
  afterEach(() => notes.app.stop())

  const related = async ({ documentId }: Shown, query = ''): Promise<readonly string[]> =>
    namesIn((await notes.get(`notes/${documentId}?populate=related${query}`))['related'])

  it('adds its entry to the lists of other entries and removes it', async () => {
    const { A, B, C } = named
    const rain = await notes.make('articles', {
      title: 'Rain',
      notes: [A.documentId, B.documentId],
    })
    const ana = await notes.make('authors', { name: 'Ana', notes: [{ id: A.id }] })
    const path = `articles/${rain.documentId}`
    const shown = async () => texts((await notes.get(`${path}?populate=notes`))['notes'])
    expect(await shown()).to.deep.equal(['A', 'B'])
    expect(await related(A)).to.deep.equal(['article Rain', 'author Ana'])
    const before = { before: { documentId: B.documentId } }
    await notes.put(path, { notes: { connect: [{ documentId: C.documentId, position: before }] } })
    expect(await shown()).to.deep.equal(['A', 'C', 'B'])
    await notes.put(path, { notes: { disconnect: [A.documentId] } })
    expect(await shown()).to.deep.equal(['C', 'B'])
    expect(await related(A)).to.deep.equal(['author Ana'])
    await notes.put(path, { notes: { set: [A.documentId] } })
    expect([await related(A), await related(B), await related(C)]).to.deep.equal([
      ...[['author Ana', 'article Rain'], [], []],
    ])
    await notes.put(`authors/${ana.documentId}`, { notes: null })
    expect(await related(A)).to.deep.equal(['article Rain'])
  })

  it('has one entry at a time as morphOne, or if stored as morphToOne', async () => {
    const { A, B } = named
    const rain = await notes.make('articles', { title: 'Rain', mainNote: A.documentId })
    const sun = await notes.make('articles', { title: 'Sun' })
    const main = async ({ documentId }: Shown): Promise<unknown> =>
      (((await notes.get(`articles/${documentId}?populate=mainNote`))['mainNote'] ?? {}) as Shown)[
        'text'
      ]
    const about = async ({ documentId }: Shown): Promise<unknown> =>
      ((await notes.get(`notes/${documentId}?populate=about`))['about'] as Shown | null)?.['title']
    expect([await main(rain), await about(A)]).to.deep.equal(['A', 'Rain'])
    await notes.put(`articles/${rain.documentId}`, { mainNote: B.documentId })
    expect([await main(rain), await about(A), await about(B)]).to.deep.equal([
      'B',
      undefined,
      'Rain',
    ])
    await notes.put(`articles/${sun.documentId}`, { mainNote: B.documentId })
    expect([await main(rain), await main(sun), await about(B)]).to.deep.equal([
      undefined,
      'B',
      'Sun',
    ])
    await notes.put(`articles/${sun.documentId}`, { mainNote: null })
    expect([await main(sun), await about(B)]).to.deep.equal([undefined, undefined])
  })

  it('changes only drafts if written as a draft, until that is published or discarded', async () => {
    const { A } = named
    const rain = await notes.make('articles', { title: 'Rain' })
    const path = `articles/${rain.documentId}`
    await notes.put(`${path}?status=draft`, { notes: [A.documentId] })
    const both = async () => [await related(A), await related(A, '&status=draft')]
    expect(await both()).to.deep.equal([[], ['article Rain']])
    const act = (action: string) =>
      notes.app.request('POST', `/api/${path}/actions/${action}`, { token: notes.app.token })
    await act('discard-draft')
    expect(await both()).to.deep.equal([[], []])
    await notes.put(`${path}?status=draft`, { notes: [A.documentId] })
    await act('publish')
    expect(await both()).to.deep.equal([['article Rain'], ['article Rain']])
  })

  it('keeps targets of other types', async () => {
    const { A } = named
    const rain = await notes.make('articles', { title: 'Rain', notes: [A.documentId] })
    const ana = await notes.make('authors', { name: 'Ana', notes: [A.documentId] })
    await notes.put(`articles/${rain.documentId}`, { notes: [] })
    expect(await related(A)).to.deep.equal(['author Ana'])
    await notes.app.request('DELETE', `/api/authors/${ana.documentId}`, { token: notes.app.token })
    expect(await related(A)).to.deep.equal([])
  })

  it('removes references to deleted entries, also in components and zones, and on repair', async () => {
    const ana = await notes.make('authors', { name: 'Ana' })
    const rain = await notes.make('articles', { title: 'Rain' })
    const item = { __type: author, documentId: ana.documentId }
    const other = { __type: article, documentId: rain.documentId }
    const made = await notes.make('notes', {
      ...{ related: [item, other], about: item, link: { to: item } },
      parts: [
        { __component: 'shared.links', to: [other, item] },
        { __component: 'shared.link', to: item },
      ],
    })
    const { db, registry } = notes.app.quire.services
    const stored = async () => {
      const { related, about, link, parts, _refs } = (await db
        .collection('notes')
        .findOne({ documentId: made.documentId })) as unknown as Record<string, { to: unknown }>
      const lists = parts as unknown as readonly { to: unknown }[]
      return JSON.stringify([related, about, link?.to, lists.map(({ to }) => to), _refs])
    }
    expect(await stored()).to.contain(ana.documentId)
    await notes.app.request('DELETE', `/api/authors/${ana.documentId}`, { token: notes.app.token })
    await eventually(async () => !(await stored()).includes(ana.documentId))
    expect(await stored()).to.contain(rain.documentId)
    // Imitates an interrupted delete, whose remains the repair must find.
    await db.collection('articles').deleteMany({})
    await db.collection('articles.draft').deleteMany({})
    const found: object[] = []
    const repair = () =>
      repairContent({
        ...{ db, registry: registry(), repairs: true },
        found: (finding) => void found.push(finding),
      })
    await repair()
    expect(found).to.deep.include({
      ...{
        kind: 'missing-target',
        collection: 'notes',
        documentId: rain.documentId,
        repaired: true,
      },
    })
    expect(await stored()).to.not.contain(rain.documentId)
    found.length = 0
    await repair()
    expect(found).to.deep.equal([])
  })
})
