import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { fullGrant } from '../../../engine/schema/grant.js'
import { type Access, reply, type Route } from '../../../server/http/route.js'
import { errorBody } from '../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

const access: Access = {
  authorize: () => Promise.resolve({ kind: 'public', grant: fullGrant }),
}

describe('memory limit of queued writes', () => {
  let http: RunningHttp
  let openGate = (): void => undefined
  const gate = new Promise<void>((resolve) => (openGate = resolve))
  let handled = 0
  before(async () => {
    const write: Route = {
      ...{ method: 'POST', path: '/write', guard: { action: 'upload' } },
      multipart: true,
      handle: async ({ files }) => {
        handled += 1
        await gate
        return reply(200, files.length)
      },
    }
    http = await startHttp({
      ...{ routes: [write], access },
      ...{ settings: { 'api.rest.maxInlineReads': 1 }, maxQueuedBytes: 15_000 },
    })
  })
  after(() => http.stop())

  it('counts the size of bodies, but not the content of files', async () => {
    const first = http.send('POST', '/write', { body: {} })
    while (handled === 0) await sleep(5)
    const form = new FormData()
    form.append('files', new Blob(['x'.repeat(100_000)]), 'a.bin')
    const upload = http.send('POST', '/write', { body: form })
    form.append('note', 'x'.repeat(16_000))
    const message =
      'The requests that are waiting are too large (http.maxBodyMemory). Nothing was changed'
    const outcome = 'not-done'
    const refused = errorBody(503, 'ServiceUnavailableError', message, { outcome })
    for (const body of [{ note: 'x'.repeat(16_000) }, form])
      expect((await http.send('POST', '/write', { body })).body).to.deep.equal(refused)
    openGate()
    expect((await first).body).to.equal(0)
    expect((await upload).body).to.equal(1)
  })
})
