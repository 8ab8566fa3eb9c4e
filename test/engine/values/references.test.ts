import { expect } from 'chai'
import fc from 'fast-check'
import { Decimal128, Long } from 'mongodb'
import {
  isSameReferences,
  referencesOf,
  referencesUnder,
  renameReferences,
} from '../../../engine/values/references.js'

const to = (documentId: string, type?: string) => ({
  documentId,
  order: 1,
  ...(type !== undefined && { __type: type }),
})
const nowhere = { fields: new Set<string>(), opaque: new Set<string>() }

const storedValues: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['a reference', to('x'), ['field:x']],
  ['a list of references', [to('x'), to('y')], ['field:x', 'field:y']],
  ['a repeated reference', [to('x'), to('y'), to('x')], ['field:x', 'field:y']],
  [
    'two references with types',
    [to('x', 'api::a.a'), to('x', 'b')],
    ['field:api::a.a:x', 'field:b:x'],
  ],
  ['a reference whose type is no text', { ...to('x'), __type: 1 }, ['field:x']],
  ['a component', { id: 1, cover: to('x'), pages: [to('y')] }, ['field.cover:x', 'field.pages:y']],
  [
    'components in components',
    [
      { id: 1, inner: [{ id: 2, cover: to('x') }] },
      { id: 3, inner: { cover: to('y') } },
    ],
    ['field.inner.cover:x', 'field.inner.cover:y'],
  ],
  [
    'a dynamic zone',
    [
      { __component: 'a.b', cover: to('x') },
      { __component: 'a.c', inner: { cover: to('x') } },
    ],
    ['field[a.b].cover:x', 'field[a.c].inner.cover:x'],
  ],
  ['a component whose name is no text', { __component: 1, at: to('x') }, ['field.at:x']],
  ['a component that looks like a reference', { id: 1, ...to('x') }, []],
  ['a documentId that is no text', { documentId: 5, order: 1 }, []],
  ['a documentId without a place', { documentId: 'x' }, []],
  [
    'a component with an attribute documentId',
    { documentId: 'x', inner: to('y') },
    ['field.inner:y'],
  ],
  ['text', 'x', []],
  ['null', null, []],
  ['a date', new Date(0), []],
  ['a date that looks like a reference', Object.assign(new Date(0), to('x')), []],
  ['a BSON number', Long.fromNumber(1), []],
  [
    'a BSON number that looks like a reference',
    Object.assign(Decimal128.fromString('1'), to('x')),
    [],
  ],
]

describe('references of a version', () => {
  for (const [what, value, references] of storedValues)
    it(`are ${references.join(' and ') || 'none'} if a field contains ${what}`, () => {
      expect(referencesUnder('field', value, nowhere)).to.deep.equal(references)
    })

  it('are not searched in opaque values, at any depth', () => {
    const places = { ...nowhere, opaque: new Set(['data', 'inner.data', 'zone[a.b].data']) }
    const version = {
      data: { more: to('x') },
      inner: [{ data: [to('x')], other: to('y') }],
      zone: [
        { __component: 'a.b', data: to('x') },
        { __component: 'a.c', data: to('z') },
      ],
    }
    expect(referencesOf(version, places)).to.deep.equal(['inner.other:y', 'zone[a.c].data:z'])
  })

  it('are in the order of the fields, without fields that start with _', () => {
    const version = { _id: to('v'), b: to('x'), a_: to('y'), _refs: to('w'), title: 'x' }
    expect(referencesOf(version, nowhere)).to.deep.equal(['b:x', 'a_:y'])
  })
})

describe('renameReferences', () => {
  const [from, renamed] = ['api::old.old', 'api::new.new']
  const renaming = { opaque: new Set<string>(), from, to: renamed }

  it('replaces the type in references and changes nothing else', () => {
    const day = new Date(0)
    const number = Long.fromNumber(1)
    const given = (type: string) => ({
      plain: to('x'),
      list: [to('x', type), to('y', 'api::other.other'), null],
      zone: [
        { __component: 'a.b', data: to('x', from), at: day },
        { __component: 'a.c', data: to('x', type), by: number },
      ],
      like: { id: 1, ...to('x', from) },
      kept: Object.assign(new Date(0), to('x', from)),
      exact: Object.assign(Long.fromNumber(1), to('x', from)),
      placeless: { documentId: 'x', __type: from },
      numbered: { documentId: 1, order: 1, __type: from },
      text: from,
      opaque: [{ at: to('x', from) }],
    })
    const opaque = new Set(['field.zone[a.b].data', 'field.opaque.at'])
    const stored = given(from)
    expect(renameReferences('field', stored, { ...renaming, opaque })).to.deep.equal(given(renamed))
    expect(stored, 'what was given').to.deep.equal(given(from))
  })

  it('keeps the positions of references, and can be reverted', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 'x', 1),
        fc.constantFrom(to('x', from), to('y', from), to('x', 'api::other.other'), to('z')),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('id', 'a', 'b'), tie('value'), { noNullPrototype: true }),
        fc.record({ __component: fc.constantFrom('a.a', 'a.b'), a: tie('value') }),
      ),
    }))
    fc.assert(
      fc.property(value, (stored) => {
        const before = referencesUnder('field', stored, nowhere)
        const after = renameReferences('field', stored, renaming)
        expect(referencesUnder('field', after, nowhere)).to.deep.equal(
          before.map((text) => text.replace(`:${from}:`, `:${renamed}:`)),
        )
        expect(
          renameReferences('field', after, { ...renaming, from: renamed, to: from }),
        ).to.deep.equal(stored)
      }),
    )
  })
})

describe('isSameReferences', () => {
  for (const [a, b, isSame] of [
    [[], [], true],
    [['a:x', 'b:y'], ['b:y', 'a:x'], true],
    [['a:x', 'a:x'], ['a:x'], true],
    [['a:x'], ['a:x', 'a:x'], true],
    [['a:x', 'b:y'], ['a:x'], false],
    [['a:x'], ['a:x', 'b:y'], false],
    [['a:x'], ['b:y'], false],
    [undefined, [], true],
    [null, ['a:x'], false],
    ['a:x', ['a:x'], false],
  ] as const)
    it(`finds ${JSON.stringify(a)} and ${JSON.stringify(b)} ${isSame ? 'equal' : 'different'}`, () => {
      expect(isSameReferences(a, b)).to.equal(isSame)
    })
})
