import { expect } from 'chai'
import { referencePlaces } from '../../../engine/schema/reference-places.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import { validateDisconnected } from '../../../engine/write/rules/validate-save.js'
import type { Change } from '../../../engine/write/change/change.js'
import { component, contentType, define } from '../schema/define.js'

const relation = (kind: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: 'api::maker.maker' },
  ...more,
})
const attributes = {
  ...{ name: { type: 'string', required: true }, free: relation('manyToMany') },
  maker: relation('manyToOne', { required: true }),
  makers: relation('manyToMany', { required: true }),
  part: { type: 'component', component: 'a.part' },
}
const registry = define(
  contentType(attributes, {}, 'plain'),
  contentType(attributes, { options: { draftAndPublish: true } }, 'drafted'),
  contentType({ name: { type: 'string' } }, {}, 'maker'),
  component('a.part', { maker: relation('oneToOne', { required: true }) }),
)
const to = (documentId: string) => ({ documentId, order: 1 })
const whole = { name: 'n', maker: to('k1'), makers: [to('k1')], free: [], part: null }

function errorsOf(
  body: Readonly<Record<string, unknown>>,
  content: object,
  { of = 'plain', requiredRelations = true } = {},
): readonly string[] {
  const type = typeOf(registry, `api::${of}.${of}`)
  const change: Change = {
    ...{
      type,
      documentId: 'd1',
      locale: null,
      before: undefined,
      createsDocument: false,
      publish: false,
    },
    ...{ conditional: false, values: {}, content: { ...whole, ...content }, stamps: {} },
    ...{ common: [], shared: [], inverse: [], takeOvers: [], pending: [], settles: false },
    ...{ places: referencePlaces(type, registry), actor: null, now: 1, connectedAt: 1 },
  }
  const request = { type, body, registry, requiredRelations }
  return validateDisconnected(change, request, new Map(), createPatternAnswers()).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )
}

describe('validateDisconnected', () => {
  const disconnection = { disconnect: ['k1'] }

  it('reports a required relation that a disconnect leaves empty', () => {
    expect(errorsOf({ maker: disconnection }, { maker: null })).to.deep.equal([
      'maker: maker must be defined.',
    ])
    expect(errorsOf({ makers: disconnection }, { makers: [] })).to.have.length(1)
    expect(errorsOf({ part: { id: 1, maker: disconnection } }, { part: { id: 1, maker: null } }))
      .to.deep //
      .equal(['part.maker: part.maker must be defined.'])
  })

  it('reports nothing if the relation keeps targets', () => {
    expect(errorsOf({ maker: disconnection }, {})).to.deep.equal([])
    expect(errorsOf({ makers: disconnection }, { makers: [to('k2')] })).to.deep.equal([])
  })

  it('reports nothing if the relation is optional', () => {
    expect(errorsOf({ free: disconnection }, { free: [] })).to.deep.equal([])
    expect(errorsOf({ free: disconnection, maker: 'k2' }, { maker: null })).to.deep.equal([])
  })

  it('reports nothing if the body disconnects nothing', () => {
    expect(errorsOf({ name: 'n' }, { maker: null })).to.deep.equal([])
    expect(errorsOf({ maker: { connect: ['k1'] } }, { maker: null })).to.deep.equal([])
    expect(errorsOf({ maker: { disconnect: [] } }, { maker: null })).to.deep.equal([])
    expect(errorsOf({ maker: null }, { maker: null })).to.deep.equal([])
  })

  it('reports only attributes that the body names', () => {
    expect(
      errorsOf({ maker: disconnection }, { maker: null, name: null, makers: [] }),
    ).to.have.length(1)
    expect(
      errorsOf({ maker: disconnection, name: 'n' }, { maker: null, name: null }),
    ).to.have.length(2)
  })

  it('reports nothing for types with drafts, which publishing validates', () => {
    expect(errorsOf({ maker: disconnection }, { maker: null }, { of: 'drafted' })).to.deep.equal([])
  })

  it('reports nothing if requiredRelations is off', () => {
    expect(
      errorsOf({ maker: disconnection }, { maker: null }, { requiredRelations: false }),
    ).to.deep.equal([])
  })
})
