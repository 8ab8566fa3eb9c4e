import { expect } from 'chai'
import { BSON, Binary, DBRef, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'mongodb'
import type { MemberPlan, NodePlan, ZonePlan } from '../../../../engine/read/plan/read-plan.js'
import { sizeOfValue } from '../../../../engine/read/stored/stored-bson.js'
import { valueAt, valuesOf } from '../../../../engine/read/stored/stored-decode.js'
import { createLayout, layoutOf, locate } from '../../../../engine/read/stored/stored-document.js'
import type { Stored } from '../../../../engine/read/stored/stored-document.js'
import {
  decode,
  documentIdOf,
  embeddedAt,
  idOf,
  localeOf,
  referencesAt,
  referredAt,
  revisionOf,
  slotOf,
  textAt,
  typedReferencesAt,
  typeAt,
  zonePlanOf,
} from '../../../../engine/read/stored/stored-fields.js'
import { store } from '../answer/write-stored.js'

describe('field of a stored document', () => {
  const values: readonly unknown[] = [
    ...[1.5, 'text', '', { a: 1 }, [1, [2]], new Binary(Buffer.from('abc')), new ObjectId()],
    ...[true, new Date(0), null, /expression/im, new BSON.Code('x'), new BSON.BSONSymbol('sym')],
    ...[new BSON.Code('x', { scope: 1 }), 7, new Timestamp({ t: 1, i: 2 }), Long.MAX_VALUE],
    ...[Decimal128.fromString('1.5'), new MinKey(), new MaxKey()],
    new DBRef('collection', new ObjectId()),
  ]

  it('is found after a value of any type', () => {
    for (const value of values) {
      const stored = store({ before: value, after: 'found' }, ['after'])
      expect(textAt(stored, 0), BSON.EJSON.stringify({ value })).to.equal('found')
    }
  })

  it('is found after types that the driver no longer writes', () => {
    const element = (type: number, name: string, value: Buffer): Buffer =>
      Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), value])
    const text = Buffer.from([6, 0, 0, 0, ...Buffer.from('found\0')])
    const pointer = Buffer.from([2, 0, 0, 0, ...Buffer.from('x\0'), ...Buffer.alloc(12, 7)])
    for (const before of [element(0x06, 'u', Buffer.alloc(0)), element(0x0c, 'p', pointer)]) {
      const bytes = Buffer.concat([
        ...[Buffer.alloc(4), before, element(0x02, 'after', text), Buffer.alloc(1)],
      ])
      expect(textAt(locate(bytes, 0, createLayout(['after'])), 0)).to.equal('found')
    }
  })

  it('causes an error if it follows a value of an unknown type', () => {
    expect(() => sizeOfValue(0x20, Buffer.alloc(8), 0)).to.throw('the unknown type 32')
  })

  it('is found by its whole name', () => {
    const names = ['ab', 'a', 'abc', 'b', 'é']
    const of = (document: BSON.Document): readonly (string | null)[] => {
      const stored = store(document, names)
      return names.map((name) => textAt(stored, slotOf(stored, name)))
    }
    expect(of({ a: '1', ab: '2', abc: '3', é: '4' })).to.deep.equal(['2', '1', '3', null, '4'])
    expect(of({ abcd: 'x', ba: 'x', è: 'x' })).to.deep.equal([null, null, null, null, null])
    expect(of({})).to.deep.equal([null, null, null, null, null])
  })

  it('is found in whatever order documents store it', () => {
    const layout = createLayout(['a', 'b', 'c'])
    for (const names of [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['b', 'x', 'a'],
      ['x', 'c'],
      ['a', 'c'],
    ]) {
      const document = Object.fromEntries(names.map((name) => [name, `is ${name}`]))
      const stored = locate(Buffer.from(BSON.serialize(document)), 0, layout)
      for (const name of ['a', 'b', 'c'])
        expect(textAt(stored, slotOf(stored, name))).to.equal(document[name] ?? null)
    }
  })

  it('is null if the document or the layout does not have it', () => {
    const stored = store({ a: 'x', b: 'y' }, ['a', 'c'])
    expect(typeAt(stored, slotOf(stored, 'c'))).to.equal(0x0a)
    expect(slotOf(stored, 'b')).to.equal(-1)
    expect(typeAt(stored, -1)).to.equal(0x0a)
    expect(textAt(stored, 1)).to.equal(null)
    expect(embeddedAt(stored, 1)).to.deep.equal([])
  })
})

describe('common fields of an entry', () => {
  const names = ['_id', 'documentId', 'locale', '_revision']

  it('are read as stored, with numbers of any type', () => {
    for (const [_id, _revision] of [
      ...[
        [7, 8],
        [Long.fromString('8589934597'), Long.fromNumber(-1)],
      ],
      [4294967296.5, 2],
    ] as const) {
      const stored = store({ _revision, locale: 'en', documentId: 'd', _id }, names)
      expect([idOf(stored), revisionOf(stored)]).to.deep.equal([Number(_id), Number(_revision)])
      expect([documentIdOf(stored), localeOf(stored)]).to.deep.equal(['d', 'en'])
    }
  })

  it('are 0, empty or null if they are missing', () => {
    const stored = store({ _id: 'x' }, names)
    expect([idOf(stored), revisionOf(stored)]).to.deep.equal([0, 0])
    expect([documentIdOf(stored), localeOf(stored)]).to.deep.equal(['', null])
  })
})

describe('stored references', () => {
  const document = {
    one: { order: 3, documentId: 'a', __type: 'x' },
    many: [{ documentId: 'b', order: 2.5 }, {}, null, 'text', { documentId: 'c', __type: 'y' }],
    none: null,
  }
  const stored = store(document, ['one', 'many', 'none'])

  it('are returned as a list in their stored order', () => {
    expect(referencesAt(stored, 0)).to.deep.equal([{ documentId: 'a', order: 3, __type: 'x' }])
    expect(referencesAt(stored, 1)).to.deep.equal([
      { documentId: 'b', order: 2.5, __type: null },
      { documentId: '', order: 0, __type: null },
      { documentId: 'c', order: 0, __type: 'y' },
    ])
    expect(referencesAt(stored, 2)).to.deep.equal([])
  })

  it('are returned as documentIds, or together with their types', () => {
    expect([0, 1, 2].map((slot) => referredAt(stored, slot))).to.deep.equal([
      ...[['a'], ['b', '', 'c'], []],
    ])
    expect([0, 1, 2].map((slot) => typedReferencesAt(stored, slot))).to.deep.equal([
      [{ __type: 'x', documentId: 'a' }],
      [
        { __type: '', documentId: 'b' },
        { __type: '', documentId: '' },
        { __type: 'y', documentId: 'c' },
      ],
      [],
    ])
  })
})

describe('stored embedded values', () => {
  it('are decoded with all digits of 64-bit integers', () => {
    const value = { a: 1, b: Long.fromString('9007199254740993'), c: [null, 'x'] }
    const stored = store({ before: 'x', value, after: 1 }, ['value'])
    const [start = 0] = embeddedAt(stored, 0)
    const found = { a: 1, b: 9007199254740993n, c: [null, 'x'] }
    expect(decode(stored.bytes, start)).to.deep.equal(found)
  })

  it('are returned as a list', () => {
    const one = { a: 1 }
    expect(valuesOf(one)).to.deep.equal([one])
    expect(valuesOf([one, one])).to.deep.equal([one, one])
    for (const nothing of [null, undefined, 7, 'text']) expect(valuesOf(nothing)).to.deep.equal([])
  })

  it('are null at a path that does not exist', () => {
    const value = { a: { b: 1, c: null }, text: 'abc', none: null }
    expect(valueAt(value, 'a.b')).to.equal(1)
    for (const path of ['a.c', 'a.x', 'a.b.x', 'text.length', 'none.x', 'x.y', 'a.c.x'])
      expect(valueAt(value, path), path).to.equal(null)
  })

  it('have the plan of their component in a dynamic zone, or none if it is not populated', () => {
    const values = { node: { members: [], localized: false, entry: false, component: 'c.one' } }
    const one = { ...values, filter: null, sort: [] }
    const zone: ZonePlan = {
      ...{ kind: 'zone', name: 'z', path: 'z', count: false, components: { 'c.one': one } },
    }
    const members = [{ __component: 'c.one' }, { __component: 'c.two' }, {}, { __component: 7 }]
    const others = [{ __component: 'toString' }, { __component: 'null' }]
    const stored = store({ z: [...members, ...others] }, ['z'])
    expect(
      embeddedAt(stored, 0).map((start) => zonePlanOf(zone, stored.bytes, start)),
    ).to.deep.equal([one, ...Array<undefined>(5).fill(undefined)])
  })
})

describe('layoutOf', () => {
  const field = (path: string): MemberPlan => ({ kind: 'field', name: path, path, form: 'text' })
  const nodeOf = (...paths: readonly string[]): NodePlan => ({
    ...{ members: paths.map(field), localized: false, entry: true, component: null },
  })
  const namesIn = ({ slots }: Stored['layout']): readonly string[] => [...slots.keys()]
  const common = ['_id', 'documentId', 'locale', '_revision']

  it('contains the common fields and those of the node, each once', () => {
    const names = namesIn(layoutOf(nodeOf('title', 'documentId', 'title', 'at')))
    expect(names).to.deep.equal([...common, 'title', 'at'])
  })

  it('contains the fields that store the relations of the node', () => {
    const link = { collection: 'c', stored: 'here', path: 'by_id', many: false } as const
    const node: NodePlan = nodeOf()
    const edge: MemberPlan = {
      ...{ kind: 'edge', name: 'by', match: null, sort: [], node, count: false, wrapped: false },
      ...{ page: null, link: { ...link, locale: { kind: 'none' } } },
    }
    expect(namesIn(layoutOf({ ...node, members: [edge] }))).to.deep.equal([...common, 'by_id'])
  })

  it('is cached per node and reference', () => {
    const node = nodeOf('title')
    expect(layoutOf(node)).to.equal(layoutOf(node))
    expect(layoutOf(node, 'by')).to.equal(layoutOf(node, 'by'))
    expect(namesIn(layoutOf(node, 'by'))).to.deep.equal([...common, 'title', 'by'])
    expect(namesIn(layoutOf(node, 'to'))).to.deep.equal([...common, 'title', 'to'])
    expect(namesIn(layoutOf(node))).to.deep.equal([...common, 'title'])
    expect(layoutOf(nodeOf('title'))).not.to.equal(layoutOf(node))
  })
})
