import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { realMongod } from '../support/real-mongod.js'
import { sender } from '../support/request.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { startToxiproxy, type Toxic, type ToxicWay, type Toxiproxy } from '../support/toxiproxy.js'
import { expectLedger } from './fail-over/expect-ledger.js'
import { keepAsking } from './fail-over/repeat-requests.js'
import { keepLedger } from './fail-over/ledger.js'
import { openLedgerSite } from './fail-over/ledger-site.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 2)

const both = (type: Toxic['type'], attributes: Toxic['attributes']): readonly Toxic[] => [
  { type, stream: 'upstream', attributes },
  { type, stream: 'downstream', attributes },
]

type Fault = Readonly<{
  name: string
  toxics: readonly Toxic[]
  seconds: number
  /** Whether writes must succeed while this fault lasts. By default, they may fail. */
  isServed?: boolean
}>

const faults: readonly Fault[] = [
  {
    name: '200 ms of latency with jitter',
    toxics: both('latency', { latency: 100, jitter: 60 }),
    seconds: 15,
    isServed: true,
  },
  { name: 'connections are reset', toxics: both('reset_peer', { timeout: 150 }), seconds: 10 },
  {
    name: 'responses are cut off',
    toxics: [{ type: 'limit_data', stream: 'downstream', attributes: { bytes: 20_000 } }],
    seconds: 10,
  },
  {
    name: 'commands are cut off',
    toxics: [{ type: 'limit_data', stream: 'upstream', attributes: { bytes: 5_000 } }],
    seconds: 10,
  },
  {
    name: 'commands are executed but get no response',
    toxics: [{ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } }],
    seconds: 40,
  },
  { name: 'nothing gets a response', toxics: both('timeout', { timeout: 0 }), seconds: 40 },
  { name: 'a kilobyte a second', toxics: both('bandwidth', { rate: 1 }), seconds: 40 },
]

describe('service with network faults to its database', function () {
  this.timeout(3_600_000)
  let folder = ''
  let toxiproxy: Toxiproxy | undefined
  let set: ReplicaSet | undefined
  let way: ToxicWay | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = await realMongod()
    toxiproxy = await startToxiproxy()
    if (mongod === undefined || toxiproxy === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-network-'))
    const { open } = toxiproxy
    set = await startReplicaSet(mongod, folder, {
      count: 1,
      openWay: async (to) => (way = await open(to)),
    })
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await toxiproxy?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('responds in time but never with 500, loses no write, and recovers by itself', async () => {
    if (set === undefined || way === undefined) return
    const site = await openLedgerSite(set.uri, folder)
    services.push(runService({ ...site.env, DATA_DIR: join(folder, 'a') }, folder))
    const [url = ''] = await Promise.all(services.map((service) => service.url))
    const file = await upload(url, site.token)

    let isOver = false
    const ledger = keepLedger([url], site.token, () => isOver)
    const fileRequest = { path: file, statuses: [200], withinMs: 5_000 }
    const polls = keepAsking(url, site.token, () => isOver, [fileRequest])
    for (let round = 0; round < rounds; round += 1)
      for (const { name, toxics, seconds, isServed = false } of faults) {
        await sleep(3000)
        const before = ledger.counts.acknowledged
        await way.turn(toxics)
        const begun = performance.now()
        await sleep(seconds * 1000)
        if (isServed) await ledger.firstAfter(begun)
        const done = ledger.counts.acknowledged - before
        await way.turn([])
        const ended = performance.now()
        const back = (await ledger.firstAfter(ended)) - ended
        process.stdout.write(
          `      ${name}: ${done} writes acknowledged, back after ${Math.round(back)} ms\n`,
        )
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

async function upload(url: string, token: string): Promise<string> {
  const body = new FormData()
  body.append('files', new Blob(['content']), 'kept.txt')
  const answer = await sender(url)('POST', '/api/upload', { token, body })
  expect(answer.status, answer.text).to.equal(201)
  return (answer.body as readonly [{ url: string }])[0].url
}
