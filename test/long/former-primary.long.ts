import { expect } from 'chai'
import type { Document } from 'mongodb'
import { MongoClient } from 'mongodb'
import type { MongoMemoryServer } from 'mongodb-memory-server'
import { startMongod } from '../support/start-mongod.js'
import { eventually } from '../server/database/support.js'
import { isReplicaSet } from '../support/database-server.js'
import type { HoldingProxy } from '../support/holding-proxy.js'
import { startHoldingProxy } from '../support/holding-proxy.js'
import type { TestApp } from '../support/test-app.js'
import { startApp } from '../support/start-app.js'

/** A member of a replica set. The other members reach it only through its proxy. */
type Member = Readonly<{
  server: MongoMemoryServer
  proxy: HoldingProxy
  host: string
  uri: string
  client: MongoClient
}>

describe('instance connected to a primary without a majority', function () {
  this.timeout(180_000)
  const members: Member[] = []
  let app: TestApp | undefined
  before(async function () {
    // The embedded engine does not support replica sets.
    if (!isReplicaSet()) return this.skip()
    for (let at = 0; at < 3; at += 1) members.push(await startMember())
    const [first] = members as [Member]
    await first.client.db('admin').command({
      replSetInitiate: {
        _id: 'rs',
        members: members.map(({ host }, _id) => ({ _id, host, priority: _id === 0 ? 2 : 1 })),
        // How long a primary stays primary if it cannot reach the other members.
        settings: { electionTimeoutMillis: 60_000 },
      },
    })
    await eventually(() => stepUp(first))
    app = await startApp({ databaseUri: first.uri, settings: { 'api.rest.queryTimeoutMs': 1500 } })
  })
  after(async () => {
    for (const { proxy } of members) proxy.go()
    await app?.stop()
    for (const { client, proxy, server } of members) {
      await client.close()
      proxy.close()
      await server.stop({ doCleanup: true, force: true })
    }
  })

  it('returns 503 for a token that the majority has revoked', async () => {
    const [first, second, third] = members as [Member, Member, Member]
    const { request, token } = app as TestApp
    const status = async () => (await request('GET', '/api/tags', { token })).status
    expect(await status()).to.equal(200)

    first.proxy.hold()
    // Holds back the first member's requests to the other members, which are those that contain its host.
    second.proxy.hold(first.host)
    third.proxy.hold(first.host)
    await eventually(() => stepUp(second))
    const tokens = ({ client }: Member) => client.db('quire').collection('_api_tokens')
    const writeConcern = { w: 'majority' } as const
    await eventually(() =>
      tokens(second)
        .deleteMany({}, { writeConcern })
        .then(
          () => true,
          () => false,
        ),
    )
    await new Promise((resolve) => setTimeout(resolve, 260))

    for (let round = 0; round < 3; round += 1) expect(await status()).to.equal(503)
    // Although the service returned 503, the first member still has the token. A read without a majority would find it.
    expect(await isPrimary(first)).to.equal(true)
    expect(await tokens(first).countDocuments()).to.be.greaterThan(0)

    for (const { proxy } of members) proxy.go()
    await eventually(async () => !(await isPrimary(first)))
    expect(await status()).to.equal(503)
  })
})

async function startMember(): Promise<Member> {
  const server = await startMongod({
    instance: { replSet: 'rs', storageEngine: 'wiredTiger' },
  })
  const { port = 0 } = server.instanceInfo ?? {}
  const proxy = await startHoldingProxy(port)
  const uri = `mongodb://127.0.0.1:${port}/quire?directConnection=true`
  const client = await new MongoClient(uri).connect()
  return { server, proxy, host: `127.0.0.1:${proxy.port}`, uri, client }
}

async function isPrimary({ client }: Member): Promise<boolean> {
  const hello: Document = await client.db('admin').command({ hello: 1 })
  return hello['isWritablePrimary'] === true
}

async function stepUp(member: Member): Promise<boolean> {
  await member.client
    .db('admin')
    .command({ replSetStepUp: 1 })
    .catch(() => undefined)
  return isPrimary(member)
}
