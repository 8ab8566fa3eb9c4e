import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { typeOf } from '../../../engine/schema/registry.js'
import {
  type StoreContext,
  countComponents,
  emptyOf,
  storeStructure,
  withKnownEntries,
} from '../../../engine/write/change/store-structure.js'
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

/** Returns the stored fields for a body. New components get the ids 101, 102, … */
function stored(body: object, before?: object, published?: object) {
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
    published as Record<string, unknown> | undefined,
  )
}

describe('storeStructure', () => {
  it('returns every field for a new structure', () => {
    expect(stored({ name: 'n' })).to.deep.equal({
      ...{ name: 'n', meta: null, photo: null, photos: [], about: [], topic: null },
      ...{ part: null, parts: [], needed: null, zone: [] },
    })
  })

  it('returns only the fields that the body names for an existing structure', () => {
    expect(stored({ name: null }, { name: 'n', meta: 1 })).to.deep.equal({ name: null })
  })

  it('uses null or an empty list for attributes without a value, and null for a required list', () => {
    const empty = (name: string) => emptyOf(attributeOf(registry, name))
    expect(['name', 'part', 'parts', 'needed', 'zone', 'photos', 'topic'].map(empty))
      .to.deep //
      .equal([null, null, [], null, [], [], null])
  })

  it('gives new components ids in the order of the body', () => {
    const parts = [{ label: 'a', inner: [{ words: 'w' }] }, { label: 'b' }]
    expect(stored({ parts })).to.deep.equal({
      ...stored({}),
      parts: [
        { id: 101, label: 'a', size: null, inner: [{ id: 102, words: 'w' }] },
        { id: 103, label: 'b', size: null, inner: [] },
      ],
    })
  })

  const current = {
    part: { id: 1, label: 'l', size: 1, inner: [] },
    parts: [
      { id: 2, label: 'a', size: 2, inner: [{ id: 5, words: 'w' }] },
      { id: 3, label: 'b', size: 3, inner: [] },
    ],
  }

  it('updates existing components by id in place, with ids as numbers or strings', () => {
    expect(
      stored(
        {
          parts: [
            { id: '3', size: 9 },
            { id: 2, inner: [{ id: 5 }, {}] },
          ],
        },
        current,
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
    expect(stored({ part: { id: 1, label: null } }, current)).to.deep.equal({
      part: { id: 1, label: null, size: 1, inner: [] },
    })
    expect(stored({ part: { label: 'new' } }, current)).to.deep.equal({
      part: { id: 101, label: 'new', size: null, inner: [] },
    })
  })

  it('starts from the published component if the draft no longer has it', () => {
    expect(stored({ part: { id: 1, size: 4 } }, { part: null }, current)).to.deep.equal({
      part: { id: 1, label: 'l', size: 4, inner: [] },
    })
  })

  it('rejects an unknown component id with its path', () => {
    const refusal = (body: object, before: object = current) => {
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

  it('ignores component ids if the structure is new', () => {
    expect(stored({ part: { id: 9, label: 'x' } })['part']).to.deep.equal({
      ...{ id: 101, label: 'x', size: null, inner: [] },
    })
  })

  it('stores one or many references, polymorphic ones with their types', () => {
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

describe('withKnownEntries', () => {
  const before = {
    zone: [
      { __component: 'a.part', id: 1, label: 'l' },
      { __component: 'a.note', id: 2 },
    ],
  }
  const published = { zone: [{ __component: 'a.note', id: 3 }] }
  const known = (zone: unknown, current: typeof published | undefined = published) =>
    withKnownEntries(type, { name: 'n', zone }, before, current)

  it('keeps the ids of entries that the draft or the published version has', () => {
    const zone = [
      ...[
        { __component: 'a.note', id: 2, words: 'w' },
        { __component: 'a.part', id: '1' },
      ],
      ...[{ __component: 'a.note', id: 3 }, { __component: 'a.note' }, 'x'],
    ]
    expect(known(zone)).to.deep.equal({ name: 'n', zone })
  })

  it('removes ids that are unknown, of another component, or repeated', () => {
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

  it('returns a body without a dynamic zone unchanged', () => {
    for (const body of [{ name: 'n' }, { zone: null }, { parts: [{ id: 9 }] }])
      expect(withKnownEntries(type, body, before, published)).to.equal(body)
  })
})

describe('countComponents', () => {
  it('counts components at any depth', () => {
    const count = (body: object) => countComponents(type, body, registry)
    expect(count({ name: 'n' })).to.equal(0)
    expect(count({ part: { inner: [{}, {}] }, parts: [{}, null, 'x'] })).to.equal(4)
    expect(count({ zone: [{ __component: 'a.part', inner: [{}] }, { __component: 'x' }] }))
      .to //
      .equal(2)
  })
})
