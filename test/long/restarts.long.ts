import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { testDatabaseUri } from '../support/database.js'
import { isReplicaSet } from '../support/database-server.js'
import { freePort } from '../../scripts/free-port.js'
import { sender } from '../support/request.js'
import { startApp } from '../support/start-app.js'
import { testSecrets } from '../support/test-secrets.js'
import { writeFiles } from '../support/temporary-folder.js'
import { startLoneClients } from './restarts/lone-clients.js'
import { supervise, type Restarted, type Supervised } from './restarts/supervised.js'
import { definitions } from './rolling-update/definitions.js'
import { schemaDir } from './rolling-update/instances.js'
import { openSite, type Site } from './rolling-update/site.js'

const rounds = Number(process.env['ROUNDS'] ?? 20)

/** Pause between two requests of a client, in ms. */
const restMs = Number(process.env['REST_MS'] ?? 10)

const print = (what: object): void => void process.stdout.write(`      ${JSON.stringify(what)}\n`)

describe('single service, restarted under load', function () {
  this.timeout(3_600_000)
  let folder: string
  let service: Supervised | undefined
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-restarts-'))))
  after(async () => {
    service?.kill()
    await rm(folder, { recursive: true, force: true })
  })

  it('responds to every request on an open connection, and keeps every acknowledged write', async () => {
    const databaseUri = await testDatabaseUri()
    const app = await startApp({ databaseUri, schema: definitions('former') })
    const { token } = app
    await app.stop()
    await writeFiles(schemaDir(folder, 'former'), definitions('former'))
    const env = {
      ...{ ...testSecrets, MONGODB_URI: databaseUri, PORT: String(await freePort()) },
      ...{ SCHEMA_DIR: schemaDir(folder, 'former'), DATA_DIR: join(folder, 'data') },
    }
    service = await supervise(env, folder)
    const clients = startLoneClients(service.url, token, restMs)
    const restarts: Restarted[] = []
    for (let round = 0; round < rounds; round += 1) {
      await sleep(1000)
      const restarted = await service.restart()
      const { answered, refused, failures } = clients.tally
      print({ round, ...restarted, answered, refused, failures: failures.slice(0, 5) })
      restarts.push(restarted)
    }
    await sleep(1000)
    await clients.end()
    const { failures, made } = clients.tally
    expect(failures).to.deep.equal([])
    expect(restarts.map(({ code }) => code)).to.deep.equal(restarts.map(() => 0))
    const send = sender(service.url)
    for (const documentId of made)
      expect((await send('GET', `/api/notes/${documentId}`, { token })).status).to.equal(200)
    expect(await service.stop()).to.equal(0)
    expect(await service.log()).not.to.match(/"status":500/)
  })
})

describe('one of three instances, restarted under load', function () {
  this.timeout(3_600_000)
  let site: Site | undefined
  before(async function () {
    // The embedded engine supports only one process.
    if (!isReplicaSet()) return this.skip()
    site = await openSite({ count: 3, writers: 4, servesOn: false })
  })
  after(() => site?.close())

  it('fails no request of clients that use /_ready', async () => {
    if (site === undefined) return
    const { instances, load, check } = site
    load.open('both', 'former')
    for (let round = 0; round < rounds; round += 1) {
      await sleep(1000)
      const times = await instances.replace('former')
      const { requests, failures } = load.counts
      print({ round, ...times, requests, failures: failures.slice(0, 5) })
    }
    await load.close('both', 'former')
    await check('former')
    await load.end()
    expect(await instances.stop()).to.deep.equal([0, 0, 0])
    for (const log of await instances.logs()) expect(log).not.to.match(/"status":500/)
  })
})
