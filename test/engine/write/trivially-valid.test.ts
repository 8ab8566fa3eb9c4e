import { expect } from 'chai'
import fc from 'fast-check'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import { isTriviallyValid } from '../../../engine/write/rules/is-trivially-valid.js'
import type { RuleMode } from '../../../engine/write/rules/required.js'
import { structureRule } from '../../../engine/write/rules/structure-rules.js'
import { component, contentType, relation } from './model.js'
import { runs } from '../../support/properties.js'

const attributes = {
  text: { type: 'string', minLength: 2, maxLength: 4 },
  long: { type: 'text', required: true },
  name: { type: 'string', default: 'none' },
  slug: { type: 'uid' },
  mail: { type: 'email', required: true },
  whole: { type: 'integer', min: 1, max: 3, required: true },
  part: { type: 'float', max: 2.5 },
  exact: { type: 'decimal', min: '-1', max: 2.5 },
  large: { type: 'biginteger', min: 2 },
  flag: { type: 'boolean', default: false },
  kind: { type: 'enumeration', enum: ['a', 'b'] },
  on: { type: 'date' },
  any: { type: 'json', required: true },
  rich: { type: 'blocks' },
  secret: { type: 'password' },
  label: { ...relation('manyToOne', 'label'), required: true },
  labels: relation('manyToMany', 'label'),
  part1: { type: 'component', component: 'part.inner', required: true },
  parts: { type: 'component', component: 'part.inner', repeatable: true, min: 1, max: 2 },
  zone: { type: 'dynamiczone', components: ['part.inner', 'part.other'], required: true },
  shown: {
    type: 'string',
    required: true,
    conditions: { visible: { '==': [{ var: 'flag' }, true] } },
  },
}

const registry = createRegistryFrom(
  [
    contentType('thing', attributes, { drafts: true }),
    contentType(
      'loose',
      Object.fromEntries(
        Object.entries(attributes).map(([name, it]) => [name, { ...it, required: false }]),
      ),
    ),
    contentType('text', { rich: { type: 'blocks' } }),
    contentType('label', { name: { type: 'string' } }),
    component('part.inner', {
      title: { type: 'string', required: true },
      count: { type: 'integer' },
    }),
    component('part.other', {
      title: { type: 'string', default: 'x' },
      of: relation('oneToOne', 'label'),
    }),
  ],
  1,
)

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      'a',
      'ab',
      'abcde',
      'A b',
      'a@b.example',
      'a@b',
      '2',
      'true',
      '2020-01-01',
      '-9007199254740993',
      '1.50',
      '1e40',
    ],
  ),
  fc.constantFrom<unknown>(0, -0, 1, 2, 2.5, 3, 4, 2 ** 53, 1e300, 1e-9, 0.1, true, false, null),
  fc.constantFrom<unknown>([], [1], ['a'], {}, { a: 1 }, 'x'.repeat(256)),
)
const inner = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        id: fc.constantFrom<unknown>(1, 2, '2'),
        __component: fc.constantFrom<unknown>('part.inner', 'part.other', 'part.none', 1),
        title: fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>('t') }, scalar),
        count: fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(1) }, scalar),
        of: fc.constantFrom<unknown>('x', null, { connect: [] }),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: scalar },
)
const list = fc.oneof({ weight: 6, arbitrary: fc.array(inner, { maxLength: 3 }) }, scalar)
const edge = fc.constantFrom<unknown>(
  ...[
    'x',
    null,
    [],
    ['x'],
    { connect: ['x'] },
    { connect: [] },
    { set: [] },
    { disconnect: ['x'] },
    3,
    true,
  ],
)

const validBody: Readonly<Record<string, unknown>> = {
  text: 'abc',
  long: '',
  name: 'n',
  slug: 'a-b',
  mail: 'a@b.example',
  whole: 2,
  part: 1.5,
  flag: true,
  kind: 'a',
  exact: 1.5,
  large: '9007199254740993',
  rich: [
    { type: 'heading', level: 1, children: [{ type: 'text', text: '', bold: true }] },
    { type: 'paragraph', children: [{ type: 'link', url: '/a', children: [] }] },
    {
      type: 'list',
      format: 'ordered',
      children: [{ type: 'list-item', children: [{ type: 'text', text: 'b' }] }],
    },
    { type: 'image', image: { url: '/a.png' }, children: [{ type: 'text', text: '' }] },
  ],
  on: '2020-01-01',
  any: { a: [1] },
  label: 'x',
  labels: ['x'],
  part1: { title: 't', count: 3 },
  parts: [{ title: 't' }],
  zone: [
    { __component: 'part.inner', title: 't' },
    { __component: 'part.other', title: 'o' },
  ],
  shown: 's',
}
const mostly = (value: unknown, ...others: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, fc.constantFrom<unknown>(...others))

const nodeOf = (
  type: string | fc.Arbitrary<string>,
  child: fc.Arbitrary<unknown>,
  members: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<unknown> => {
  const few = fc.array(child, { maxLength: 2 })
  const children = fc.oneof({ weight: 9, arbitrary: few }, scalar)
  return fc.record({
    type: typeof type === 'string' ? fc.constant(type) : type,
    children,
    ...members,
  })
}

const { block } = fc.letrec<{ block: unknown; list: unknown }>((tie) => {
  const text = fc.record(
    { type: mostly('text', 'x'), text: mostly('a', '', null, 2), bold: mostly(true, null, 'true') },
    { requiredKeys: ['type', 'text'] },
  )
  const link = nodeOf('link', text, { url: mostly('/a', '', 'a b', null) })
  const inline = fc.oneof({ weight: 9, arbitrary: text }, link, tie('block'))
  const items = fc.oneof(
    nodeOf(mostly('list-item', 'x') as fc.Arbitrary<string>, inline),
    tie('list'),
  )
  const list = nodeOf('list', items, { format: mostly('unordered', 'ordered', 'none') })
  const block = fc.oneof(
    { maxDepth: 3 },
    nodeOf(fc.constantFrom('paragraph', 'quote', 'code', 'x'), inline),
    nodeOf('heading', inline, { level: mostly(2, '2', 7, 1.5) }),
    nodeOf('image', inline, { image: mostly({ url: '/a.png' }, {}, { url: '' }, null) }),
    tie('list'),
  )
  return { block, list }
})

const arbitraryOf = (name: string): fc.Arbitrary<unknown> => {
  if (name === 'part1') return inner
  if (name === 'parts' || name === 'zone') return list
  return name.startsWith('label') ? edge : scalar
}
const body = fc
  .tuple(
    fc.record(
      Object.fromEntries(Object.keys(attributes).map((name) => [name, arbitraryOf(name)])),
      { requiredKeys: [] },
    ),
    fc.subarray(Object.keys(attributes), { maxLength: 3 }),
    fc.subarray(Object.keys(attributes), { maxLength: 3 }),
  )
  .map(([drawn, replaced, omitted]) =>
    Object.fromEntries(
      Object.entries({ ...validBody, ...pick(drawn, replaced) }).filter(
        ([name]) => !omitted.includes(name),
      ),
    ),
  )

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))

const mode: fc.Arbitrary<RuleMode> = fc.record({
  rules: fc.constantFrom('draft', 'full'),
  absent: fc.constantFrom('new', 'keep', 'join'),
  requiredRelations: fc.boolean(),
})

const types: readonly ContentType[] = [
  typeOf(registry, 'api::thing.thing'),
  typeOf(registry, 'api::loose.loose'),
]

const isTrivial = (type: ContentType, value: unknown, by: RuleMode): boolean =>
  isTriviallyValid(type, value, by, registry)

const byRules = (type: ContentType, value: unknown, by: RuleMode): unknown =>
  structureRule(type, by, registry).validateSync(value, {
    abortEarly: false,
    context: { patterns: createPatternAnswers() },
  })

describe('isTriviallyValid', () => {
  it('accepts only bodies that the full rules accept and leave unchanged', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.constantFrom(...types), body, mode, (type, value, by) => {
        if (!isTrivial(type, value, by)) return
        accepted += 1
        expect(byRules(type, value, by)).to.equal(value)
      }),
      { numRuns: runs(3000) },
    )
    expect(accepted).to.be.greaterThan(runs(300))
  })

  it('accepts only blocks that the full rules accept and leave unchanged', () => {
    const type = typeOf(registry, 'api::text.text')
    const blocks = fc.record({ rich: fc.array(block, { maxLength: 2 }) })
    const by = { rules: 'full', absent: 'new' } as const
    let accepted = 0
    fc.assert(
      fc.property(blocks, (value) => {
        if (!isTrivial(type, value, by)) return
        accepted += 1
        expect(byRules(type, value, by)).to.equal(value)
      }),
      { numRuns: runs(3000) },
    )
    expect(accepted).to.be.greaterThan(runs(300))
  })

  it('accepts a complete valid body in every mode', () => {
    for (const type of types)
      for (const rules of ['draft', 'full'] as const)
        for (const absent of ['new', 'keep', 'join'] as const)
          expect(isTrivial(type, validBody, { rules, absent }), `${rules} ${absent}`).to.equal(true)
    expect(
      isTrivial(types[0] as ContentType, { whole: 1 }, { rules: 'draft', absent: 'keep' }),
    ).to.equal(true)
  })

  it('rejects values that need a default or a cast, or that are undefined', () => {
    const [thing] = types as [ContentType]
    const by = { rules: 'draft', absent: 'new' } as const
    const unnamed = Object.fromEntries(
      Object.entries(validBody).filter(([name]) => name !== 'name'),
    )
    for (const value of [
      unnamed,
      { ...validBody, whole: '2' },
      { ...validBody, flag: 'true' },
      { ...validBody, text: undefined },
      { ...validBody, part1: '{"title":"t"}' },
    ])
      expect(isTrivial(thing, value, by), JSON.stringify(value)).to.equal(false)
  })
})
