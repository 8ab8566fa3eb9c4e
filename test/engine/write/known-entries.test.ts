import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { StoreContext } from '../../../engine/write/change/components.js'
import {
  countComponents,
  emptyOf,
  storeStructure,
  withKnownEntries,
} from '../../../engine/write/change/components.js'
import { attributeOf, component, contentType, define } from '../schema/define.js'

const registry = define(
  contentType({
    ...{ name: { type: 'string' }, meta: { type: 'json' } },
    ...{ photo: { type: 'media' }, photos: { type: 'media', multiple: true } },
    about: { type: 'relation', relation: 'morphToMany' },
    topic: { type: 'relation', relation: 'morphToOne' },
    part: { type: 'component', component: 'a.part' },
    parts: { type: 'component', component: 'a.part', repeatable: true },
    needed: { type: 'component', component: 'a.part', repeatable: true, required: true },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.note'] },
  }),
  component('a.part', {
    ...{ label: { type: 'string' }, size: { type: 'integer' } },
    inner: { type: 'component', component: 'a.note', repeatable: true },
  }),
  component('a.note', { words: { type: 'string' } }),
)
const type = typeOf(registry, 'api::thing.thing')

/** What is stored of a body; new components get the ids 101, 102, … */
function stored(body: object, before?: object, former?: object) {
  let last = 100
  const context: StoreContext = {
    ...{ registry, hashes: new Map(), connectedAt: 50 },
    takeComponentId: () => (last += 1),
    find: (_, { target }) =>
      'documentId' in target ? { documentId: target.documentId, id: 1 } : undefined,
  }
  return storeStructure(
    type,
    body as Record<string, unknown>,
    before as Record<string, unknown> | undefined,
    context,
    former as Record<string, unknown> | undefined,
  )
}

describe('A structure that is stored', () => {
  it('has every field where it is new', () => {
    expect(stored({ name: 'n' })).to.deep.equal({
      ...{ name: 'n', meta: null, photo: null, photos: [], about: [], topic: null },
      ...{ part: null, parts: [], needed: null, zone: [] },
    })
  })

  it('has what the body names where it was there', () => {
    expect(stored({ name: null }, { name: 'n', meta: 1 })).to.deep.equal({ name: null })
  })

  it('holds as empty what was never written: a list that is asked for is not there yet', () => {
    const empty = (name: string) => emptyOf(attributeOf(registry, name))
    expect(['name', 'part', 'parts', 'needed', 'zone', 'photos', 'topic'].map(empty))
      .to.deep //
      .equal([null, null, [], null, [], [], null])
  })

  it('gives new components an id, in the order in which they stand', () => {
    const parts = [{ label: 'a', inner: [{ words: 'w' }] }, { label: 'b' }]
    expect(stored({ parts })).to.deep.equal({
      ...stored({}),
      parts: [
        { id: 101, label: 'a', size: null, inner: [{ id: 102, words: 'w' }] },
        { id: 103, label: 'b', size: null, inner: [] },
      ],
    })
  })

  const there = {
    part: { id: 1, label: 'l', size: 1, inner: [] },
    parts: [
      { id: 2, label: 'a', size: 2, inner: [{ id: 5, words: 'w' }] },
      { id: 3, label: 'b', size: 3, inner: [] },
    ],
  }

  it('edits components that are named by their ids, as numbers or texts, where they are', () => {
    expect(
      stored(
        {
          parts: [
            { id: '3', size: 9 },
            { id: 2, inner: [{ id: 5 }, {}] },
          ],
        },
        there,
      ),
    )
      .to //
      .deep.equal({
        parts: [
          { id: 3, label: 'b', size: 9, inner: [] },
          {
            ...{ id: 2, label: 'a', size: 2 },
            inner: [
              { id: 5, words: 'w' },
              { id: 101, words: null },
            ],
          },
        ],
      })
    expect(stored({ part: { id: 1, label: null } }, there)).to.deep.equal({
      part: { id: 1, label: null, size: 1, inner: [] },
    })
    expect(stored({ part: { label: 'new' } }, there)).to.deep.equal({
      part: { id: 101, label: 'new', size: null, inner: [] },
    })
  })

  it('takes what the published version holds of a component that the draft lost', () => {
    expect(stored({ part: { id: 1, size: 4 } }, { part: null }, there)).to.deep.equal({
      part: { id: 1, label: 'l', size: 4, inner: [] },
    })
  })

  it('refuses a component that is not there, by its place', () => {
    const refusal = (body: object, before: object = there) => {
      try {
        stored(body, before)
        return undefined
      } catch (error) {
        if (error instanceof ApiError) return [error.status, error.message, error.details]
        throw error
      }
    }
    expect(refusal({ parts: [{ id: 2 }, { id: 9 }] })).to.deep.equal([
      400,
      'Some of the provided components in parts are not related to the entity',
      { path: 'parts.1', source: 'body' },
    ])
    expect(refusal({ part: { id: 9 } }, { part: null })).to.deep.equal([
      400,
      'Some of the provided components in part are not related to the entity',
      { path: 'part', source: 'body' },
    ])
  })

  it('does not look for ids where all is new', () => {
    expect(stored({ part: { id: 9, label: 'x' } })['part']).to.deep.equal({
      ...{ id: 101, label: 'x', size: null, inner: [] },
    })
  })

  it('holds references to one or to many, polymorphic ones by their types', () => {
    const reference = { documentId: 'f1', order: 50 }
    const typed = { __type: 'api::thing.thing', documentId: 'd1' }
    expect(stored({ photo: 'f1', photos: ['f1'] }, {})).to.deep.equal({
      ...{ photo: reference, photos: [reference] },
    })
    expect(stored({ about: [typed], topic: typed }, {})).to.deep.equal({
      about: [{ ...typed, order: 50 }],
      topic: { ...typed, order: 50 },
    })
    expect(stored({ topic: null, photo: null }, { topic: { ...typed, order: 1 } })).to.deep.equal({
      ...{ topic: null, photo: null },
    })
  })
})

describe('Entries of a dynamic zone', () => {
  const before = {
    zone: [
      { __component: 'a.part', id: 1, label: 'l' },
      { __component: 'a.note', id: 2 },
    ],
  }
  const former = { zone: [{ __component: 'a.note', id: 3 }] }
  const known = (zone: unknown, there: typeof former | undefined = former) =>
    withKnownEntries(type, { name: 'n', zone }, before, there)

  it('keep the ids of those that are there, in the draft or published', () => {
    const zone = [
      ...[
        { __component: 'a.note', id: 2, words: 'w' },
        { __component: 'a.part', id: '1' },
      ],
      ...[{ __component: 'a.note', id: 3 }, { __component: 'a.note' }, 'x'],
    ]
    expect(known(zone)).to.deep.equal({ name: 'n', zone })
  })

  it('are new ones where they were copied from elsewhere, are of another component, or come again', () => {
    expect(
      known([
        ...[
          { __component: 'a.note', id: 9, words: 'w' },
          { __component: 'a.note', id: 1 },
        ],
        ...[
          { __component: 'a.note', id: 2 },
          { __component: 'a.note', id: 2 },
        ],
      ]),
    ).to.deep.equal({
      name: 'n',
      zone: [
        ...[{ __component: 'a.note', words: 'w' }, { __component: 'a.note' }],
        ...[{ __component: 'a.note', id: 2 }, { __component: 'a.note' }],
      ],
    })
    const zone = [{ __component: 'a.note', id: 3 }]
    expect(withKnownEntries(type, { zone }, before, undefined)).to.deep.equal({
      zone: [{ __component: 'a.note' }],
    })
  })

  it('are of zones alone: a body without a zone stays as it is', () => {
    for (const body of [{ name: 'n' }, { zone: null }, { parts: [{ id: 9 }] }])
      expect(withKnownEntries(type, body, before, former)).to.equal(body)
  })
})

describe('The components of a body', () => {
  it('are counted at any depth, and nothing else', () => {
    const count = (body: object) => countComponents(type, body, registry)
    expect(count({ name: 'n' })).to.equal(0)
    expect(count({ part: { inner: [{}, {}] }, parts: [{}, null, 'x'] })).to.equal(4)
    expect(count({ zone: [{ __component: 'a.part', inner: [{}] }, { __component: 'x' }] }))
      .to //
      .equal(2)
  })
})
