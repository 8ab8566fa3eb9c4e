import { expect } from 'chai'
import { roll } from '../../long/rolling-update/roll.js'
import { openSite, type Site } from '../../long/rolling-update/site.js'
import { isReplicaSet } from '../../support/database-server.js'

describe('rolling update of two instances to new definitions', function () {
  this.timeout(120_000)
  let site: Site | undefined
  before(async function () {
    // The embedded engine supports only one process. The full test is in test/long/rolling-update.long.ts.
    if (!isReplicaSet()) return this.skip()
    site = await openSite({ count: 2, writers: 2, servesOn: false })
  })
  after(() => site?.close())

  it('fails no request and loses no write', async () => {
    if (site === undefined) return
    const { instances, load, check } = site
    load.open('both', 'former')
    await roll(site, 2, { from: 'former', to: 'newer', isBack: false }, 500)
    await load.close('both', 'newer')
    await check('newer')
    await load.end()
    expect(await instances.stop()).to.deep.equal([0, 0])
  })
})
