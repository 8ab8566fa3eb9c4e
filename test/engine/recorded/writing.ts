import type {
  Change,
  InverseChange,
  TakenTargets,
  Version,
} from '../../../engine/write/change/change.js'
import type { RelationAttribute } from '../../../engine/schema/attribute.js'
import { referencePlaces } from '../../../engine/schema/reference-places.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { planDiscard } from '../../../engine/write/plan/plan-discard.js'
import { planSave } from '../../../engine/write/plan/plan-save.js'
import { planRemovals } from '../../../engine/write/plan/plan-removal.js'
import { planRepair } from '../../../engine/repair/plan-repair.js'
import { museum } from './museum.js'
import { createShop } from './shop.js'

const now = 1_700_000_000_000
const at = (later: number): Date => new Date(now + later)
const work = typeOf(museum, 'api::work.work')
const artist = typeOf(museum, 'api::artist.artist')
const room = typeOf(museum, 'api::room.room')
const relationOf = (type: typeof work, name: string) =>
  type.attributes.get(name) as RelationAttribute

const draft = (more: object = {}): Version => ({
  ...{ _id: 5, documentId: 'w1', locale: 'en', _revision: 40, updatedAt: at(-500) },
  ...{
    createdAt: at(-1000),
    publishedAt: null,
    createdBy: { documentId: 'admin' },
    title: 'old',
    year: 1,
  },
  ...more,
})

const change = (more: Partial<Change> = {}): Change => ({
  ...{ type: work, documentId: 'w1', locale: 'en', before: undefined, createsDocument: true },
  ...{ publish: false, conditional: false, values: { title: 'new' } },
  ...{ content: { title: 'new', year: 1 }, stamps: {}, common: [], shared: [], inverse: [] },
  ...{ takeOvers: [], pending: [], settles: false, actor: null, now, connectedAt: now + 0.5 },
  ...{ places: referencePlaces(work, museum) },
  ...more,
})

const takeOver: TakenTargets = {
  attribute: relationOf(work, 'sequel'),
  targets: [{ documentId: 'w2', order: 3 }],
  all: [
    { documentId: 'w2', order: 3 },
    { documentId: 'w3', order: 4 },
  ],
}
const owners = (more: object = {}) => ({
  orders: new Map([
    ['w7', 1],
    ['w8', 2],
  ]),
  moved: new Set(['w8']),
  removed: ['w9'],
  ...more,
})
const inverse: InverseChange = {
  ...{ owner: work, attribute: relationOf(work, 'artist'), locale: 'en' },
  ...{ drafts: owners(), published: owners({ restores: true, removed: [] }) },
}

const ids = (): (() => number) => {
  let last = 100
  return () => (last += 1)
}
const save = (more: Partial<Change>, published?: Version) => () =>
  planSave(change(more), published, ids())

const stamped = { stamps: { year: 9, artist: 8 }, common: ['year'], shared: ['year'] }
const pending: Change['pending'] = [
  { owner: 'api::work.work', field: 'artist', locale: 'en', documentId: 'w7', order: 1 },
]
const published = (more: object = {}): Version =>
  draft({ _id: 6, _publishedFrom: 39, _stamps: { artist: 10, year: 2 }, ...more })

const difference =
  (from: object, stamps: Record<string, number> = {}, common: string[] = []) =>
  (): unknown => {
    const content = { title: 'new', year: 1, notes: { a: 1, b: 2 } }
    const wanted = { before: draft(), publish: true, content, stamps, common }
    return planSave(change(wanted), published(from), ids()).publication?.difference
  }

const discard =
  (more: Partial<Parameters<typeof planDiscard>[3]> = {}, draftHas: object = {}) =>
  () =>
    planDiscard(work, draft({ title: 'changed', ...draftHas }), published(), {
      ...{ common: ['year'], stamp: (seen) => seen + 1, takeOvers: [], inverse: [] },
      ...{ places: referencePlaces(work, museum) },
      ...{ actor: 'me', now, connectedAt: now + 0.5 },
      ...more,
    })

/** Planned writes, by a description of what they write. */
export const writes: Readonly<Record<string, () => unknown>> = {
  'a new draft': save({}),
  'a new draft of somebody': save({ actor: 'me', stamps: { year: 3 } }),
  'a new version of a type without drafts': save({ type: room, values: { name: 'a' } }),
  'a new version that its makers know': save({ type: artist, publish: false, inverse: [inverse] }),
  'a changed draft': save({ before: draft(), actor: 'me' }),
  'a changed draft of the future': save({
    before: draft({ updatedAt: at(9), _revision: now + 7 }),
  }),
  'a published draft': save({ before: draft(), publish: true }, published()),
  'a draft published anew': save({ before: draft(), publish: true, content: { title: 'new' } }),
  'a new published entry': save({ publish: true, actor: 'me', conditional: true }),
  'a published entry with stamps': save(
    { before: draft(), publish: true, ...stamped },
    published(),
  ),
  'a published entry that is newer': save(
    { before: draft(), publish: true, ...stamped },
    published({ _publishedFrom: now + 9, _revision: now + 5 }),
  ),
  'what is shared': save({ before: draft(), ...stamped }),
  'what is shared by a new locale': save({ createsDocument: false, ...stamped }),
  'what is shared by a new locale that is published': save({
    createsDocument: false,
    publish: true,
    ...stamped,
  }),
  'what is shared by nobody': save({ createsDocument: false }),
  'what is taken over': save({ before: draft(), takeOvers: [takeOver] }),
  'what is taken over and published': save({
    publish: true,
    takeOvers: [takeOver, { ...takeOver, targets: [] }],
  }),
  'what is written from the other side': save({ before: draft(), inverse: [inverse] }),
  'the same published': save({ before: draft(), publish: true, inverse: [inverse] }, published()),
  'what is kept for later': save({ before: draft(), pending }),
  'what is kept and settled': save({ before: draft(), pending, settles: true, publish: true }),
  'what was kept before': save({ before: draft({ _pending: pending }) }),
  'unique and shared': save({
    ...{ type: typeOf(createShop(), 'api::product.product'), common: ['code'] },
  }),
  'a difference': difference({}),
  'a difference of nothing': difference({ title: 'new', notes: { a: 1, b: 2 } }),
  'a difference of the order of keys': difference({ title: 'new', notes: { b: 2, a: 1 } }),
  'a difference from null': difference({ title: null, year: null, notes: null }),
  'a difference that is late': difference({ _publishedFrom: now }),
  'a difference that is in time': difference({ _publishedFrom: now - 1, _revision: now + 60 }),
  'a difference of an unknown time': difference({ _publishedFrom: undefined }),
  'a difference of what is newer': difference({ year: 7 }, { year: 1 }, ['year', 'title']),
  'a difference of what is older': difference({ year: 7 }, { year: 3 }, ['year']),
  'a difference of what is as old': difference({ year: 7 }, { year: 2, artist: 11 }, ['year']),
  'a difference of what was never stamped': difference({ year: 7, _stamps: undefined }, {}, [
    'year',
  ]),
  'a discarded draft': discard(),
  'a discarded draft of what is shared': discard({}, { year: 7, _stamps: { year: 4 } }),
  'a discarded draft that lost what it had': discard({ takeOvers: [takeOver] }),
  'a discarded draft that lost nothing': discard({ takeOvers: [{ ...takeOver, targets: [] }] }),
  'a discarded draft with pending edits': discard({}, { _pending: pending }),
  'a discarded draft whose owners follow': discard({ inverse: [inverse] }),
  'a document that is gone': () => planRemovals(museum, artist, ['a1']),
  'a room that is gone': () => planRemovals(museum, room, ['r1']),
  'a repair of the museum': () => planRepair(museum, (type) => (type === work ? ['year'] : [])),
  'a repair of the shop': () => planRepair(createShop(), () => []),
}

/** Returns the steps of a planned write as a line of JSON. */
export const showWrite = (name: string): string =>
  JSON.stringify({ name, plan: plainOf(writes[name]?.()) })

function plainOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainOf)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, plainOf(member)] as const)
  return Object.fromEntries(members)
}
