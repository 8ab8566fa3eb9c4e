import type { Sent } from './write.js'

const product = (data: unknown, may?: readonly string[]): Sent => ({
  ...{ to: 'product', data },
  ...(may === undefined ? {} : { may }),
})
const strict = (data: unknown): Sent => ({ to: 'strict', data })
const one = (name: string, ...values: readonly unknown[]): readonly Sent[] =>
  values.map((value) => product({ [name]: value }))
const block = (...nodes: readonly unknown[]): Sent => product({ story: nodes })
const text = (words: unknown, more: object = {}) => ({ type: 'text', text: words, ...more })
const inline = (...children: readonly unknown[]): Sent => block({ type: 'paragraph', children })
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])

const values: readonly Sent[] = [
  ...one('name', 'ab', 'abcde', 'a', 'abcdef', '', 5, null, ['ab'], true, {}),
  ...one('line', 'x'.repeat(255), 'x'.repeat(256), '', null),
  ...one('text', 'a b', 'A', '', 'x'.repeat(300), 5),
  ...one('rich', 'abc', 'abcd'),
  ...one('mail', 'a@b.co', 'a', '', null, 5),
  ...one('slug', 'a-b_c.~9', 'a b', 'é', '', null),
  ...one('colour', 'red', 'green', null, '', 5),
  ...one('secret', 'abc', 'ab', '', 5, null, ['abc']),
  ...one('count', 1, 10, 0, 11, '5', 1.5, 'x', '', null, [1], true, {}),
  ...one('plain', 2 ** 53 - 1, 2 ** 53, -(2 ** 53), -(2 ** 53) + 1, '#9007199254740993', '0x10'),
  ...one('ratio', 1.5, -1.5, 1.6, -1.6, '1', 'x', [1], '#1e999'),
  ...one(
    'price',
    0.5,
    99.5,
    '0.5',
    0.4,
    '99.51',
    'x',
    true,
    [1],
    '1'.repeat(35),
    '#0.50',
    null,
    {},
  ),
  ...one('sum', '1'.repeat(34), '1'.repeat(35), '#1.10', 1e300, '#0.10000000000000000001', ''),
  ...one('big', '2', 2, '1', '9007199254740993', '9007199254740994', 'x', 1.5, null, [2], '#3'),
  ...one('huge', '9223372036854775807', '9223372036854775808', '#9007199254740993', true, {}),
  ...one('flag', true, false, 'true', 'false', '1', 0, 'yes', null, [true], {}),
  ...one('meta', 1, null, '{"a":1}', [1], { a: { b: '#1.5' } }, '#1e999', ['#1e999']),
  ...one('rows', [], [1, 'a'], 'a', {}, null),
  ...one('day', '2024-01-15', 'x', 5),
  ...one('at', '2024-01-15', 'x', 5),
  ...one('clock', '10:00:00', 'x', 5),
  ...one('hidden', 1, 'x'),
]

const blocks: readonly Sent[] = [
  ...one('story', [], null, 'x', {}, [null], ['x'], [[]], [{}], [{ type: 5 }]),
  inline(),
  inline(
    text('a', { bold: true, italic: false, underline: null, strikethrough: true, code: true }),
  ),
  inline(text('a', { bold: 'x', italic: 'x', underline: 'x', strikethrough: 'x', code: 'x' })),
  inline(text('')),
  inline(text(5)),
  inline(text(null)),
  inline({ type: 'text' }),
  inline({ type: 'nope' }),
  inline(5),
  inline({ type: 'link', url: 'https://a.b', children: [text('a')] }),
  inline({ type: 'link', url: '/a', children: [text('a')] }),
  inline({ type: 'link', url: 'a b', children: [] }),
  inline({ type: 'link', url: '//', children: [] }),
  inline({ type: 'link', children: [text('a')] }),
  inline({ type: 'link', url: '/a' }),
  inline({ type: 'link', url: '/a', children: [{ type: 'link', url: '/', children: [] }] }),
  ...['paragraph', 'quote', 'code', 'heading', 'list', 'image', 'text', 'nope'].map((type) =>
    block({ type, children: [text('a')] }),
  ),
  ...['paragraph', 'quote', 'code', 'heading', 'list', 'image'].map((type) => block({ type })),
  ...[1, 6, 0, 7, 1.5, '2', 'x', null].map((level) =>
    block({ type: 'heading', level, children: [text('a')] }),
  ),
  ...['ordered', 'unordered', 'x', null].map((format) =>
    block({ type: 'list', format, children: [{ type: 'list-item', children: [text('a')] }] }),
  ),
  block({
    type: 'list',
    format: 'ordered',
    children: [{ type: 'list', format: 'unordered', children: [] }],
  }),
  block({
    type: 'list',
    format: 'ordered',
    children: [{ type: 'list', format: 'x', children: [] }],
  }),
  block({ type: 'list', format: 'ordered', children: [{ type: 'paragraph', children: [] }, 5] }),
  block({ type: 'list', format: 'ordered', children: [{ type: 'list-item' }] }),
  block({ type: 'image', image: { url: '/a.png' }, children: [text('')] }),
  block({ type: 'image', image: {}, children: [] }),
  block({ type: 'image', image: null, children: [] }),
  product({ story: Array.from({ length: 10_001 }, () => 1) }),
]

const part = (more: object = {}) => ({ label: 'a', ...more })
const structures: readonly Sent[] = [
  ...one(
    'part',
    part(),
    {},
    null,
    'x',
    [],
    part({ size: 10 }),
    part({ size: null }),
    part({ id: 3 }),
  ),
  ...one(
    'part',
    { id: 3 },
    { id: 3, label: null },
    part({ foo: 1 }),
    part({ siez: 1 }),
    part({ cots: 1 }),
  ),
  ...one(
    'part',
    part({ notes: [{ words: 'a' }, {}] }),
    part({ notes: [{ words: 5, price: '#1.50' }] }),
  ),
  ...one(
    'part',
    part({ __component: 'shop.part' }),
    part({ notes: [{ foo: 1 }] }),
    part({ key: 5 }),
  ),
  ...one('part', part({ key: 'abc', size: 'x' }), part({ cost: 'x' })),
  ...one('parts', [part(), part()], [part()], [], null, 'x', {}, [part(), part(), part(), part()]),
  ...one('parts', [part({ id: 1 }), part({ id: 1 })], [part({ id: 1 }), part({ id: '1' })]),
  ...one('parts', [part(), null], [part(), 5], [{ id: 1 }, { id: 2 }], [part(), { size: 'x' }]),
  ...one(
    'parts',
    [part({ id: 1 }), part({ id: 2 }), part({})],
    [part({ key: 5 }), part({ cost: 'x' })],
  ),
  ...one('zone', [], null, 'x', [part({ __component: 'shop.part' })], [part()], [5], [null]),
  ...one(
    'zone',
    [{ __component: 'shop.nope' }],
    [{ __component: 5 }],
    [{ __component: 'shop.note' }],
  ),
  ...one('zone', [{ __component: 'shop.part', foo: 1 }], [{ __component: 'shop.nope', foo: 1 }]),
  ...one(
    'zone',
    [1, 2, 3].map(() => ({ __component: 'shop.note', words: 'a' })),
  ),
  ...one('zone', [{ __component: 'shop.part', id: 1, key: 'abc', size: 'x', cost: 'x' }], {
    __component: 'shop.part',
  }),
  ...one('zone', [{ __component: 'shop.note', words: 'a', price: '#0.10' }]),
  product({ parts: Array.from({ length: 10_001 }, () => 1) }),
  product({
    zone: [part({ __component: 'shop.part', notes: Array.from({ length: 10_000 }, () => 1) })],
  }),
]

const relations: readonly Sent[] = ['maker', 'makers', 'photo', 'photos'].flatMap((name) =>
  one(
    name,
    ...[null, 'k1', 7, '7', '', true, ['k1', 7], { documentId: 'k1' }, { id: 7 }, { set: ['k1'] }],
    ...[{ connect: ['k1'] }, { disconnect: ['k1'] }, { set: [] }, { connect: [], disconnect: [] }],
    ...[
      { documentId: 'k1', foo: 1 },
      { foo: 1 },
      { conect: ['k1'] },
      { set: [{ documentid: 'k1' }] },
    ],
    ...[{ connect: [{ documentId: 'k1', position: { before: 'k2' }, locale: 'en' }], options: {} }],
    ...[{ documentId: 'k1', set: ['k2'] }, { options: { strict: true } }, [{ id: 7, x: 1 }]],
  ),
)

const keys: readonly Sent[] = [
  ...[
    null,
    [],
    [1],
    'x',
    5,
    true,
    undefined,
    [{ secret: 'abc' }],
    [{ parts: [{ key: 'abc' }] }],
  ].map((data) => product(data)),
  ...['["secret"]', ['secret']].map((data) => product([data])),
  product({}),
  ...[
    'id',
    'documentId',
    'createdAt',
    'updatedAt',
    'createdBy',
    'updatedBy',
    'localizations',
  ].flatMap((name) => [product({ [name]: 1 }), strict({ [name]: 1 })]),
  ...['locale', 'publishedAt', 'foo', 'nmae', 'hiden', 'mker', '__component', 'constructor'].map(
    (name) => product({ [name]: 1 }),
  ),
  product({ maker: 'k1' }, ['product.create']),
  product({ maker: 'k1' }, ['product.create', 'maker.find']),
  product({ mker: 'k1' }, ['product.create']),
  product({ part: part({ maker: 'k1' }) }, ['product.create']),
  product({ part: part({ maekr: 'k1' }) }, ['product.create']),
  product({ part: part({ maekr: 'k1' }) }),
  product({ photo: 7 }, ['product.create']),
  product({ zone: [part({ __component: 'shop.part', maker: null })] }, ['product.create']),
  { to: 'maker', data: { products: ['k1'] } },
  { to: 'maker', data: { products: { set: [], connect: ['k1'] } }, may: ['maker.create'] },
  ...['a\0b', '\ud800', 'a\udc00b', '\u{1f600}'].flatMap((odd) => [
    product({ line: odd }),
    product({ [odd]: 1 }),
    product({ meta: { [odd]: 1 } }),
    product({ meta: { a: [odd] } }),
  ]),
  product(JSON.parse('{"__proto__":1}')),
  product({ meta: JSON.parse('{"a":{"__proto__":1}}') as unknown }),
  product({ meta: [{ _bsontype: 'Long' }] }),
  product({ meta: nested(98) }),
  product({ meta: nested(99) }),
  product({ meta: nested(100) }),
  product({ meta: { a: Infinity } }),
  product({ meta: [NaN] }),
  product({ name: 'x', count: 99, part: {}, hidden: 'x', secret: 'a' }),
]

const required: readonly Sent[] = [
  strict({}),
  strict({
    name: null,
    count: null,
    secret: null,
    maker: null,
    photo: null,
    part: null,
    parts: null,
    zone: null,
  }),
  strict({
    ...{ name: 'a', secret: 'abc', maker: 'k1', photo: 7, part: part(), parts: [part()] },
    zone: [{ __component: 'shop.note', words: 'a' }],
  }),
  strict({ parts: [], zone: [], maker: [], photo: { set: [] } }),
  strict({ maker: { connect: [] }, photo: { connect: [7] } }),
  strict({ maker: { disconnect: ['k1'] }, photo: { disconnect: [7] } }),
  strict({ maker: {}, photo: [] }),
  strict({ maker: [{}], photo: '' }),
  strict({ parts: [{}], zone: [{ __component: 'shop.note' }], part: {} }),
  strict({ part: { id: 1 }, parts: [{ id: 1 }], shared: [{ id: 1 }, { id: 1 }] }),
  strict({ secret: 'abc', name: '' }),
]

/** Bodies for the shop. Their outcomes are recorded. */
export const bodies: readonly Sent[] = [
  ...values,
  ...blocks,
  ...structures,
  ...relations,
  ...keys,
  ...required,
]
