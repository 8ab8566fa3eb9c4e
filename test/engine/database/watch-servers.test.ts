import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createClient } from '../../../engine/database/client.js'
import { isServed, servedClock } from '../../../engine/database/watch-servers.js'
import { eventually } from '../../server/database/support.js'
import { testDatabaseUri } from '../../support/database.js'

describe('servedClock', () => {
  it('stops while the client knows no server', async () => {
    const client = createClient('mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=5000', {
      appName: 'test',
    })
    const now = servedClock(client)
    expect(isServed(client)).to.equal(true)
    const connecting = client.connect().catch(() => undefined)
    await eventually(() => Promise.resolve(!isServed(client)))
    const before = now()
    const until = performance.now() + 30
    // Reads the clock so often that a change within these 30 ms would be seen.
    while (performance.now() < until) expect(now()).to.equal(before)
    await client.close()
    await connecting
  })

  it('runs while the client knows a server', async () => {
    const client = createClient(await testDatabaseUri(), { appName: 'test' })
    await client.connect()
    const now = servedClock(client)
    const before = now()
    await sleep(30)
    expect(isServed(client)).to.equal(true)
    expect(now()).to.be.above(before)
    await client.close()
  })
})
