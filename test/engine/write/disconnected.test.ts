import { expect } from 'chai'
import { referencePlaces } from '../../../engine/schema/reference-places.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import { validateDisconnected } from '../../../engine/write/rules/validate-disconnected.js'
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

/** What is told of a write that leaves an entry with this content. */
function told(
  body: Readonly<Record<string, unknown>>,
  content: object,
  { of = 'plain', requiredRelations = true } = {},
): readonly string[] {
  const type = typeOf(registry, `api::${of}.${of}`)
  const change: Change = {
    ...{ type, documentId: 'd1', locale: null, before: undefined, alone: false, publish: false },
    ...{ conditional: false, values: {}, content: { ...whole, ...content }, stamps: {} },
    ...{ common: [], shared: [], inverse: [], takeOvers: [], pending: [], settles: false },
    ...{ places: referencePlaces(type, registry), actor: null, now: 1, connectedAt: 1 },
  }
  const request = { type, body, registry, requiredRelations }
  return validateDisconnected(change, request, new Map(), createPatternAnswers()).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )
}

describe('What a body leaves empty by disconnecting', () => {
  const away = { disconnect: ['k1'] }

  it('is told where the relation is asked for', () => {
    expect(told({ maker: away }, { maker: null })).to.deep.equal(['maker: maker must be defined.'])
    expect(told({ makers: away }, { makers: [] })).to.have.length(1)
    expect(told({ part: { id: 1, maker: away } }, { part: { id: 1, maker: null } }))
      .to.deep //
      .equal(['part.maker: part.maker must be defined.'])
  })

  it('is nothing where something stays', () => {
    expect(told({ maker: away }, {})).to.deep.equal([])
    expect(told({ makers: away }, { makers: [to('k2')] })).to.deep.equal([])
  })

  it('is not asked where the relation may be empty', () => {
    expect(told({ free: away }, { free: [] })).to.deep.equal([])
    expect(told({ free: away, maker: 'k2' }, { maker: null })).to.deep.equal([])
  })

  it('is not looked for where a body disconnects nothing', () => {
    expect(told({ name: 'n' }, { maker: null })).to.deep.equal([])
    expect(told({ maker: { connect: ['k1'] } }, { maker: null })).to.deep.equal([])
    expect(told({ maker: { disconnect: [] } }, { maker: null })).to.deep.equal([])
    expect(told({ maker: null }, { maker: null })).to.deep.equal([])
  })

  it('is told alone: what is wrong with the rest of the entry is not this write’s', () => {
    expect(told({ maker: away }, { maker: null, name: null, makers: [] })).to.have.length(1)
    expect(told({ maker: away, name: 'n' }, { maker: null, name: null })).to.have.length(2)
  })

  it('is left to publishing where a type has drafts', () => {
    expect(told({ maker: away }, { maker: null }, { of: 'drafted' })).to.deep.equal([])
  })

  it('is not asked for where relations need not be there', () => {
    expect(told({ maker: away }, { maker: null }, { requiredRelations: false })).to.deep.equal([])
  })
})
