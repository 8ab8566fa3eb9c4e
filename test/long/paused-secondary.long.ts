import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { realMongod } from '../support/real-mongod.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { expectLedger } from './fail-over/expect-ledger.js'
import { keepAsking } from './fail-over/repeat-requests.js'
import { keepLedger } from './fail-over/ledger.js'
import { openLedgerSite } from './fail-over/ledger-site.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 4)

describe('two services with a replica set of three and a paused secondary', function () {
  this.timeout(3_600_000)
  let folder = ''
  let set: ReplicaSet | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = await realMongod()
    if (mongod === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-paused-'))
    set = await startReplicaSet(mongod, folder)
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('continue to write and read, even with secondaryPreferred, and lose no write', async () => {
    if (set === undefined) return
    const site = await openLedgerSite(set.uri, folder)
    const secondaryUri = { MONGODB_URI: `${set.uri}&readPreference=secondaryPreferred` }
    services.push(
      runService({ ...site.env, DATA_DIR: join(folder, 'a') }, folder),
      runService({ ...site.env, ...secondaryUri, DATA_DIR: join(folder, 'b') }, folder),
    )
    const urls = await Promise.all(services.map((service) => service.url))

    let isOver = false
    const ledger = keepLedger(urls, site.token, () => isOver)
    const polls = urls.map((url) => keepAsking(url, site.token, () => isOver))
    for (let round = 0; round < rounds; round += 1) {
      await sleep(3000)
      const paused = ((await set.primary()) + 1 + (round % 2)) % 3
      set.freeze(paused)
      const before = ledger.counts.acknowledged
      await sleep(25_000)
      // Two of three members are a majority, so writes succeed during the pause.
      await ledger.firstAfter(performance.now())
      const done = ledger.counts.acknowledged - before
      set.thaw(paused)
      process.stdout.write(`      ${done} writes acknowledged meanwhile\n`)
    }
    isOver = true
    await Promise.all([ledger.over, ...polls.map(({ over }) => over)])
    const { wrong, ...counts } = ledger.counts
    const answers = polls.map((one) => one.answers)
    process.stdout.write(`      ${JSON.stringify({ ...counts, wrong: wrong.length, answers })}\n`)
    expect(polls.flatMap((one) => one.wrong)).to.deep.equal([])
    await expectLedger({ ledger, site, services, folder })
  })
})
