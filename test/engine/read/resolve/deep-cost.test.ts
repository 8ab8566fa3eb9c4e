import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { component, contentType, define } from '../../schema/define.js'
import { prepare } from '../execute/prepare.js'

const to = (target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: 'manyToOne', target: `api::${target}.${target}` },
  ...more,
})

/** From a to b, from b to c and d, from c to d; a part has a b, too. */
const registry = define(
  contentType(
    {
      ...{ name: { type: 'string' }, b: to('b'), d: to('d') },
      part: { type: 'component', component: 'x.part' },
      zone: { type: 'dynamiczone', components: ['x.part', 'x.plain'] },
    },
    {},
    'a',
  ),
  contentType({ name: { type: 'string' }, c: to('c'), d: to('d') }, {}, 'b'),
  contentType({ name: { type: 'string' }, d: to('d') }, {}, 'c'),
  contentType({ name: { type: 'string' } }, {}, 'd'),
  component('x.part', { b: to('b') }),
  component('x.plain', { line: { type: 'string' } }),
)

type Refusal = Readonly<{
  message: string
  cost: number
  dearest: readonly Readonly<{ part: string; cost: number }>[]
  details: object
}>

function refusal(search: string, deepMaxCost: number): Refusal | undefined {
  try {
    prepare(search, { registry, uid: 'api::a.a', deepMaxCost }).plan()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).to.equal(400)
    const { cost, dearest, ...details } = error.details as Refusal & Record<string, unknown>
    return { message: error.message, cost, dearest, details }
  }
}

/** The least bound that a tree fits. */
function leastOf(search: string): number {
  let [low, high] = [0, 2048]
  while (high - low > 1) {
    const middle = (low + high) / 2
    if (refusal(search, middle) === undefined) high = middle
    else low = middle
  }
  return high
}

describe('What a tree of deep populate costs', () => {
  it('bounds it: it is made up to api.rest.maxCost, and refused beyond', () => {
    const least = leastOf('pLevel=4')
    expect(refusal('pLevel=4', least)).to.equal(undefined)
    const { message, cost, details } = refusal('pLevel=4', least - 1) ?? {}
    expect(cost).to.be.above(least - 1)
    expect(message).to.equal(
      `The estimated cost of more than ${cost} exceeds the limit of ${least - 1} (api.rest.maxCost)`,
    )
    expect(details).to.deep.include({ bound: 'api.rest.maxCost', limit: least - 1 })
  })

  it('rises with each level, and falls with each name that is left out', () => {
    const [two, three, four] = [2, 3, 4].map((level) => leastOf(`pLevel=${level}`))
    expect(two).to.be.below(three ?? 0)
    expect(three).to.be.below(four ?? 0)
    expect(leastOf('pLevel=4&pIgnore=c')).to.be.below(four ?? 0)
  })

  it('is a command for each relation at least', () => {
    expect(leastOf('pLevel=2&pIgnore=part,zone,d')).to.be.within(40, 80)
    expect(leastOf('pLevel=2&pIgnore=part,zone')).to.be.within(80, 120)
  })

  it('is told for each branch of the deepest tree that fits, the dearest first', () => {
    const { dearest } = refusal('pLevel=4', leastOf('pLevel=3') + 1) ?? {}
    const parts = dearest?.map(({ part, cost }) => `${part} ${cost}`)
    // b leads to c and d.
    expect(parts).to.deep.equal([
      ...['populate b 120', 'populate zone 120', 'populate part 80', 'populate d 40'],
    ])
  })

  it('is told of one level where nothing else fits', () => {
    const { dearest } = refusal('pLevel=4', 1) ?? {}
    expect(dearest?.map(({ part, cost }) => `${part} ${cost}`)).to.deep.equal([
      ...['populate zone 80', 'populate b 40', 'populate d 40', 'populate part 40'],
    ])
  })

  it('is refused alike when it is asked for again', () => {
    const first = refusal('pLevel=3', 50)
    expect(refusal('pLevel=3', 50)).to.deep.equal(first)
  })
})
