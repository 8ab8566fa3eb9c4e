import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { isReplicaSet } from '../support/database-server.js'
import { roll } from './rolling-update/roll.js'
import { openSite, type Site } from './rolling-update/site.js'

/** Each is one update of all instances forwards and one back. */
const rounds = Number(process.env['ROUNDS'] ?? 3)

for (const servesOn of [false, true]) threeInstances(servesOn)

function threeInstances(servesOn: boolean): void {
  const beside = servesOn ? 'serve on with their own definitions' : 'serve the newest definitions'
  describe(`Three instances under load that ${beside} while they are replaced`, function () {
    this.timeout(3_600_000)
    let site: Site | undefined
    before(async function () {
      // The embedded engine serves one process.
      if (!isReplicaSet()) return this.skip()
      site = await openSite(3, 8, servesOn)
    })
    after(() => site?.close())

    it('fail no request and lose nothing, forwards and back', async () => {
      if (site === undefined) return
      const { instances, load, check } = site
      load.open('both', 'former')
      for (let update = 0; update < rounds * 2; update += 1) {
        const [from, to] =
          update % 2 === 0 ? (['former', 'newer'] as const) : (['newer', 'former'] as const)
        await sleep(2000)
        const times = await roll(site, 3, { from, to, isBack: update > 0 })
        await load.close('both', to)
        const { requests, failures } = load.counts
        tell({ update, to, requests, failures: failures.length, times })
        await check(to)
        load.open('both', to)
      }
      await load.close('both', 'former', 'newer')
      await load.end()
      expect(await instances.stop()).to.deep.equal([0, 0, 0])
      for (const log of await instances.logs()) expect(log).not.to.match(/"status":500/)
    })
  })
}

const tell = (what: object): void => void process.stdout.write(`      ${JSON.stringify(what)}\n`)
