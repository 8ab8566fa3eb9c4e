import { expect } from 'chai'
import type { Document } from 'mongodb'
import { createDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import { contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { published, startWriting } from './start-writing.js'

const sides = {
  likes: relation('manyToMany', 'person', { inversedBy: 'fans' }),
  fans: relation('manyToMany', 'person', { mappedBy: 'likes' }),
  boss: relation('manyToOne', 'person', { inversedBy: 'staff' }),
  staff: relation('oneToMany', 'person', { mappedBy: 'boss' }),
  twin: relation('oneToOne', 'person', { inversedBy: 'twinOf' }),
  twinOf: relation('oneToOne', 'person', { mappedBy: 'twin' }),
}

for (const drafts of [false, true])
  describe(`relations of a type to itself, ${drafts ? 'with' : 'without'} drafts`, () => {
    let writing: Writing
    let people: readonly string[]
    before(async () => {
      writing = await startWriting([contentType('person', sides, { drafts })])
    })
    after(() => writing.stop())
    beforeEach(async () => {
      await writing.clear()
      const made: string[] = []
      for (let at = 0; at < 3; at += 1)
        made.push(
          (await createDocument(writing.context, writing.type('person'), published, {})).documentId,
        )
      people = made
    })

    const id = (person: number): string => people[person] ?? ''
    const update = (person: number, data: unknown) =>
      updateDocument(writing.context, writing.type('person'), id(person), published, data)
    /** Returns the indexes of each person's targets: `[[0], [], [1]]`. */
    const edges = async (field: 'likes' | 'boss' | 'twin'): Promise<number[][]> => {
      const [shown, ...others] = await Promise.all(
        (drafts ? ['persons', 'persons.draft'] : ['persons']).map(async (collection) =>
          (await writing.stored(collection)).map((person) =>
            [person[field] as Document | Document[] | null]
              .flat()
              .flatMap((reference) =>
                reference === null ? [] : [people.indexOf(reference['documentId'] as string)],
              ),
          ),
        ),
      )
      for (const other of others) expect(other).to.deep.equal(shown)
      return shown ?? []
    }

    it('can point to the document itself, from either side', async () => {
      await update(0, { likes: [id(0), id(1)], boss: id(0), twin: id(0) })
      await update(1, { fans: { connect: [id(1)] }, staff: [id(1), id(2)], twinOf: id(1) })
      expect(await edges('likes')).to.deep.equal([[0, 1], [1], []])
      expect(await edges('boss')).to.deep.equal([[0], [1], [1]])
      expect(await edges('twin')).to.deep.equal([[0], [1], []])
    })

    it('can be written from both sides in one update', async () => {
      await update(0, { likes: [id(1)], fans: [id(0), id(2)], boss: id(1), staff: [id(2)] })
      expect(await edges('likes')).to.deep.equal([[1, 0], [], [0]])
      expect(await edges('boss')).to.deep.equal([[1], [], [0]])
      await update(1, { twin: id(0), twinOf: id(2) })
      expect(await edges('twin')).to.deep.equal([[], [0], [1]])
    })

    it('move away from the document itself like from any other', async () => {
      await update(0, { twin: id(0), staff: [id(0)] })
      await update(1, { twin: id(0), staff: [id(0)] })
      expect(await edges('twin')).to.deep.equal([[], [0], []])
      expect(await edges('boss')).to.deep.equal([[1], [], []])
      await update(0, { twinOf: id(0) })
      expect(await edges('twin')).to.deep.equal([[0], [], []])
    })

    it('disappear when the document is deleted', async () => {
      const { context, type } = writing
      await update(0, { likes: people, fans: people, staff: people, twin: id(0) })
      await update(1, { twinOf: id(2) })
      await deleteDocument(context, type('person'), id(0), published)
      expect(await edges('likes')).to.deep.equal([[], []])
      expect(await edges('boss')).to.deep.equal([[], []])
      expect(await edges('twin')).to.deep.equal([[], [1]])
      await update(1, {})
      expect(await edges('likes')).to.deep.equal([[], []])
    })
  })
