import { expect } from 'chai'
import { createDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { published, refusal, startWriting } from './start-writing.js'

const text = { type: 'text', text: 'a', bold: true, italic: false, code: null }
const link = { type: 'link', url: 'https://example.org/a?b#c', children: [text] }
const item = { type: 'list-item', children: [text, link] }
const list = { type: 'list', format: 'unordered', children: [item] }
const image = { url: '/uploads/a.png', alternativeText: 'kept', width: 1 }

describe('rich text blocks', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = (blocks: unknown) =>
    createDocument(writing.context, writing.type('record'), published, { blocks })
  const failures = async (...blocks: readonly unknown[]) => {
    const { details } = await refusal(create(blocks))
    const { errors } = details as { errors: { path: string[]; message: string }[] }
    return errors.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`)
  }

  it('are stored unchanged, with every type of node and extra properties', async () => {
    const blocks = [
      ...['paragraph', 'quote', 'code'].map((type) => ({ type, children: [text, link] })),
      ...[1, 6].map((level) => ({ type: 'heading', level, children: [text] })),
      {
        ...list,
        format: 'ordered',
        indentLevel: 0,
        children: [item, { ...list, children: [list] }],
      },
      { type: 'image', image, children: [{ type: 'text', text: '' }] },
      { type: 'paragraph', children: [{ ...link, url: '/relative' }] },
      { type: 'paragraph', children: [] },
    ]
    await create(blocks)
    expect((await writing.stored('records'))[0]?.['blocks']).to.deep.equal(blocks)
    for (const empty of [[], null]) await create(empty)
  })

  it('are validated node by node', async () => {
    const invalid = 'Block node is of invalid type'
    expect(await failures({ type: 'table', children: [] })).to.deep.equal([`0: ${invalid}`])
    expect(await failures(1, 'a', [], {})).to.deep.equal(
      [0, 1, 2, 3].map((at) => `${at}: ${invalid}`),
    )
    for (const [children, message] of [
      [undefined, 'children: blocks[0].children is a required field'],
      ['a', 'children: blocks[0].children must be a `array` type, but the final value was: `"a"`.'],
      [[list], 'children.0: Inline node is of invalid type'],
      [[{ type: 'text' }], 'children.0.text: Text must be a string'],
      [[{ type: 'text', text: null }], 'children.0.text: Text must be a string'],
      [
        [{ ...text, bold: 'much' }],
        'children.0.bold: blocks[0].children[0].bold must be a `boolean` type, but the final value was: `"much"`.',
      ],
      [[{ ...link, url: 'nowhere' }], 'children.0.url: Please specify a valid link.'],
      [
        [{ ...link, children: [{ ...link, text: '' }] }],
        'children.0.children.0.type: blocks[0].children[0].children[0].type must be one of the following values: text',
      ],
    ] as const)
      expect((await failures({ type: 'paragraph', children }))[0]).to.equal(`0.${message}`)
  })

  it('are rejected if a heading, list or image is invalid', async () => {
    const children = [text]
    const level = (level: unknown) => failures({ type: 'heading', level, children })
    expect(await level(undefined)).to.deep.equal(['0.level: blocks[0].level is a required field'])
    expect(await level(0)).to.deep.equal([
      '0.level: blocks[0].level must be greater than or equal to 1',
    ])
    expect(await level(7)).to.deep.equal([
      '0.level: blocks[0].level must be less than or equal to 6',
    ])
    expect(await failures({ ...list, format: 'dotted' })).to.deep.equal([
      '0.format: blocks[0].format must be one of the following values: ordered, unordered',
    ])
    expect(await failures({ ...list, children: [text] })).to.deep.equal([
      '0.children.0: List node is of invalid type',
    ])
    for (const image of [undefined, {}, null])
      expect((await failures({ type: 'image', image, children }))[0]).to.match(/^0\.image/)
  })
})
