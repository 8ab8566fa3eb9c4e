import { BSON, Decimal128, Long } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { readKeys, unknownKeys } from '../../../engine/write/body/keys.js'
import { placeNumbers, readBody } from '../../../engine/write/body/read-body.js'
import type { EntryScope } from '../../../engine/write/body/targets.js'
import {
  checkTargets,
  edgesIn,
  targetFinder,
  wantedTargets,
} from '../../../engine/write/body/targets.js'
import type { Version, Versions } from '../../../engine/write/change/change.js'
import { changeInverse, inverseWrites } from '../../../engine/write/change/inverse-relations.js'
import type { SaveRequest } from '../../../engine/write/change/resolve-change.js'
import {
  validatePublished,
  validateSave,
  validateDisconnected,
} from '../../../engine/write/rules/validate-save.js'
import { openSave, resolveChange } from '../../../engine/write/change/resolve-change.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import { throwFailures } from '../../../engine/write/body/failure.js'
import { bodies } from './bodies.js'
import { museum } from './museum.js'
import { withNumbers } from './write.js'

/** A write: the model, the content-type, the stored versions, and the body. */
export type Writing = Readonly<{
  of: 'shop' | 'museum'
  to: string
  /** Name of the stored versions in `stored`. */
  there?: keyof typeof stored
  locale?: string
  publish?: true
  ifRevision?: number
  data: object
}>

const now = 1_700_000_000_000
const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const at = (later: number): Date => new Date(now + later)
const reference = (documentId: string, order: number) => ({ documentId, order })

const version = (more: object): Version => ({
  ...{
    _id: 5,
    documentId: 'd1',
    locale: 'en',
    _revision: 40,
    createdAt: at(-9),
    updatedAt: at(-5),
  },
  ...{ publishedAt: null },
  ...more,
})

const product = version({
  ...{ name: 'abc', line: 'a', count: 2, big: Long.fromString('9007199254740993'), flag: false },
  ...{ sum: Decimal128.fromString('1.10'), secret: 'hash of old', meta: { a: 1 } },
  ...{ maker: reference('k1', 11), makers: ['k1', 'k2', 'k3'].map((id, n) => reference(id, n)) },
  ...{ photo: null, photos: [reference('p1', 1), reference('p2', 2)] },
  part: { id: 3, label: 'old', size: 7, notes: [{ id: 8, words: 'w' }], maker: reference('k2', 5) },
  parts: [1, 2].map((id) => ({ id, label: `part ${id}`, size: null, notes: [], maker: null })),
  zone: [{ __component: 'shop.part', id: 4, label: 'z', size: 1 }],
})
const strict = version({
  ...{ locale: null, name: 'n', count: 3, secret: 'hash', maker: reference('k1', 1) },
  ...{ photo: reference('p1', 1), part: { id: 1, label: 'a' }, parts: [{ id: 2, label: 'b' }] },
  zone: [{ __component: 'shop.note', id: 3, words: 'w' }],
  shared: [],
})
const work = (locale: string, more: object = {}): Version =>
  version({
    ...{ locale, title: `in ${locale}`, artist: reference('k1', 1), sequel: reference('k2', 2) },
    ...{ rooms: [reference('k1', 3), reference('k2', 4)], similar: [], scans: [] },
    ...more,
  })

const stored = {
  product: { current: [product], published: [] },
  'a product in another locale': { current: [{ ...product, locale: 'fr' }], published: [] },
  strict: { current: [strict], published: [] },
  'what is published': {
    current: [strict],
    published: [{ ...strict, _id: 6, _publishedFrom: 39 }],
  },
  'what is being published': {
    current: [version({ ...strict, _publishing: Date.now() * 2 })],
    published: [{ ...strict, _id: 6, _publishedFrom: 39 }],
  },
  'what was unpublished': {
    current: [version({ ...strict, _unpublishedFrom: 40 })],
    published: [{ ...strict, _id: 6, _publishedFrom: 39 }],
  },
  work: { current: [work('en')], published: [] },
  works: {
    current: [
      work('en', { _stamps: { artist: 7 } }),
      work('fr', { _pending: [pendingRoom('k9')] }),
    ],
    published: [work('en', { _id: 9 })],
  },
} satisfies Record<string, Versions>

function pendingRoom(documentId: string): NonNullable<Version['_pending']>[number] {
  return { owner: 'api::work.work', field: 'sequel', locale: 'fr', documentId, order: 5 }
}

const edits: readonly object[] = [
  {},
  { name: 'xyz', line: null, secret: 'fresh' },
  { name: 'x' },
  ...[{ id: 3 }, { id: '3', label: 'new' }, { id: 9 }, { label: 'other' }, null].map((part) => ({
    part,
  })),
  { part: { id: 3, notes: [{ id: 8, words: 'same' }, { words: 'more' }] } },
  { part: { id: 3, maker: 'k3' } },
  { part: { id: 3, maker: null, notes: [] } },
  ...[
    [{ id: 2 }, { id: 1 }],
    [{ id: 1, label: 'one' }, { label: 'two' }, { label: 'three' }],
    [{ id: 7, label: 'x' }, { id: 1 }],
  ].map((parts) => ({ parts })),
  { zone: [{ __component: 'shop.part', id: 4, label: 'z' }] },
  { zone: [{ __component: 'shop.note', words: 'w', price: '#1.10' }] },
  ...[
    'k1',
    'k3',
    null,
    1,
    '3',
    { documentId: 'k2' },
    { disconnect: ['k1'] },
    { connect: ['k2', 'k3'] },
  ].map((maker) => ({ maker })),
  ...[
    ['k3', 'k1'],
    ['k2', 'k2', 'k4'],
    null,
    [],
    { connect: ['k4'] },
    { connect: ['k1'] },
    { connect: [{ documentId: 'k4', position: { before: 'k2' } }] },
    { connect: [{ documentId: 'k4', position: { after: 'k2' } }] },
    { connect: [{ documentId: 'k3', position: { start: true } }] },
    { connect: [{ documentId: 'k1', position: { end: true } }], disconnect: ['k2'] },
    { connect: [{ documentId: 'k4', position: { before: 'k5' } }, 'k5'] },
    { connect: [{ documentId: 'k4', position: { before: 'k5' } }] },
    {
      connect: [
        { documentId: 'k4', position: { before: 'k5' } },
        { documentId: 'k5', position: { after: 'k4' } },
      ],
    },
    { disconnect: ['k1', 'k3', 'k4'] },
    { disconnect: ['k1'], connect: ['k1'] },
  ].map((makers) => ({ makers })),
  { photos: { disconnect: [1], connect: [{ id: 3, position: { start: true } }] } },
  { photos: ['p2'], photo: 'p1' },
  { maker: 'none' },
  { makers: { disconnect: ['none'] } },
  { makers: [77, 78] },
  { at: '2024-01-15T10:00:00', day: '2024-01-15', clock: '10:00:00', big: '2', price: '1.5' },
  { day: 'x' },
  { at: 'yesterday' },
  { clock: '10' },
  { meta: '{"a":[1]}' },
  { meta: 'plain' },
  { meta: `${'['.repeat(101)}${']'.repeat(101)}` },
  { text: 'A' },
  { rows: [1], story: [], colour: 'blue', ratio: 1, huge: '5', slug: 'a' },
]

const strictEdits: readonly object[] = [
  {},
  { name: 'other' },
  { name: null, count: null },
  { maker: { disconnect: ['k1'] } },
  { maker: { disconnect: ['k1'], connect: ['k2'] } },
  { maker: { disconnect: ['k2'] } },
  { photo: null },
  { photo: { disconnect: ['p1'] } },
  { part: { id: 1 }, parts: [{ id: 2, maker: { disconnect: ['k1'] } }] },
  { shared: [{ words: 'a' }, { words: 'b', price: 1 }] },
  { parts: [], zone: [] },
]

const whole = {
  ...{ name: 'n', secret: 'abc', maker: 'k1', photo: 'p1', part: { label: 'a' } },
  ...{ parts: [{ label: 'b' }], zone: [{ __component: 'shop.note', words: 'w' }] },
}

const ofWorks: readonly object[] = [
  { title: 'new' },
  { artist: 'k2', rooms: { connect: ['k3'] } },
  { artist: null, sequel: 'k3' },
  { sequel: 'k2' },
  { sequel: { disconnect: ['k2'] } },
  { original: 'k3' },
  { original: null },
  { similar: ['k1', 'd1'] },
  { year: 1999, notes: { a: 1 }, frame: { colour: 'red', maker: 'k1', labels: [{ line: 'l' }] } },
  { labels: [{ line: 'a', sign: { documentId: 'k1', locale: 'fr' }, rooms: ['k1', 'k2'] }] },
  { story: [{ __component: 'parts.quote', words: 'q', by: 'k1' }] },
]

const ofArtists: readonly object[] = [
  { works: ['k3', 'k1'] },
  { works: [] },
  { works: { connect: ['k4'] } },
  { works: { connect: [{ documentId: 'k4', position: { before: 'k2' } }] } },
  {
    works: {
      connect: [
        { documentId: 'k4', position: { start: true } },
        { documentId: 'k3', position: { after: 'k1' } },
      ],
    },
  },
  { works: { connect: [{ documentId: 'k2', locale: 'fr' }], disconnect: ['k1'] } },
  { works: { connect: [{ documentId: 'k4', position: { before: 'k9' } }] } },
  { works: { disconnect: ['k1', 'k2', 'k3'] } },
  { pupils: ['k1'], teacher: 'k2' },
  { name: 'a' },
]

const to = (of: Writing['of'], to: string, data: readonly object[], more: Partial<Writing> = {}) =>
  data.map((data): Writing => ({ of, to, data, ...more }))

/** Writes of the shop and of the museum, with and without stored versions. */
export const writings: readonly Writing[] = [
  ...to('shop', 'product', edits),
  ...to('shop', 'product', edits, { there: 'product' }),
  ...to('shop', 'product', edits, { there: 'a product in another locale' }),
  ...to('shop', 'strict', [...strictEdits, whole], {}),
  ...to('shop', 'strict', [...strictEdits, whole], { there: 'strict' }),
  ...to('shop', 'strict', [...strictEdits, whole], { there: 'strict', publish: true }),
  ...to('shop', 'strict', [whole], { publish: true }),
  ...(['what is published', 'what is being published', 'what was unpublished'] as const).flatMap(
    (there) =>
      [40, 41].flatMap((ifRevision) => [
        ...to('shop', 'strict', [{}], { there, ifRevision }),
        ...to('shop', 'strict', [{}], { there, ifRevision, publish: true }),
      ]),
  ),
  ...to('shop', 'strict', [{}], { ifRevision: 40 }),
  ...to('museum', 'work', ofWorks),
  ...to('museum', 'work', ofWorks, { there: 'work' }),
  ...to('museum', 'work', ofWorks, { there: 'works', locale: 'fr', publish: true }),
  ...to('museum', 'work', ofWorks, { there: 'work', locale: 'fr' }),
  ...to('museum', 'artist', ofArtists),
  ...to('museum', 'artist', ofArtists, { publish: true }),
  ...bodies
    .filter(({ to }) => to === 'strict')
    .map(({ data }): Writing => ({
      of: 'shop',
      to: 'strict',
      data: data as object,
      publish: true,
    })),
]

/** The targets that exist: documents `k1` to `k9` and files `p1` to `p9`, each with the record ids 1 to 9. */
const found = {
  ids: new Map(['k', 'p'].flatMap((kind) => nine.map((id) => [`${kind}${id}`, id] as const))),
  documentIds: (uid: string) =>
    new Map(nine.map((id) => [id, `${uid === 'plugin::upload.file' ? 'p' : 'k'}${id}`] as const)),
}

/** Returns the changes of a write, or the error that rejects it, as a line of JSON. */
export function showChange(writing: Writing, shop: Registry): string {
  const registry = writing.of === 'museum' ? museum : shop
  const type = typeOf(registry, `api::${writing.to}.${writing.to}`)
  return BSON.EJSON.stringify(
    { writing, ...refusalOr(() => changeOf(writing, type, registry)) },
    { relaxed: true },
  )
}

function changeOf(writing: Writing, type: ContentType, registry: Registry): object {
  const { there, locale = 'en', publish = false, ifRevision } = writing
  const documentId = 'd1'
  const scope: EntryScope = {
    ...{ type, registry, documentId, targetLocale: 'en' },
    locale: type.localized ? locale : null,
  }
  const read = readBody(withNumbers(writing.data), () => false)
  const { unknown } = readKeys(read, type, { registry, grant: fullGrant })
  if (unknown.length > 0) throw unknownKeys(unknown, [])
  const body = placeNumbers(read, type, registry)
  const edges = edgesIn(type, body, registry)
  const wanted = wantedTargets(edges, scope)
  const find = targetFinder(
    scope,
    wanted,
    wanted.map(({ type: { uid } }) => ({ ids: found.ids, documentIds: found.documentIds(uid) })),
  )
  const request: SaveRequest = {
    ...{ type, registry, documentId, locale: scope.locale, publish, body, find, ifRevision },
    ...{ locales: new Set(['en', 'fr']), actor: 'me', publishingMs: Infinity },
    targetFailures: checkTargets(body, edges, scope, find),
  }
  const open = openSave(request, there === undefined ? nothing : stored[there])
  const answers = createPatternAnswers()
  const validated = validateSave(open, answers)
  throwFailures(validated.failures)
  const hashes = new Map([
    ['fresh', 'hash of fresh'],
    ['abc', 'hash of abc'],
  ])
  let last = 100
  const owners = [reference('k1', 10), reference('k2', 20), reference('k3', 30)]
  const inverse = inverseWrites(body, scope).flatMap((write) => {
    const published = write.owner.draftAndPublish ? owners.slice(1) : undefined
    const here = write.locales.map((locale) => ({ locale, drafts: owners, published, pending: [] }))
    return changeInverse(write, here, find, now)
  })
  const change = resolveChange(open, validated.value, inverse, {
    ...{ hashes, takeComponentId: () => (last += 1), now, connectedAt: now + 0.5 },
  })
  const given = { type, body, registry, requiredRelations: true }
  return {
    change: plainOf({
      ...{ ...change, type: undefined, places: undefined, before: undefined },
      common: change.common.length,
      content: changedOf(change.content, change.values),
    }),
    disconnected: validateDisconnected(change, given, hashes, answers).map(messageOf),
    published: validatePublished(change, given, hashes, answers).failures.map(messageOf),
  }
}

const nothing: Versions = { current: [], published: [] }

const messageOf = ({ path, message }: Readonly<{ path: readonly string[]; message: string }>) =>
  `${path.join('.')}: ${message}`

function refusalOr(make: () => object): object {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, message } = error
    return { refused: { status, message } }
  }
}

const changedOf = (content: object, values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(content).filter(([name, value]) => values[name] !== value))

function plainOf(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  if (value instanceof Long) return `${value.toString()}L`
  if (value instanceof Date || value instanceof Decimal128) return value
  if (Array.isArray(value)) return value.map(plainOf)
  if (typeof value !== 'object' || value === null) return value
  if ('attributes' in value && 'uid' in value) return value.uid
  if ('storedAs' in value && 'name' in value) return value.name
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, plainOf(member)] as const))
}
