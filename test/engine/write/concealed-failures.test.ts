import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { typeOf } from '../../../engine/schema/registry.js'
import {
  concealStored,
  isSentScalar,
  isSentWhole,
} from '../../../engine/write/rules/conceal-stored.js'
import { inOrder } from '../../../engine/write/rules/validate.js'
import type { Failure } from '../../../engine/write/body/failure.js'
import { attributeError, placeDetails, throwFailures } from '../../../engine/write/body/failure.js'
import { component, contentType, define } from '../schema/define.js'

const registry = define(
  contentType({
    ...{ name: { type: 'string' }, user: { type: 'string' }, rank: { type: 'integer' } },
    ...{ hidden: { type: 'string', private: true }, secret: { type: 'password' } },
    ...{ maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker' } },
    part: { type: 'component', component: 'a.part' },
    parts: { type: 'component', component: 'a.part', repeatable: true },
    notes: { type: 'component', component: 'a.note', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.note'] },
  }),
  contentType({ name: { type: 'string' } }, {}, 'maker'),
  component('a.part', {
    ...{ label: { type: 'string' }, key: { type: 'password' } },
    ...{ cost: { type: 'integer', private: true }, photo: { type: 'media' } },
    inner: { type: 'component', component: 'a.note', repeatable: true },
  }),
  component('a.note', { words: { type: 'string' }, pin: { type: 'integer', private: true } }),
)
const type = typeOf(registry, 'api::thing.thing')
const wrong = 'must be a `string` type, but the final value was: `"s3cret\nline"`.'
const failure = (path: string, value: unknown, message = wrong): Failure => ({
  ...{ path: path === '' ? [] : path.split('.'), message, value },
})

const concealed = (given: Failure, isSent: boolean): Failure | undefined =>
  concealStored([given], { type, registry }, () => isSent)[0]
const without = (given: Failure): Failure => ({
  ...given,
  message: 'must be a `string` type.',
  value: undefined,
})

describe('concealStored', () => {
  const part = {
    ...{ id: 1, label: 'l', key: 'hash', cost: 5, photo: { documentId: 'p' } },
    inner: [{ id: 2, words: 'w', pin: 4 }, null],
  }
  const shown = { label: 'l', inner: [{ words: 'w' }, null] }

  it('keeps stored scalars that may be read', () => {
    for (const given of [failure('name', 'x'), failure('part.label', 'x'), failure('none', 'x')])
      expect(concealed(given, false)).to.equal(given)
  })

  it('removes stored values that may not be read, also from the message', () => {
    for (const path of ['hidden', 'secret', 'part.cost', 'parts.0.key', 'zone.1.pin']) {
      const given = failure(path, 's3cret')
      expect(concealed(given, false), path).to.deep.equal(without(given))
    }
    for (const path of ['parts.0.inner.12.pin', 'zone.0.cost']) {
      const given = failure(path, 7)
      expect(concealed(given, false), path).to.deep.equal(without(given))
    }
  })

  it('keeps private values that were sent, but removes passwords', () => {
    for (const path of ['hidden', 'part.cost', 'name']) {
      const given = failure(path, 'x')
      expect(concealed(given, true), path).to.equal(given)
    }
    for (const path of ['secret', 'parts.0.key']) {
      const given = failure(path, 'x')
      expect(concealed(given, true), path).to.deep.equal(without(given))
    }
  })

  it('keeps the readable scalars of a stored component, also of nested ones', () => {
    expect(concealed(failure('part', part), false)?.value).to.deep.equal(shown)
    expect(concealed(failure('parts', [part, 'x', null]), false)?.value).to.deep.equal([
      ...[shown, 'x', null],
    ])
    expect(concealed(failure('parts.0', part), false)?.value).to.deep.equal(shown)
    const zone = [
      ...[
        { __component: 'a.note', words: 'w', pin: 1 },
        { __component: 'a.part', ...part },
      ],
      { __component: 'a.gone', words: 'w' },
    ]
    expect(concealed(failure('zone', zone), false)?.value).to.deep.equal([
      ...[
        { __component: 'a.note', words: 'w' },
        { __component: 'a.part', ...shown },
      ],
      { __component: 'a.gone' },
    ])
  })

  it('removes the content of stored references', () => {
    const stored = { documentId: 'm1', order: 4 }
    expect(concealed(failure('maker', stored), false)?.value).to.deep.equal({})
  })

  it('keeps a sent component, unless it contains a password at any depth', () => {
    const plain = failure('part', { label: 7, cost: 1 }, 'wrong')
    expect(concealed(plain, true)).to.equal(plain)
    for (const value of [part, [{ deep: [{ key: 'x' }] }], '{"key":"x"}']) {
      expect(concealed(failure('parts', value), true)?.value).to.equal(undefined)
    }
    const message = 'wrong, but the final value was: `{"key":"x"}`.'
    expect(concealed(failure('part', null, message), true)?.message).to.equal('wrong.')
    const ofNotes = failure('notes', [{ key: 'x' }], 'wrong')
    expect(concealed(ofNotes, true)).to.equal(ofNotes)
  })
})

describe('values sent with a request', () => {
  it('are the scalars that the body names if the entry exists', () => {
    const isSent = isSentScalar(type, { name: 'x', part: {}, other: 1 })
    const sent = [['name'], ['user'], ['part'], ['other'], ['part', 'label'], ['name', '0'], []]
    expect(sent.map(isSent)).to.deep.equal([true, false, false, false, false, false, false])
  })

  it('are all attributes that the body names if nothing was published yet', () => {
    const isSent = isSentWhole({ part: {} })
    expect([['part'], ['part', 'label'], ['name'], []].map(isSent)).to.deep.equal([
      ...[true, true, false, true],
    ])
  })
})

describe('inOrder', () => {
  const order = (body: unknown, ...paths: readonly string[]) =>
    inOrder(
      type,
      body,
      paths.map((path) => failure(path, null)),
      registry,
    ).map(({ path }) => path.join('.'))

  it('sorts errors by the definition, with those of the whole body last', () => {
    expect(order({}, '', 'rank', 'name', 'user')).to.deep.equal(['name', 'user', 'rank', ''])
    expect(order({}, 'name')).to.deep.equal(['name'])
  })

  it('sorts errors of a list after those of its items', () => {
    const parts = Array.from({ length: 11 }, () => ({ label: 1 }))
    const paths = ['parts', 'parts.10.label', 'parts.2.inner', 'parts.2.label', 'name', 'parts.2']
    expect(order({ parts }, ...paths)).to.deep.equal([
      ...['name', 'parts.2.label', 'parts.2.inner', 'parts.2', 'parts.10.label', 'parts'],
    ])
  })

  it('sorts errors by the component of each dynamic zone item, with non-attributes first', () => {
    const zone = [{ __component: 'a.part' }, { __component: 'a.note' }, 'x']
    const paths = ['zone.1.words', 'zone.0.inner', 'zone.0.label', 'zone.0.__component']
    expect(order({ zone }, ...paths)).to.deep.equal([
      ...['zone.0.__component', 'zone.0.label', 'zone.0.inner', 'zone.1.words'],
    ])
  })

  it('sorts errors of nested components', () => {
    const part = { inner: [{ words: 1 }, { words: 2 }], label: 1 }
    expect(
      order(
        { part },
        'part.inner.1.words',
        'part.inner',
        'part.inner.0.words',
        'part.label',
        'part',
      ),
    ).to.deep.equal([
      ...['part.label', 'part.inner.0.words', 'part.inner.1.words', 'part.inner', 'part'],
    ])
  })
})

describe('throwFailures and attributeError', () => {
  const thrown = (failures: readonly Failure[]): ApiError | undefined => {
    try {
      throwFailures(failures)
      return undefined
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  it('throw nothing if there are no failures', () => {
    expect(thrown([])).to.equal(undefined)
  })

  it('throw the message of one failure, or the number of several', () => {
    const [one, two] = [failure('part.label', 7, 'wrong'), failure('name', undefined, 'missing')]
    expect(thrown([one])).to.include({ status: 400, name: 'ValidationError', message: 'wrong' })
    const error = thrown([one, two])
    expect(error?.message).to.equal('2 errors occurred')
    expect(error?.details).to.deep.equal({
      errors: [
        { path: ['part', 'label'], message: 'wrong', name: 'ValidationError', value: 7 },
        { path: ['name'], message: 'missing', name: 'ValidationError' },
      ],
    })
  })

  it('return the same error for a single attribute', () => {
    const error = attributeError(['a', 'b'], 'wrong', 7)
    expect(error).to.deep.include({ message: 'wrong' })
    expect(error).to.have.deep.property('details', {
      errors: [{ path: ['a', 'b'], message: 'wrong', name: 'ValidationError', value: 7 }],
    })
    expect(placeDetails(['a', 'b'])).to.deep.equal({ path: 'a.b', source: 'body' })
  })
})
