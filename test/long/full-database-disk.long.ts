import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { realMongod } from '../support/real-mongod.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js'
import { expectLedger } from './fail-over/expect-ledger.js'
import { keepAsking } from './fail-over/repeat-requests.js'
import { keepLedger } from './fail-over/ledger.js'
import { openLedgerSite } from './fail-over/ledger-site.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 2)

describe('service whose database has a full disk', function () {
  this.timeout(3_600_000)
  let folder = ''
  let disk: SmallDisk | undefined
  let set: ReplicaSet | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = await realMongod()
    if (mongod === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-full-disk-'))
    disk = await mountSmallDisk(join(folder, 'member0'), 600)
    if (disk === undefined) return this.skip()
    set = await startReplicaSet(mongod, folder, { count: 1 })
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await disk?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('returns 503 but never 500, loses no write, and recovers when there is space', async () => {
    if (set === undefined) return
    const site = await openLedgerSite(set.uri, folder)
    services.push(runService({ ...site.env, DATA_DIR: join(folder, 'a') }, folder))
    const [url = ''] = await Promise.all(services.map((service) => service.url))

    let isOver = false
    const ledger = keepLedger([url], site.token, () => isOver)
    const polls = keepAsking(url, site.token, () => isOver)
    for (let round = 0; round < rounds; round += 1) {
      await ledger.firstAfter(performance.now())
      await sleep(3000)
      await disk?.fill(4096)
      const refused = ledger.counts.refused
      while (ledger.counts.refused === refused) await sleep(200)
      await sleep(30_000)
      await disk?.empty()
      // In production the server exits when the disk is full, and its supervisor restarts it.
      await set.kill(0)
      await set.start(0)
      const started = performance.now()
      const back = (await ledger.firstAfter(started)) - started
      process.stdout.write(`      back ${Math.round(back)} ms after the server\n`)
    }
    isOver = true
    await Promise.all([ledger.over, polls.over])
    const { wrong, ...counts } = ledger.counts
    process.stdout.write(
      `      ${JSON.stringify({ ...counts, wrong: wrong.length, ...polls.answers })}\n`,
    )
    expect(polls.wrong).to.deep.equal([])
    await expectLedger({ ledger, site, services, folder })
  })
})
