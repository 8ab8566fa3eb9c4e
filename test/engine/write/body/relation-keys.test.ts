import { expect } from 'chai'
import { builtIn, typeOf } from '../../../../engine/schema/registry.js'
import {
  attributeShown,
  readEdgeKeys,
  readOptions,
  strictOf,
  unwrap,
} from '../../../../engine/write/body/edge-keys.js'
import { contentType, define } from '../../schema/define.js'

const registry = define(
  contentType({ name: { type: 'string' } }, {}, 'maker'),
  contentType({ position: { type: 'integer' } }, {}, 'step'),
)
const maker = typeOf(registry, 'api::maker.maker')
const step = typeOf(registry, 'api::step.step')

class Refused extends Error {}

const read = (value: unknown, target = maker, ignored?: (path: string) => void): unknown =>
  readEdgeKeys(value, {
    ...{ target, ignored, path: ['part', 'maker'] },
    isShown: (name) => name === 'name' || name === 'position',
    refuse: (key, known) => new Refused(`${key}, not ${[...known].join(' ')}`),
  })

function refusal(make: () => unknown): unknown {
  try {
    return { accepted: make() }
  } catch (error) {
    if (error instanceof Refused) return error.message
    return error instanceof Error ? `error: ${error.message}` : error
  }
}
const refused = (value: unknown, target = maker): unknown => refusal(() => read(value, target))

const item = 'id documentId locale position'
const operations = `set connect disconnect options ${item}`

describe('keys of a relation payload', () => {
  it('accepts plain ids without keys', () => {
    for (const value of [null, undefined, true, 'k1', 7, ['k1', 7], []])
      expect(read(value)).to.deep.equal(value)
  })

  it('unwraps the data of a populated response', () => {
    expect(read({ data: ['k1'] })).to.deep.equal(['k1'])
    expect(read({ data: { id: 1, name: 'a' } })).to.deep.equal({ id: 1 })
    expect(read({ data: null })).to.equal(null)
    expect(unwrap({ data: undefined })).to.equal(undefined)
    expect(unwrap({ data: 'k1' })).to.deep.equal({ data: 'k1' })
    expect(unwrap({ data: [], meta: {} })).to.deep.equal({ data: [], meta: {} })
    expect(unwrap({ id: 1 })).to.deep.equal({ id: 1 })
    expect(refused({ data: 'k1' })).to.equal(`data, not ${operations}`)
    expect(refused({ data: [], meta: {} })).to.equal(`data, not ${operations}`)
  })

  it('drops attributes that a response shows with the target', () => {
    const shown = {
      ...{ name: 'a', createdAt: 1, updatedAt: 1, publishedAt: 1, createdBy: 1, updatedBy: 1 },
      ...{ localizations: [], attributes: {} },
    }
    const names = { id: 7, documentId: 'k1', locale: 'fr' }
    expect(read({ ...names, ...shown })).to.deep.equal(names)
    expect(read([{ id: 7, ...shown }, 'k2'])).to.deep.equal([{ id: 7 }, 'k2'])
    expect(read({ set: [{ documentId: 'k1', ...shown }] })).to.deep.equal({
      set: [{ documentId: 'k1' }],
    })
  })

  it('rejects unknown keys', () => {
    expect(refused({ id: 7, secret: 1 })).to.equal(`secret, not ${item}`)
    expect(refused([{ documentId: 'k1', secret: 1 }])).to.equal(`secret, not ${item}`)
    expect(refused({ set: [{ name: 'a' }] })).to.equal(`name, not ${item}`)
    expect(refused({ connect: { createdAt: 1 } })).to.equal(`createdAt, not ${item}`)
    expect(refused({ name: 'a' })).to.equal(`name, not ${operations}`)
    expect(refused({ conect: [] })).to.equal(`conect, not ${operations}`)
  })

  it('checks positions only inside connect', () => {
    const odd = { id: 1, position: { start: true, end: true } }
    expect(read(odd)).to.deep.equal(odd)
    expect(read({ disconnect: [odd] })).to.deep.equal({ disconnect: [odd] })
    const placed = { id: 1, position: { before: 'k2' } }
    expect(read({ connect: [placed, { id: 2 }, 'k3'] })).to.deep.equal({
      connect: [placed, { id: 2 }, 'k3'],
    })
    expect(read({ connect: { id: 1, position: 'end' } })).to.deep.equal({
      connect: { id: 1, position: undefined },
    })
    expect(refused({ connect: [odd] })).to.equal(
      'error: The position of part.maker must be an object with one of before, after, start and end',
    )
    expect(read({ connect: [odd], options: { strict: false } })).to.deep.equal({
      ...{ connect: [{ id: 1, position: undefined }], options: { strict: false } },
    })
    const other = { id: 1, position: { start: true, foo: 1 } }
    expect(refused({ connect: [other], options: { strict: true } })).to.equal(
      'foo, not before after start end',
    )
    const ignored: string[] = []
    read({ connect: [other] }, maker, (path) => ignored.push(path))
    expect(ignored).to.deep.equal(['data.part.maker.position.foo'])
  })

  it('distinguishes a position from an attribute named position', () => {
    expect(read({ id: 1, position: 3 }, step)).to.deep.equal({ id: 1 })
    expect(read({ id: 1, position: { start: true } }, step)).to.deep.equal({ id: 1 })
    expect(read({ connect: [{ id: 1, position: 3 }] }, step)).to.deep.equal({
      connect: [{ id: 1 }],
    })
    const placed = { id: 1, position: { start: true } }
    expect(read({ connect: [placed] }, step)).to.deep.equal({ connect: [placed] })
    expect(read({ set: [placed] }, step)).to.deep.equal({ set: [{ id: 1 }] })
  })

  it('accepts only a boolean strict in options', () => {
    const options = (value: unknown) =>
      refusal(() =>
        readOptions(value, (key, known) => new Refused(`${key}, not ${[...known].join(' ')}`)),
      )
    for (const value of [null, undefined, {}, { strict: true }, { strict: false }])
      expect(options(value)).to.deep.equal({ accepted: value })
    expect(options({ strict: 1 })).to.equal('strict, not strict')
    expect(options({ foo: true })).to.equal('foo, not strict')
    for (const value of [5, 'x', []]) expect(options(value)).to.equal('options, not strict')
    expect(refused({ options: 5 })).to.equal('options, not strict')
    expect([{}, { options: 5 }, { options: { strict: 1 } }].map(strictOf)).to.deep.equal([
      ...[undefined, undefined, undefined],
    ])
    expect(strictOf({ options: { strict: false } })).to.equal(false)
    expect(strictOf({ options: { strict: true } })).to.equal(true)
  })

  it('finds the attribute "related" only on files', () => {
    const file = typeOf(registry, builtIn.file)
    expect(attributeShown(file, 'related')?.name).to.equal('related')
    expect(attributeShown(file, 'url')?.name).to.equal('url')
    expect(attributeShown(file, 'other')).to.equal(undefined)
    expect(attributeShown(maker, 'related')).to.equal(undefined)
    expect(attributeShown(maker, 'name')?.name).to.equal('name')
  })
})
