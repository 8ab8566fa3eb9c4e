import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { reply, type Route } from '../../../server/http/route.js'
import { startHttp } from '../../support/start-http.js'

const slow = (ms: number, aborted: () => void = () => {}): Route => ({
  method: 'GET',
  path: '/slow',
  guard: { kind: 'open' },
  handle: async ({ signal }) => {
    signal.addEventListener('abort', aborted)
    await sleep(ms)
    return reply(200, 'done')
  },
})

describe('shutdown', () => {
  it('finishes what is in flight and accepts nothing new', async () => {
    const http = await startHttp({ routes: [slow(150)] })
    await http.send('GET', '/nope')
    const pending = http.send('GET', '/slow')
    await sleep(50)
    // Longer than the runner waits: it ends because nothing is left to be done.
    const stopping = http.stop(600_000)
    const { hostname, port } = new URL(http.url)
    const [refused] = (await once(connect(Number(port), hostname), 'error').catch(
      (error: unknown) => [error],
    )) as [NodeJS.ErrnoException]
    expect(refused.code).to.equal('ECONNREFUSED')
    expect((await pending).body).to.equal('done')
    await stopping
  })

  it('goes on for a while where load balancers ask, and ends each connection with its next answer', async () => {
    const http = await startHttp({ routes: [slow(1)] })
    const kept = await fetch(`${http.url}/slow`)
    expect(kept.headers.get('Connection')).to.equal('keep-alive')
    const stopping = http.stop(1000, 20, 300)
    const late = await fetch(`${http.url}/slow`, { headers: { 'X-Late': '1' } })
    expect([late.status, late.headers.get('Connection')]).to.deep.equal([200, 'close'])
    await stopping
    const { hostname, port } = new URL(http.url)
    const [refused] = (await once(connect(Number(port), hostname), 'error')) as [
      NodeJS.ErrnoException,
    ]
    expect(refused.code).to.equal('ECONNREFUSED')
  })

  it('cuts what does not finish in time', async () => {
    const http = await startHttp({ routes: [slow(1000)] })
    const pending = http.send('GET', '/slow').catch(() => 'cut')
    await sleep(30)
    await http.stop(50)
    expect(await pending).to.equal('cut')
  })

  it('tells a handler when its client is gone', async () => {
    let aborted = false
    const http = await startHttp({ routes: [slow(100, () => (aborted = true))] })
    const controller = new AbortController()
    const pending = http.send('GET', '/slow', { signal: controller.signal }).catch(() => 'gone')
    await sleep(30)
    controller.abort()
    expect(await pending).to.equal('gone')
    await sleep(30)
    expect(aborted).to.equal(true)
    await http.stop()
  })
})
