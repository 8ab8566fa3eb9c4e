import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { isReplicaSet } from '../support/database-server.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'
import { roll } from './rolling-update/roll.js'
import { openSite, type Site } from './rolling-update/site.js'

/** Number of rounds. Each updates all instances to the newer definitions and back to the former ones. */
const rounds = Number(process.env['ROUNDS'] ?? 3)
/**
 * Members of the replica set. If there are several, the primary changes every few seconds. Requests then take longer,
 * but must not fail.
 */
const members = Number(process.env['MEMBERS'] ?? 1)

for (const servesOn of [false, true]) threeInstances(servesOn)

function threeInstances(servesOn: boolean): void {
  const mode = servesOn ? 'keep their own definitions' : 'adopt the newest definitions'
  describe(`rolling update of three instances that ${mode}, under load`, function () {
    this.timeout(3_600_000)
    let site: Site | undefined
    let folder: string | undefined
    let set: ReplicaSet | undefined
    before(async function () {
      const mongod = process.env['MONGOMS_SYSTEM_BINARY']
      // The embedded engine supports only one process.
      if (!isReplicaSet() || mongod === undefined) return this.skip()
      if (members > 1) {
        folder = await mkdtemp(join(tmpdir(), 'quire-rolling-set-'))
        set = await startReplicaSet(mongod, folder, { count: members })
      }
      site = await openSite({ count: 3, writers: 8, servesOn, databaseUri: set?.uri })
    })
    after(async () => {
      await site?.close()
      await set?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    it('fails no request and loses no write, forwards and back', async () => {
      if (site === undefined) return
      const { instances, load, check } = site
      const steppingDown = keepSteppingDown(set)
      load.open('both', 'former')
      for (let update = 0; update < rounds * 2; update += 1) {
        const [from, to] =
          update % 2 === 0 ? (['former', 'newer'] as const) : (['newer', 'former'] as const)
        await sleep(2000)
        const times = await roll(site, 3, { from, to, isBack: update > 0 })
        await load.close('both', to)
        const { requests, failures } = load.counts
        print({ update, to, requests, failures: failures.length, times })
        await steppingDown.pause(() => check(to))
        load.open('both', to)
      }
      await load.close('both', 'former', 'newer')
      await load.end()
      print({ stepDowns: await steppingDown.end() })
      expect(await instances.stop()).to.deep.equal([0, 0, 0])
      for (const log of await instances.logs()) expect(log).not.to.match(/"status":500/)
    })
  })
}

type SteppingDown = Readonly<{
  /** Runs `run`, and causes no elections meanwhile. */
  pause: (run: () => Promise<void>) => Promise<void>
  /** Stops causing elections. Resolves to their number. */
  end: () => Promise<number>
}>

/** Makes another member the primary every few seconds. Does nothing without a replica set. */
function keepSteppingDown(set: ReplicaSet | undefined): SteppingDown {
  let count = 0
  let isOver = set === undefined
  let isPaused = false
  const run = async (): Promise<void> => {
    while (!isOver) {
      await sleep(5000 + Math.random() * 5000)
      if (isOver || isPaused || set === undefined) continue
      await set.stepDown(await set.primary())
      await set.primary()
      count += 1
    }
  }
  const running = run()
  return {
    pause: async (check) => {
      isPaused = true
      await check().finally(() => (isPaused = false))
    },
    end: async () => {
      isOver = true
      await running
      return count
    },
  }
}

const print = (what: object): void => void process.stdout.write(`      ${JSON.stringify(what)}\n`)
