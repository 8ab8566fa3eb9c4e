import { expect } from 'chai'
import { createDocument } from '../../../engine/write.js'
import { component, contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { published, refusal, startWriting } from './start-writing.js'

const required = (type: string) => ({ type, required: true })
const kinds = {
  ...{ string: ['string', 'text', 'richtext', 'email', 'uid', 'password'] },
  ...{ number: ['integer', 'biginteger', 'float', 'decimal'], boolean: ['boolean'] },
  ...{ date: ['date', 'time', 'datetime', 'timestamp'] },
  ...{ json: ['json'], array: ['array', 'blocks'] },
}
const scalars = Object.values(kinds).flat()
const model = (drafts: boolean) => [
  // The names are not in alphabetical order, and `name` is a part of `username`.
  component('shop.size', {
    username: required('string'),
    depth: required('integer'),
    name: required('string'),
    at: { type: 'datetime' },
    shelf: relation('oneToOne', 'shelf'),
  }),
  component('shop.note', { name: required('string'), user: required('string') }),
  contentType('shelf', { name: { type: 'string' } }),
  contentType('box', {
    username: required('string'),
    sizes: { type: 'component', component: 'shop.size', repeatable: true, min: 3 },
    parts: { type: 'dynamiczone', components: ['shop.size', 'shop.note'] },
    day: { type: 'date' },
    main: { type: 'component', component: 'shop.size' },
    shelf: relation('oneToOne', 'shelf'),
    name: required('string'),
  }),
  contentType('all', Object.fromEntries(scalars.map((type) => [`a_${type}`, required(type)])), {
    drafts,
  }),
]

describe('validation errors of a body', () => {
  let plain: Writing
  let drafting: Writing
  before(async () => {
    plain = await startWriting(model(false))
    drafting = await startWriting(model(true))
  })
  after(async () => {
    await plain.stop()
    await drafting.stop()
  })

  const failures = async ({ context, type }: Writing, name: string, data: unknown) => {
    const { details } = await refusal(createDocument(context, type(name), published, data))
    return (details as { errors: { path: string[]; message: string }[] }).errors
  }
  const paths = async (data: unknown) =>
    (await failures(plain, 'box', data)).map(({ path }) => path.join('.'))

  it('follow the order of the definition, with the errors of a list after those of its items', async () => {
    const parts = [{ __component: 'shop.note' }, {}, { __component: 'shop.size' }]
    expect(await paths({ main: {}, parts, sizes: [{}, { depth: 'x' }] })).to.deep.equal([
      'username',
      ...['sizes.0.username', 'sizes.0.depth', 'sizes.0.name'],
      ...['sizes.1.username', 'sizes.1.depth', 'sizes.1.name', 'sizes'],
      ...['parts.0.name', 'parts.0.user', 'parts.1.__component'],
      ...['parts.2.username', 'parts.2.depth', 'parts.2.name'],
      ...['main.username', 'main.depth', 'main.name'],
      'name',
      '',
    ])
  })

  it('say that a missing required attribute must be defined, for every type', async () => {
    expect(await failures(plain, 'all', {})).to.deep.equal(
      scalars.map((type) => ({
        path: [`a_${type}`],
        message: `a_${type} must be defined.`,
        name: 'ValidationError',
        // Errors of passwords have no hints.
        ...(type === 'password'
          ? {}
          : { expected: 'a value', suggestion: 'Send a value: it is required' }),
      })),
    )
  })

  it('name the expected type of missing attributes if the type has drafts', async () => {
    const messages = (await failures(drafting, 'all', {})).map(({ message }) => message)
    const ends = Object.entries(kinds).flatMap(([kind, types]) =>
      types.map((type) => {
        const value = type === 'password' ? '' : ', but the final value was: `null`'
        return `a_${type} must be a \`${kind}\` type${value}.`
      }),
    )
    expect(messages).to.deep.equal(ends)
  })

  it('give the path of an invalid date or relation target inside components', async () => {
    const size = { username: '', depth: 1, name: '' }
    const whole = { username: '', name: '' }
    for (const [data, path] of [
      [{ day: 'never' }, 'day'],
      [{ main: { ...size, at: 'never' } }, 'main.at'],
      [{ sizes: [size, size, { ...size, at: 'never' }] }, 'sizes.2.at'],
      [{ parts: [{ __component: 'shop.size', ...size, at: 'never' }] }, 'parts.0.at'],
      [{ shelf: 'nowhere' }, 'shelf'],
      [{ shelf: 9999 }, 'shelf'],
      [{ shelf: { connect: [''] } }, 'shelf'],
      [{ sizes: [size, size, { ...size, shelf: 'nowhere' }] }, 'sizes.2.shelf'],
    ] as const)
      expect(await paths({ ...whole, ...data }), path).to.deep.equal([path])
  })

  it('report a list sent as data as null', async () => {
    const message =
      'data must be a `object` type, but the final value was: `null` (cast from the value `[]`).'
    expect(await failures(plain, 'box', [])).to.deep.equal([
      { path: ['data'], message, name: 'ValidationError', value: null },
    ])
  })
})
