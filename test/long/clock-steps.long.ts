import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { realMongod } from '../support/real-mongod.js'
import { sender, type Answer } from '../support/request.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { expectLedger } from './fail-over/expect-ledger.js'
import { keepAsking } from './fail-over/repeat-requests.js'
import { keepLedger } from './fail-over/ledger.js'
import { openLedgerSite } from './fail-over/ledger-site.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 2)
/** Offsets to which the clock of one of the two services is set, one after the other. */
const steps = ['+1h', '+0', '-1h', '+1h', '-1h', '+0'] as const

/** Path of the library in Debian's package `libfaketime`. */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

describe('two services, one with a clock that jumps an hour ahead and back', function () {
  this.timeout(3_600_000)
  let folder = ''
  let set: ReplicaSet | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = await realMongod()
    const hasLibrary = await access(library).then(
      () => true,
      () => false,
    )
    if (mongod === undefined || !hasLibrary) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-clocks-'))
    set = await startReplicaSet(mongod, folder, { count: 1 })
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('lose no write, refuse no request, and agree on tokens, keys and times', async () => {
    if (set === undefined) return
    const site = await openLedgerSite(set.uri, folder)
    const clock = join(folder, 'clock')
    const setClock = async (step: string): Promise<void> => {
      // Writes a new file and renames it, because the service may read `clock` at any time.
      await writeFile(`${clock}.new`, `${step}\n`)
      await rename(`${clock}.new`, clock)
    }
    await setClock('+0')
    const faked = {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1' },
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    const env = { ...site.env, AUTH_RATE_LIMIT_MAX: '10000' }
    services.push(
      runService({ ...env, ...faked, DATA_DIR: join(folder, 'a') }, folder),
      runService({ ...env, DATA_DIR: join(folder, 'b') }, folder),
    )
    const urls = await Promise.all(services.map((service) => service.url))
    const both = urls.map(sender)
    const steady = sender(urls[1] ?? '')

    let isOver = false
    const ledger = keepLedger(urls, site.token, () => isOver)
    const polls = urls.map((url) => keepAsking(url, site.token, () => isOver))
    const { token } = site
    const dataOf = ({ status, text, body }: Answer) => {
      expect(status, text).to.be.within(200, 201)
      return (body as { data: { documentId: string; updatedAt: string } }).data
    }
    const password = 'A password of Ana 1'
    const user = { username: 'ana', email: 'ana@example.org', password }
    const made = await steady('POST', '/api/auth/local/register', { body: user })
    expect(made.status, made.text).to.be.within(200, 201)
    const body = { data: { title: 'one' } }
    const { documentId } = dataOf(await steady('POST', '/api/notes', { token, body }))
    let last = ''
    for (let round = 0; round < rounds; round += 1)
      for (const [at, step] of steps.entries()) {
        await setClock(step)
        await sleep(2000)
        // Each service must accept tokens that the other has issued, at any offset between their clocks.
        for (const send of both) {
          const login = await send('POST', '/api/auth/local', {
            body: { identifier: 'ana', password },
          })
          expect(login.status, `${step}: ${login.text}`).to.equal(200)
          const { jwt } = login.body as { jwt: string }
          for (const other of both)
            expect((await other('GET', '/api/users/me', { token: jwt })).status).to.be.oneOf([
              200, 403,
            ])
          const headers = { 'Idempotency-Key': `once-${round}-${at}` }
          const once = { token, headers, body: { data: { title: `once ${round} ${at}` } } }
          const ids = new Set<string>()
          for (const other of both)
            ids.add(dataOf(await other('POST', '/api/notes', once)).documentId)
          expect(ids.size, step).to.equal(1)
          const change = { token, body: { data: { title: `${step} ${at}` } } }
          const { updatedAt } = dataOf(await send('PUT', `/api/notes/${documentId}`, change))
          expect(updatedAt > last, `${updatedAt} after ${last}, ${step}`).to.equal(true)
          last = updatedAt
        }
        await sleep(3000)
      }
    isOver = true
    await Promise.all([ledger.over, ...polls.map(({ over }) => over)])
    const { wrong, ...counts } = ledger.counts
    const answers = polls.map((one) => one.answers)
    process.stdout.write(`      ${JSON.stringify({ ...counts, wrong: wrong.length, answers })}\n`)
    expect(polls.flatMap((one) => one.wrong)).to.deep.equal([])
    expect(counts.refused).to.equal(0)
    await expectLedger({ ledger, site, services, folder })
  })
})
