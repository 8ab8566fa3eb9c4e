import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { isReplicaSet } from '../support/database-server.js'
import { sender, type Send } from '../support/request.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { expectLedger } from './fail-over/expect-ledger.js'
import { keepLedger, type Ledger } from './fail-over/ledger.js'
import { openLedgerSite } from './fail-over/ledger-site.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 50)
/** Minimum acknowledged writes per round. 50 rounds make 20,000, even on a slow machine. */
const writesPerRound = 400
const kinds = ['stepDown', 'kill', 'freeze', 'cut'] as const
/** Each round causes the next fault of this list. `FAULTS=freeze,cut` selects some of them. */
const faults = kinds.filter((kind) => (process.env['FAULTS'] ?? kind).split(',').includes(kind))

describe('two instances with a replica set of three whose primary fails', function () {
  this.timeout(3_600_000)
  let folder = ''
  let set: ReplicaSet | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = process.env['MONGOMS_SYSTEM_BINARY']
    // The embedded engine does not support replica sets.
    if (!isReplicaSet() || mongod === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-fail-over-'))
    set = await startReplicaSet(mongod, folder)
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('keep every acknowledged write exactly once, and return no 500', async () => {
    if (set === undefined) return
    const site = await openLedgerSite(set.uri, folder)
    for (const name of ['a', 'b'])
      services.push(runService({ ...site.env, DATA_DIR: join(folder, name) }, folder))
    const urls = await Promise.all(services.map(({ url }) => url))

    let isOver = false
    const probe = await openProbe(urls, site.token)
    const ledger = keepLedger(urls, site.token, () => isOver)
    const times: Record<(typeof kinds)[number], number[]> = {
      stepDown: [],
      kill: [],
      freeze: [],
      cut: [],
    }
    /** 503 responses by the fault that preceded them. */
    const refusedBy = { stepDown: 0, kill: 0, freeze: 0, cut: 0 }
    await sleep(3000)
    for (let round = 0; round < rounds; round += 1) {
      const fault = faults[round % faults.length] ?? 'kill'
      const { refused: before } = ledger.counts
      const { back, own } = await failOnce(set, fault, { ledger, probe })
      times[fault].push(back)
      process.stdout.write(`      ${round} ${fault}: back after ${back} ms (MongoDB: ${own})\n`)
      await sleep(3000 + Math.random() * 3000)
      while (ledger.counts.acknowledged < (round + 1) * writesPerRound) await sleep(100)
      refusedBy[fault] += ledger.counts.refused - before
    }
    isOver = true
    await ledger.over
    const { counts } = ledger
    process.stdout.write(
      `      ${JSON.stringify({ rounds, ...counts, wrong: counts.wrong.length, refusedBy, times })}\n`,
    )
    await expectLedger({ ledger, site, services, folder })
  })
})

/**
 * Causes a fault and repairs it. Returns how many ms after the election or step-down Quire acknowledged a new write
 * (`back`), and the result of `measureMajority` (`own`).
 */
async function failOnce(
  set: ReplicaSet,
  fault: (typeof kinds)[number],
  { ledger, probe }: Readonly<{ ledger: Ledger; probe: () => Promise<number> }>,
): Promise<Readonly<{ back: number; own: string }>> {
  const failed = await set.primary()
  const before = performance.now()
  if (fault === 'stepDown') await set.stepDown(failed)
  else if (fault === 'kill') await set.kill(failed)
  else if (fault === 'freeze') set.freeze(failed)
  else set.cut(failed)
  const elected = fault === 'stepDown' ? before : await set.primary().then(() => performance.now())
  const first = Promise.race([ledger.firstAfter(elected), probe()])
  const [back, own] = await Promise.all([first, measureMajority(set.uri, elected)])
  if (fault === 'kill') await set.start(failed)
  if (fault === 'freeze') set.thaw(failed)
  if (fault === 'cut') set.mend(failed)
  return { back: Math.round(back - elected), own }
}

/**
 * Returns a function that resolves to the time of the next acknowledged write. It has its own clients, because those of
 * the ledger may still wait for an earlier request.
 */
async function openProbe(urls: readonly string[], token: string): Promise<() => Promise<number>> {
  const clients = urls.map((url) => sender(url))
  const [first] = clients
  const made = await first?.('POST', '/api/notes', { token, body: { data: { count: 0 } } })
  const { documentId } = (made?.body as { data: { documentId: string } }).data
  const body = { data: { count: 1 } }
  const write = async (send: Send): Promise<number> => {
    for (;;) {
      const answer = await send('PUT', `/api/notes/${documentId}`, { token, body }).catch(
        () => undefined,
      )
      if (answer?.status === 200) return performance.now()
      await sleep(100)
    }
  }
  return () => Promise.race(clients.map(write))
}

/** The members replicate normally again after this many consecutive writes that each took less than `steadyMs`. */
const steadyWrites = 4
const steadyMs = 500
/** Maximum wait, in ms, until the members replicate normally. */
const longestMs = 40_000

/**
 * Writes to MongoDB directly. Describes when a majority of the members acknowledges the first write, and until when
 * such writes are slow.
 */
async function measureMajority(uri: string, elected: number): Promise<string> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 })
  const tries = client.db('beside').collection('tries')
  const slow: number[] = []
  let fast = 0
  let firstAt: number | undefined
  try {
    while (fast < steadyWrites && performance.now() - elected < longestMs) {
      const begun = performance.now()
      await tries.insertOne({}, { writeConcern: { w: 'majority' } })
      const took = Math.round(performance.now() - begun)
      fast = took < steadyMs ? fast + 1 : 0
      if (took >= steadyMs) slow.push(took)
      firstAt ??= Math.round(performance.now() - elected)
    }
    const last = Math.round(performance.now() - elected)
    const further = slow.slice(1)
    return further.length === 0
      ? `${firstAt} ms`
      : `${firstAt} ms, then ${further.length} of up to ${Math.max(...further)} ms until ${last} ms`
  } finally {
    await client.close()
  }
}
