import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import type { Condition } from '../../../../engine/read/plan/read-plan.js'
import { contentType, define } from '../../schema/define.js'
import { prepare } from '../execute/prepare.js'

const registry = define(contentType({ meta: { type: 'json' }, name: { type: 'string' } }))
const how = { registry, uid: 'api::thing.thing' }

const match = (filters: string): Condition => simple(prepare(filters, how).plan().match)

/** Unwraps `all` and `any` with a single member. */
const simple = (condition: Condition): Condition => {
  if (condition.kind !== 'all' && condition.kind !== 'any') return condition
  const [only, ...others] = condition.of
  return only !== undefined && others.length === 0 ? simple(only) : condition
}

function refusal(filters: string): unknown {
  try {
    return match(filters)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.message]
  }
}

const at = (of: object, negated = false, keys = ['colour']) => ({
  ...{ kind: 'test', path: 'meta' },
  test: { op: 'at', keys, of, negated },
})
const among = (...texts: readonly string[]) => ({ op: 'in', texts })
const meta = (condition: string) => match(`filters[meta][colour]${condition}`)

describe('filter on a JSON path', () => {
  it('compares with a text or a list of texts', () => {
    expect(meta('[$eq]=red')).to.deep.equal(at(among('red')))
    expect(meta('=red')).to.deep.equal(at(among('red')))
    expect(meta('[$in][0]=red&filters[meta][colour][$in][1]=5')).to.deep.equal(
      at(among('red', '5')),
    )
    expect(meta('[$ne]=red')).to.deep.equal(at(among('red'), true))
    expect(meta('[$notIn][0]=red&filters[meta][colour][$notIn][1]=blue')).to.deep.equal(
      at(among('red', 'blue'), true),
    )
  })

  it('negates a condition under $not and cancels a double negation', () => {
    expect(meta('[$not][$eq]=red')).to.deep.equal(at(among('red'), true))
    expect(meta('[$not][$ne]=red')).to.deep.equal(at(among('red')))
    expect(meta('[$not][$not][$eq]=red')).to.deep.equal(at(among('red')))
    expect(meta('[$not][$gt]=5')).to.deep.equal(at({ op: 'gt', texts: ['5'] }, true))
  })

  it('tests for null with $null and $notNull', () => {
    const isNull = { op: 'null' }
    expect(meta('[$null]=true')).to.deep.equal(at(isNull))
    expect(meta('[$null]=false')).to.deep.equal(at(isNull, true))
    expect(meta('[$notNull]=true')).to.deep.equal(at(isNull, true))
    expect(meta('[$notNull]=false')).to.deep.equal(at(isNull))
    expect(meta('[$not][$null]=true')).to.deep.equal(at(isNull, true))
  })

  it('compares by order with $lt, $lte, $gt, $gte and $between', () => {
    for (const op of ['lt', 'lte', 'gt', 'gte'])
      expect(meta(`[$${op}]=5`)).to.deep.equal(at({ op, texts: ['5'] }))
    expect(meta('[$between][0]=1&filters[meta][colour][$between][1]=5')).to.deep.equal(
      at({ op: 'between', texts: ['1', '5'] }),
    )
  })

  it('rejects $between with one bound', () => {
    expect(refusal('filters[meta][colour][$between][0]=1')).to.deep.include(400)
  })

  it('matches texts with $contains, $startsWith and $endsWith', () => {
    const match = (how: string, insensitive: boolean, ...texts: readonly string[]) => ({
      ...{ op: 'match', how, insensitive, texts },
    })
    expect(meta('[$contains]=a')).to.deep.equal(at(match('contains', false, 'a')))
    expect(meta('[$containsi]=a')).to.deep.equal(at(match('contains', true, 'a')))
    expect(meta('[$notContains]=a')).to.deep.equal(at(match('contains', false, 'a'), true))
    expect(meta('[$startsWith]=a')).to.deep.equal(at(match('startsWith', false, 'a')))
    expect(meta('[$endsWith]=a')).to.deep.equal(at(match('endsWith', false, 'a')))
    expect(meta('[$not][$notContains]=a')).to.deep.equal(at(match('contains', false, 'a')))
  })

  it('accepts a path of any depth and any keys', () => {
    const keys = (path: string) => match(`filters[meta]${path}[$eq]=x`)
    expect(keys('[a][b][c]')).to.deep.equal(at(among('x'), false, ['a', 'b', 'c']))
    expect(keys('[a.b][toString]')).to.deep.equal(at(among('x'), false, ['a.b', 'toString']))
  })

  it('requires all conditions on the same path', () => {
    expect(meta('[$gt]=1&filters[meta][colour][$lt]=5')).to.deep.equal({
      kind: 'all',
      of: [at({ op: 'gt', texts: ['1'] }), at({ op: 'lt', texts: ['5'] })],
    })
  })
})
