import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { component, contentType, define } from '../../schema/define.js'
import { prepare } from '../execute/prepare.js'

const to = (target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: 'manyToOne', target: `api::${target}.${target}` },
  ...more,
})

/** Relations: a → b, a → d, b → c, b → d, c → d. The component `x.part` refers to b. */
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

/** Returns the lowest limit that accepts the tree. */
function leastOf(search: string): number {
  let [low, high] = [0, 2048]
  while (high - low > 1) {
    const middle = (low + high) / 2
    if (refusal(search, middle) === undefined) high = middle
    else low = middle
  }
  return high
}

describe('cost of a deep populate tree', () => {
  it('is accepted up to api.rest.maxCost and rejected beyond', () => {
    const least = leastOf('pLevel=4')
    expect(refusal('pLevel=4', least)).to.equal(undefined)
    const { message, cost, details } = refusal('pLevel=4', least - 1) ?? {}
    expect(cost).to.be.above(least - 1)
    expect(message).to.equal(
      `The estimated cost of more than ${cost} exceeds the limit of ${least - 1} (api.rest.maxCost)`,
    )
    expect(details).to.deep.include({ bound: 'api.rest.maxCost', limit: least - 1 })
  })

  it('rises with each level and falls with each ignored name', () => {
    const [two, three, four] = [2, 3, 4].map((level) => leastOf(`pLevel=${level}`))
    expect(two).to.be.below(three ?? 0)
    expect(three).to.be.below(four ?? 0)
    expect(leastOf('pLevel=4&pIgnore=c')).to.be.below(four ?? 0)
  })

  it('includes one command per relation', () => {
    expect(leastOf('pLevel=2&pIgnore=part,zone,d')).to.be.within(40, 80)
    expect(leastOf('pLevel=2&pIgnore=part,zone')).to.be.within(80, 120)
  })

  it('is reported for each branch of the deepest tree that fits, most expensive first', () => {
    const { dearest } = refusal('pLevel=4', leastOf('pLevel=3') + 1) ?? {}
    const parts = dearest?.map(({ part, cost }) => `${part} ${cost}`)
    // b is expensive because it leads to c and d.
    expect(parts).to.deep.equal([
      ...['populate b 120', 'populate zone 120', 'populate part 80', 'populate d 40'],
    ])
  })

  it('is reported for one level if no deeper tree fits', () => {
    const { dearest } = refusal('pLevel=4', 1) ?? {}
    expect(dearest?.map(({ part, cost }) => `${part} ${cost}`)).to.deep.equal([
      ...['populate zone 80', 'populate b 40', 'populate d 40', 'populate part 40'],
    ])
  })

  it('causes the same error when the query is repeated', () => {
    const first = refusal('pLevel=3', 50)
    expect(refusal('pLevel=3', 50)).to.deep.equal(first)
  })
})
