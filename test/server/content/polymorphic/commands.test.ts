import { expect } from 'chai'
import type { Notes } from './start-notes.js'
import { article, author, startNotes } from './start-notes.js'

type Explained = Readonly<{
  pipelines: readonly Readonly<{ purpose: string; collection: string }>[]
}>

describe('polymorphic relation', () => {
  let notes: Notes
  before(async () => {
    notes = await startNotes()
    for (let round = 0; round < 6; round += 1) {
      const title = `${round}`
      const { documentId } = await notes.make('articles', { title })
      const { documentId: writer } = await notes.make('authors', { name: title })
      await notes.make('notes', {
        text: title,
        related: [
          { __type: article, documentId },
          { __type: author, documentId: writer },
        ],
      })
    }
  })
  after(() => notes.app.stop())

  const commands = async (query: string): Promise<readonly string[]> => {
    const { body } = await notes.app.request('GET', `/api/notes?${query}&explain=execution`, {
      token: notes.app.token,
    })
    const { pipelines } = (body as { data: Explained }).data
    return pipelines.map(({ purpose, collection }) => `${purpose}: ${collection}`).sort()
  }

  it('is read with one command per target type, whatever the number of entries', async () => {
    const expected = ['populate related: articles', 'populate related: authors']
    for (const size of [1, 6]) {
      const purposes = await commands(`populate=related&pagination[pageSize]=${size}`)
      expect(purposes.filter((one) => one.startsWith('populate'))).to.deep.equal(expected)
    }
    const named = await commands(`populate[related][on][${author}]=true`)
    expect(named.filter((one) => one.startsWith('populate'))).to.deep.equal([expected[1]])
  })
})
