import { expect } from 'chai'
import { Decimal128, Long } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import type { Grant } from '../../../engine/schema/grant.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { Unwritable } from '../../../engine/write/body/keys.js'
import type { Version, Versions } from '../../../engine/write/change/change.js'
import { checkUnwritable } from '../../../engine/write/rules/check-sent-back.js'
import { component, contentType, define } from '../schema/define.js'

const relation = (kind: string) => ({
  ...{ type: 'relation', relation: kind, target: 'api::maker.maker', writable: false },
})
const registry = define(
  contentType({
    ...{ name: { type: 'string' }, count: { type: 'integer' }, big: { type: 'biginteger' } },
    ...{ price: { type: 'decimal' }, at: { type: 'datetime' }, meta: { type: 'json' } },
    ...{ hidden: { type: 'string', private: true }, secret: { type: 'password' } },
    ...{ maker: relation('manyToOne'), makers: relation('manyToMany'), photo: { type: 'media' } },
    part: { type: 'component', component: 'a.part' },
    parts: { type: 'component', component: 'a.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.note'] },
    about: { type: 'relation', relation: 'morphToMany' },
  }),
  contentType({ name: { type: 'string' } }, {}, 'maker'),
  component('a.part', {
    ...{ label: { type: 'string' }, key: { type: 'password' }, size: { type: 'integer' } },
    notes: { type: 'component', component: 'a.note', repeatable: true },
  }),
  component('a.note', { words: { type: 'string' } }),
)
const thing = typeOf(registry, 'api::thing.thing')

const to = (documentId: string) => ({ documentId, order: 1 })
const stored = {
  ...{ name: 'n', count: 3, big: Long.fromString('9007199254740993'), hidden: 'h', secret: 'hash' },
  ...{ price: Decimal128.fromString('1.50'), at: new Date(0), meta: { a: [1], b: null } },
  ...{ maker: to('m1'), makers: [to('m1'), to('m2')], photo: to('f1') },
  part: { id: 1, label: 'l', key: 'hash', size: 2, notes: [{ id: 5, words: 'w' }] },
  parts: [
    { id: 2, label: 'a', size: null, notes: [] },
    { id: 3, label: 'b' },
  ],
  zone: [
    { __component: 'a.note', id: 6, words: 'x' },
    { __component: 'a.part', id: 7, label: 'y' },
  ],
  about: [
    { __type: 'api::maker.maker', documentId: 'm1', order: 1 },
    { __type: 'api::thing.thing', documentId: 'd1', order: 2 },
  ],
}
const version = (fields: object, more: object = {}): Version => ({
  ...{ _id: 1, documentId: 'd1', locale: null, _revision: 1 },
  ...{ createdAt: new Date(0), updatedAt: new Date(0), publishedAt: null, ...fields, ...more },
})
const storedVersions: Versions = { current: [version(stored)], published: [] }

type How = Readonly<{
  grant?: Grant
  versions?: Versions
  componentId?: unknown
  path?: readonly string[]
}>

const attributeAt = (path: readonly string[]) => {
  const [name = '', ...more] = path.filter((part) => !/^\d+$/.test(part))
  const inner = more.at(-1)
  if (inner === undefined) return thing.attributes.get(name)
  const uid = inner === 'words' ? 'a.note' : 'a.part'
  return registry.components.get(uid)?.attributes.get(inner)
}

function refusal(path: readonly string[], value: unknown, how: How = {}) {
  const { grant = fullGrant, versions = storedVersions, componentId } = how
  const attribute = attributeAt(path)
  if (attribute === undefined) throw new Error(`no attribute at ${path.join()}`)
  const sent: Unwritable = {
    ...{ path, attribute, value, grant },
    ...('componentId' in how ? { componentId } : {}),
  }
  try {
    const request = { type: thing, registry, locale: null, unwritable: [sent] }
    checkUnwritable(request, versions)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.message, error.details] as const
  }
}

const accepted = (name: string, values: readonly unknown[], how: How = {}) =>
  values.filter((value) => refusal([name], value, how) === undefined)

describe('checkUnwritable', () => {
  it('accepts the stored scalar in any equivalent notation', () => {
    expect(accepted('name', ['n', 'm', null, 7])).to.deep.equal(['n'])
    expect(accepted('count', [3, 4, 'x', null])).to.deep.equal([3])
    expect(accepted('big', ['9007199254740993', '9007199254740992'])).to.deep.equal([
      '9007199254740993',
    ])
    expect(accepted('price', [1.5, '1.5', 1.6])).to.deep.equal([1.5, '1.5'])
    const times = ['1970-01-01T00:00:00.000Z', '1970-01-01T01:00:00+01:00', '1971', 'yesterday']
    expect(accepted('at', times)).to.deep.equal(times.slice(0, 2))
    expect(accepted('meta', [{ b: null, a: [1] }, { a: [1] }, { a: [2], b: null }])).to.deep.equal([
      { b: null, a: [1] },
    ])
  })

  it('accepts only null if nothing is stored', () => {
    const versions = { current: [version({ name: null })], published: [] }
    for (const name of ['name', 'count'])
      expect(accepted(name, [null, '', 0], { versions })).to.deep.equal([null])
  })

  it('accepts the value of the draft or of the published version', () => {
    const versions = { current: [version({ name: 'a' })], published: [version({ name: 'b' })] }
    expect(accepted('name', ['a', 'b', 'c'], { versions })).to.deep.equal(['a', 'b'])
    expect(accepted('name', ['a', null], { versions: { current: [], published: [] } }))
      .to.deep //
      .equal([])
  })

  it('rejects even correct values that the caller may not read', () => {
    expect(accepted('hidden', ['h'])).to.deep.equal([])
    expect(accepted('secret', ['hash', null])).to.deep.equal([])
    const nothing: Grant = { key: '', actions: new Set() }
    expect(accepted('maker', ['m1'], { grant: nothing })).to.deep.equal([])
    const some: Grant = { key: 'm', actions: new Set(['api::maker.maker.find']) }
    expect(accepted('maker', ['m1'], { grant: some })).to.deep.equal(['m1'])
  })

  it('accepts targets that the relation has, even if not all of them', () => {
    expect(accepted('maker', ['m1', { documentId: 'm1' }, 'm2', null])).to.deep.equal([
      ...['m1', { documentId: 'm1' }, null],
    ])
    const lists = [['m1'], ['m2', 'm1'], [], ['m1', 'm3'], { data: [{ documentId: 'm2' }] }]
    expect(accepted('makers', lists)).to.deep.equal([lists[0], lists[1], lists[2], lists[4]])
    expect(accepted('makers', [{ connect: ['m1'] }, { set: ['m1'] }, [7]])).to.deep.equal([
      { set: ['m1'] },
    ])
    expect(accepted('photo', [{ documentId: 'f1' }, { documentId: 'f2' }])).to.deep.equal([
      { documentId: 'f1' },
    ])
  })

  it('accepts polymorphic targets only with their type and if the caller may find it', () => {
    const maker = { __type: 'api::maker.maker', documentId: 'm1' }
    const other = { __type: 'api::maker.maker', documentId: 'd1' }
    expect(accepted('about', [[maker], [other], [{ documentId: 'm1' }]])).to.deep.equal([[maker]])
    const things: Grant = { key: 't', actions: new Set(['api::thing.thing.find']) }
    const ofThing = { __type: 'api::thing.thing', documentId: 'd1' }
    expect(accepted('about', [[maker], [ofThing]], { grant: things })).to.deep.equal([[ofThing]])
  })

  it('accepts a stored component or some of its fields', () => {
    const valid = [
      ...[{ id: 1, label: 'l' }, { id: '1' }, {}, { data: { label: 'l' } }],
      ...[{ notes: [{ id: 5, words: 'w' }] }, { __component: 'a.part', size: 2 }, { notes: [{}] }],
    ]
    expect(accepted('part', valid)).to.deep.equal(valid)
    expect(
      accepted('part', [
        ...[null, { id: 2 }, { label: 'x' }, { label: 'l', size: 3 }, { other: 1 }, 'l'],
        ...[{ key: 'hash' }, { notes: [] }, { notes: [{ words: 'x' }] }, { __component: 'a.note' }],
        ...[{ id: null }, { other: 1, label: 'l' }],
      ]),
    ).to.deep.equal([])
    const versions = { current: [version({ part: null })], published: [] }
    expect(accepted('part', [null, {}, undefined], { versions })).to.deep.equal([null, undefined])
  })

  it('accepts components of a list only at their stored index', () => {
    const valid = [
      [{ id: 2 }, { id: 3 }],
      [{ label: 'a', size: null }, { label: 'b' }],
      [{}, {}],
    ]
    expect(accepted('parts', valid)).to.deep.equal(valid)
    const invalid = [[{}], [{ id: 3 }, { id: 2 }], [{}, {}, {}], [], null, [{}, null], [{}, 'b']]
    expect(accepted('parts', invalid)).to.deep.equal([])
  })

  it('accepts dynamic zone items only with their stored component', () => {
    const valid = [
      [{ __component: 'a.note', words: 'x' }, { label: 'y' }],
      [{ id: 6 }, { __component: 'a.part' }],
    ]
    expect(accepted('zone', valid)).to.deep.equal(valid)
    const invalid = [
      [{ __component: 'a.part' }, {}],
      [{ label: 'y' }, { words: 'x' }],
    ]
    expect(accepted('zone', invalid)).to.deep.equal([])
  })

  it('compares an attribute with the component that the body names by id, at any depth', () => {
    const path = ['parts', '0', 'label']
    const of = (value: unknown, componentId: unknown, at = path) =>
      refusal(at, value, { componentId }) === undefined
    expect([of('b', 3), of('b', '3'), of('a', 3), of('b', 2), of('b', 9)]).to.deep.equal([
      ...[true, true, false, false, false],
    ])
    expect(of('b', undefined)).to.equal(false)
    expect(of('w', 5, ['part', 'notes', '0', 'words'])).to.equal(true)
    expect(of('x', 6, ['zone', '0', 'words'])).to.equal(true)
    const versions = {
      current: [version({ parts: [{ id: 2, label: 'a' }] })],
      published: [version({ parts: [{ id: 2, label: 'b' }, null] })],
    }
    for (const value of ['a', 'b'])
      expect(refusal(path, value, { componentId: 2, versions })).to.equal(undefined)
    expect(refusal(path, 'c', { componentId: 2, versions })).not.to.equal(undefined)
  })
})

describe('checkUnwritable errors', () => {
  it('names the key and its path', () => {
    expect(refusal(['name'], 'x')).to.deep.equal([
      ...[400, 'Invalid key name', { key: 'name', path: 'name', source: 'body' }],
    ])
    expect(refusal(['parts', '1', 'label'], 'x', { componentId: 3 })).to.deep.equal([
      ...[400, 'Invalid key label at parts.1.label'],
      { key: 'label', path: 'parts.1.label', source: 'body' },
    ])
  })

  it('does not occur if the body names no unwritable attributes', () => {
    expect(() =>
      checkUnwritable({ type: thing, registry, locale: null }, storedVersions),
    ).not.to.throw()
  })
})
