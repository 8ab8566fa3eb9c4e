import { expect } from 'chai'
import type { PatternCheck } from '../../engine/patterns/pattern-check.js'
import type { PatternPool, PatternPoolOptions } from '../../workers/pattern-pool.js'
import { createPatternPool } from '../../workers/pattern-pool.js'

const hanging: PatternCheck = { source: '^(?=a)(a+)+$', text: `${'a'.repeat(40)}!` }
const checkOf = (text: string): PatternCheck => ({ source: '^(?=a)a+$', text })

describe('pattern thread', () => {
  let pools: PatternPool[] = []
  afterEach(async () => {
    for (const pool of pools) await pool.destroy()
    pools = []
  })
  const start = (options: Partial<PatternPoolOptions>): PatternPool => {
    const pool = createPatternPool({ timeoutMs: 60_000, queueLimit: 10, ...options })
    pools.push(pool)
    return pool
  }
  const refusalOf = (check: Promise<unknown>) =>
    check.then(
      () => expect.fail('it was answered'),
      ({ status, headers, message }: Record<string, unknown>) => ({ status, headers, message }),
    )

  it('answers checks in their order', async () => {
    const long = { source: '^(a+)+$', text: `${'a'.repeat(500_000)}!` }
    const checks = [checkOf('a'), checkOf('b'), long, checkOf('aa')]
    expect(await start({}).check(checks)).to.deep.equal(['found', 'missing', 'missing', 'found'])
  })

  it('returns unknown for the checks after a timeout, and answers later requests', async () => {
    const { check } = start({ timeoutMs: 1000 })
    expect(await check([checkOf('b'), hanging, checkOf('a')])).to.deep.equal([
      'missing',
      'unknown',
      'unknown',
    ])
    expect(await check([checkOf('a')])).to.deep.equal(['found'])
  })

  it('returns unknown if V8 aborts the match', async () => {
    const { check } = start({})
    const stack = { source: '(?=a)(?:a|b)*c', text: 'ab'.repeat(5_000_000) }
    expect(await check([stack, checkOf('a')])).to.deep.equal(['unknown', 'found'])
  })

  it('rejects with 503 and Retry-After if too many checks wait', async () => {
    const { check } = start({ queueLimit: 1, timeoutMs: 1000 })
    const [running, waiting] = [check([hanging]), check([checkOf('a')])]
    expect(await refusalOf(check([checkOf('a')]))).to.deep.equal({
      status: 503,
      headers: { 'Retry-After': '1' },
      message: 'Too many writes are waiting for pattern checks',
    })
    expect(await Promise.all([running, waiting])).to.deep.equal([['unknown'], ['found']])
  })

  it('is terminated and replaced if it does not stop by itself', async () => {
    const deaths: unknown[] = []
    const { check } = start({
      ...{ timeoutMs: 1, graceMs: 5000, onDeath: (error) => deaths.push(error) },
      worker: new URL('./stubborn-worker.js', import.meta.url),
    })
    const { status, message } = await refusalOf(check([hanging]))
    expect([status, message]).to.deep.equal([503, 'The thread for patterns died. Try again'])
    expect(deaths).to.have.length(1)
    expect(await check([checkOf('a')])).to.deep.equal(['found'])
  })
})
