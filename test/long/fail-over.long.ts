import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { isReplicaSet } from '../support/database-server.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { expectLedger } from './fail-over/expect-ledger.js'
import { keepLedger, type Ledger } from './fail-over/ledger.js'
import { openLedgerSite } from './fail-over/ledger-site.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 50)
const kinds = ['stepDown', 'kill', 'freeze', 'cut'] as const
/** In turns; `FAULTS=freeze,cut` for some of them. */
const faults = kinds.filter((kind) => (process.env['FAULTS'] ?? kind).split(',').includes(kind))

describe('Two instances over a replica set of three whose primary fails', function () {
  this.timeout(3_600_000)
  let folder = ''
  let set: ReplicaSet | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = process.env['MONGOMS_SYSTEM_BINARY']
    // The embedded engine has no replica sets.
    if (!isReplicaSet() || mongod === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-fail-over-'))
    set = await startReplicaSet(mongod, folder)
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('loses, doubles and halves nothing that was acknowledged, and answers no 500', async () => {
    if (set === undefined) return
    const site = await openLedgerSite(set.uri, folder)
    for (const name of ['a', 'b'])
      services.push(runService({ ...site.env, DATA_DIR: join(folder, name) }, folder))
    const urls = await Promise.all(services.map(({ url }) => url))

    let isOver = false
    const ledger = keepLedger(urls, site.token, () => isOver)
    const times: Record<(typeof kinds)[number], number[]> = {
      stepDown: [],
      kill: [],
      freeze: [],
      cut: [],
    }
    for (let round = 0; round < rounds; round += 1) {
      await sleep(3000 + Math.random() * 3000)
      const fault = faults[round % faults.length] ?? 'kill'
      const { back, own } = await failOnce(set, fault, ledger)
      times[fault].push(back)
      process.stdout.write(`      ${round} ${fault}: back after ${back} ms (MongoDB: ${own} ms)\n`)
    }
    await sleep(2000)
    isOver = true
    await ledger.over
    const { counts } = ledger
    process.stdout.write(
      `      ${JSON.stringify({ rounds, ...counts, wrong: counts.wrong.length, times })}\n`,
    )
    await expectLedger({ ledger, site, services, folder })
  })
})

/**
 * How long after the election (or the step-down) a write that began then was acknowledged, in milliseconds: by Quire,
 * and by the majority of the members without it.
 */
async function failOnce(
  set: ReplicaSet,
  fault: (typeof kinds)[number],
  { firstAfter }: Ledger,
): Promise<Readonly<{ back: number; own: number }>> {
  const failed = await set.primary()
  const before = performance.now()
  if (fault === 'stepDown') await set.stepDown(failed)
  else if (fault === 'kill') await set.kill(failed)
  else if (fault === 'freeze') set.freeze(failed)
  else set.cut(failed)
  const elected = fault === 'stepDown' ? before : await set.primary().then(() => performance.now())
  const [back, own] = await Promise.all([firstAfter(elected), majorityAfter(set.uri)])
  if (fault === 'kill') await set.start(failed)
  if (fault === 'freeze') set.thaw(failed)
  if (fault === 'cut') set.mend(failed)
  return { back: Math.round(back - elected), own: Math.round(own - elected) }
}

/** When the members acknowledge a write of the driver alone. */
async function majorityAfter(uri: string): Promise<number> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 })
  const tries = client.db('beside').collection('tries')
  try {
    await tries.insertOne({}, { writeConcern: { w: 'majority' } })
    return performance.now()
  } finally {
    await client.close()
  }
}
