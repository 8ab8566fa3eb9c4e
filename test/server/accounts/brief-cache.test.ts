import { expect } from 'chai'
import { createBriefCache } from '../../../server/accounts/brief-cache.js'

describe('short-lived cache', () => {
  const counting = () => {
    const clock = { time: 0, reads: 0 }
    const load = (key: string): Promise<string | undefined> => {
      clock.reads += 1
      return Promise.resolve(key === 'nobody' ? undefined : `${key} ${clock.reads}`)
    }
    return { clock, load, now: () => clock.time }
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('loads a key once for concurrent requests', async () => {
    const { clock, load, now } = counting()
    const cache = createBriefCache({ load, now })
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).to.deep.equal(
      Array(3).fill('a 1'),
    )
    expect(clock.reads).to.equal(1)
  })

  it('loads a value again when its ttl has passed', async () => {
    const { clock, load, now } = counting()
    const cache = createBriefCache({ load, now, refreshAfterMs: 500, ttlMs: 1000 })
    await cache.get('a')
    clock.time = 1000
    expect(await cache.get('a')).to.equal('a 2')
  })

  it('counts the age of a value from the start of its load', async () => {
    const { clock, load, now } = counting()
    const answers: (() => void)[] = []
    const slow = (key: string): Promise<string | undefined> =>
      new Promise<void>((resolve) => answers.push(resolve)).then(() => load(key))
    const cache = createBriefCache({ load: slow, now, refreshAfterMs: 500, ttlMs: 1000 })
    const first = cache.get('a')
    clock.time = 900
    answers[0]?.()
    expect(await first).to.equal('a 1')
    clock.time = 1000
    const second = cache.get('a')
    answers[1]?.()
    expect(await second).to.equal('a 2')
  })

  it('drops a value when a background refresh finds that it no longer exists', async () => {
    const { clock, now } = counting()
    let stored: string | undefined = 'here'
    const load = (): Promise<string | undefined> => Promise.resolve(stored)
    const cache = createBriefCache({ load, now, refreshAfterMs: 500, ttlMs: 1000 })
    expect(await cache.get('a')).to.equal('here')
    stored = undefined
    clock.time = 500
    expect(await cache.get('a')).to.equal('here')
    await settled()
    expect(await cache.get('a')).to.equal(undefined)
  })

  it('refreshes a value in the background before its ttl passes', async () => {
    const { clock, load, now } = counting()
    const cache = createBriefCache({ load, now, refreshAfterMs: 500, ttlMs: 1000 })
    await cache.get('a')
    clock.time = 600
    expect(await cache.get('a')).to.equal('a 1')
    await settled()
    clock.time = 1500
    expect(await cache.get('a')).to.equal('a 2')
    expect(clock.reads).to.equal(3)
  })

  it('loads a key again after `forget`, and discards the load that was in flight', async () => {
    const answers: ((value: string) => void)[] = []
    const load = () => new Promise<string>((resolve) => answers.push(resolve))
    const cache = createBriefCache<string, string>({ load })
    const before = cache.get('a')
    cache.forget('a')
    const after = cache.get('a')
    answers[1]?.('new')
    answers[0]?.('old')
    expect([await before, await after, await cache.get('a')]).to.deep.equal(['old', 'new', 'new'])
  })

  it('evicts values beyond `max`, and does not cache missing ones', async () => {
    const { clock, load, now } = counting()
    const cache = createBriefCache({ load, now, max: 2 })
    for (const key of ['a', 'b', 'a', 'c', 'a']) await cache.get(key)
    expect(clock.reads).to.equal(3)
    await cache.get('b')
    expect(clock.reads).to.equal(4)
    expect(await cache.get('nobody')).to.be.undefined
    await cache.get('nobody')
    expect(clock.reads).to.equal(6)
  })

  it('does not cache a failed load', async () => {
    let fails = true
    const load = () => (fails ? Promise.reject(new Error('away')) : Promise.resolve('here'))
    const cache = createBriefCache<string, string>({ load })
    const failure = await cache.get('a').catch((error: unknown) => (error as Error).message)
    expect(failure).to.equal('away')
    fails = false
    expect(await cache.get('a')).to.equal('here')
  })
})
