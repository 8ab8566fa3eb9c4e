import { expect } from 'chai'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseUri } from '../../support/database.js'
import { sender } from '../../support/request.js'
import { runService } from '../../support/service-process.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { testSecrets } from '../../support/test-secrets.js'
import type { Send } from '../database/crash-load.js'
import { CrashLoad, crashModel } from '../database/crash-load.js'

/** Kills a service, but not its database, while clients write. In every second round, reads run in the worker pool. */
export function describeServiceCrash(rounds: number): void {
  describe(`service killed ${rounds} times during writes`, function () {
    this.timeout(rounds * 30_000)
    const load = new CrashLoad()
    let app: TestApp
    let folder: string
    let databaseUri: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-crash-'))
      databaseUri = await testDatabaseUri()
      app = await startApp({ databaseUri, schema: crashModel })
      await load.prepare(writerTo(app.url))
    })
    after(async () => {
      await app.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const writerTo =
      (url: string): Send =>
      (method, path, data) =>
        sender(url)(method, `/api/${path}`, { token: app.token, ...(data && { body: { data } }) })

    it('keeps acknowledged writes and unique values, and one repair fixes the rest', async () => {
      const pauses = fc.sample(fc.nat(500), { numRuns: rounds, unbiased: true })
      for (let round = 0; round < rounds; round += 1) {
        const isPooled = round % 2 === 1
        const service = runService(
          {
            ...{ ...testSecrets, MONGODB_URI: databaseUri, METRICS_ENABLED: 'true' },
            ...(isPooled ? { POOL_COST_THRESHOLD: '0' } : {}),
          },
          folder,
        )
        const url = await service.url
        const write = writerTo(url)
        let isKilled = false
        const clients = Array.from({ length: 4 }, (_, at) =>
          load
            .run(write, `${round} ${at}`, () => isKilled)
            .catch((error: unknown) => {
              // After the kill, requests fail.
              if (!isKilled) throw error
            }),
        )
        const before = load.acknowledged
        for (let waited = 0; load.acknowledged === before && waited < 10_000; waited += 20)
          await pause(20)
        expect((await pooledReads(url)) > 0, 'whether it reads in the pool').to.equal(isPooled)
        await pause(pauses[round] ?? 0)
        isKilled = true
        service.kill('SIGKILL')
        await service.ended
        await Promise.all(clients)
        const { db, registry } = app.quire.services
        await load.check(db, registry(), round)
      }
      expect(load.acknowledged).to.be.least(rounds)
    })
  })
}

async function pooledReads(url: string): Promise<number> {
  const { text } = await sender(url)('GET', '/metrics')
  return Number(/^quire_lane_admitted_total\{lane="pool"\} (\d+)$/m.exec(text)?.[1])
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
