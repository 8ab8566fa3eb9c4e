import { expect } from 'chai'
import type { OwningAttribute } from '../../../engine/schema/attribute.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type {
  InverseChange,
  OwnerChange,
  PendingEdge,
} from '../../../engine/write/change/change.js'
import type { PendingGroup } from '../../../engine/write/change/pending-edges.js'
import {
  discardPending,
  groupPending,
  pendingAfter,
  publishPending,
} from '../../../engine/write/change/pending-edges.js'
import { museum } from '../recorded/museum.js'

const work = typeOf(museum, 'api::work.work')
const room = typeOf(museum, 'api::room.room')
const artist = work.attributes.get('artist') as OwningAttribute
const rooms = work.attributes.get('rooms') as OwningAttribute

const edge = (documentId: string, order: number | null, more: Partial<PendingEdge> = {}) => ({
  ...{ owner: work.uid, field: 'artist', locale: 'en', documentId, order },
  ...more,
})
const group = (...edges: readonly PendingEdge[]): PendingGroup => ({
  ...{ owner: work, attribute: artist, locale: 'en', edges },
})
const places = (orders: Readonly<Record<string, number>>) =>
  Object.entries(orders).map(([documentId, order]) => ({ documentId, order }))
const none: OwnerChange = { orders: new Map(), moved: new Set(), removed: [] }
const changeOf = (orders: Readonly<Record<string, number>>, removed: readonly string[] = []) => ({
  ...{ orders: new Map(Object.entries(orders)), moved: new Set(Object.keys(orders)), removed },
})

describe('pendingAfter', () => {
  const change = (more: object = {}): InverseChange => ({
    ...{ owner: work, attribute: artist, locale: 'en', published: none },
    drafts: { ...changeOf({ w1: 1, w2: 2 }, ['w3']), moved: new Set(['w2']) },
    ...more,
  })

  it('contains moved owners with their order, and removed owners', () => {
    expect(pendingAfter([], [change()])).to.deep.equal([edge('w3', null), edge('w2', 2)])
  })

  it('keeps the latest edit of each owner in each locale and attribute', () => {
    const before = [edge('w2', null), edge('w3', 7), edge('w3', 8, { locale: 'fr' })]
    const other = edge('w2', 9, { field: 'owner' })
    expect(pendingAfter([...before, other], [change()])).to.deep.equal([
      ...[edge('w2', 2), edge('w3', null), before[2], other],
    ])
  })

  it('excludes owners of types without drafts', () => {
    expect(pendingAfter([edge('w9', 1)], [change({ published: undefined })])).to.deep.equal([
      edge('w9', 1),
    ])
  })
})

describe('groupPending', () => {
  it('groups edits by the type, attribute and locale of the owners', () => {
    const edges = [
      ...[edge('w1', 1), edge('w1', 2, { locale: 'fr' }), edge('w2', null)],
      edge('w1', 4, { field: 'rooms' }),
    ]
    expect(groupPending(edges, museum.contentTypes)).to.deep.equal([
      { owner: work, attribute: artist, locale: 'en', edges: [edges[0], edges[2]] },
      { owner: work, attribute: artist, locale: 'fr', edges: [edges[1]] },
      { owner: work, attribute: rooms, locale: 'en', edges: [edges[3]] },
    ])
  })

  it('drops edits of types and attributes that the schema no longer has', () => {
    const edges = [
      ...[edge('w1', 1, { owner: 'api::gone.gone' }), edge('w1', 1, { field: 'gone' })],
      ...[edge('w1', 1, { field: 'title' }), edge('w1', 1, { field: 'original' })],
      // Rooms have no drafts, so edits are not recorded for them.
      edge('r1', 1, { owner: room.uid, field: 'guard', locale: null }),
    ]
    expect(groupPending(edges, museum.contentTypes)).to.deep.equal([])
    expect(groupPending([], museum.contentTypes)).to.deep.equal([])
  })
})

describe('publishPending', () => {
  const publish = (
    drafts: Readonly<Record<string, number>>,
    live: Readonly<Record<string, number>>,
    ...edges: readonly PendingEdge[]
  ) => publishPending(group(...edges), new Map(Object.entries(drafts)), places(live))

  it('gives published owners the order of their drafts, and removes disconnected ones', () => {
    const { drafts, published, ...more } = publish(
      ...[{ w1: 5 }, { w2: 3 }, edge('w1', 5), edge('w2', null)],
    )
    expect(more).to.deep.equal({ owner: work, attribute: artist, locale: 'en' })
    expect(drafts).to.deep.equal(none)
    expect(published).to.deep.equal(changeOf({ w1: 5 }, ['w2']))
  })

  it('ignores owners that changed the relation themselves since', () => {
    const edges = [edge('w1', 5), edge('w2', null), edge('w3', 6)]
    expect(publish({ w1: 4, w2: 1 }, { w2: 3 }, ...edges).published).to.deep.equal(none)
  })

  it('changes only published owners that differ', () => {
    const edges = [edge('w1', 5), edge('w2', null)]
    expect(publish({ w1: 5 }, { w1: 5 }, ...edges).published).to.deep.equal(none)
    expect(publish({ w1: 5 }, { w1: 4 }, ...edges).published).to.deep.equal(changeOf({ w1: 5 }))
  })
})

describe('discardPending', () => {
  const discard = (
    drafts: Readonly<Record<string, number>>,
    live: Readonly<Record<string, number>>,
    ...edges: readonly PendingEdge[]
  ) => discardPending(group(...edges), places(drafts), places(live))

  it('restores the published order, or removes the reference', () => {
    const { drafts, published, ...more } = discard(
      ...[{ w1: 5, w2: 6 }, { w2: 2, w3: 3 }, edge('w1', 5), edge('w2', 6), edge('w3', null)],
    )
    expect(more).to.deep.equal({ owner: work, attribute: artist, locale: 'en' })
    expect(published).to.deep.equal(none)
    expect(drafts).to.deep.equal({ ...changeOf({ w2: 2, w3: 3 }, ['w1']), restores: true })
  })

  it('ignores owners that changed the relation since, or that equal their published version', () => {
    const edges = [edge('w1', 5), edge('w2', null), edge('w3', 7), edge('w4', null)]
    const { drafts } = discard({ w1: 4, w2: 1, w3: 7 }, { w1: 1, w3: 7 }, ...edges)
    expect(drafts).to.deep.equal({ ...none, restores: true })
  })
})
