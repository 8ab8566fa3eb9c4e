import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { startQuire } from '../../../server/lifecycle/start.js'
import { loadConfig } from '../../../server/settings/config.js'
import { enginePid, eventually, startJournal } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { startSentryServer, type SentryServer } from '../../support/sentry-server.js'
import { runService, type ServiceProcess } from '../../support/service-process.js'

describe('error reports outside of requests', function () {
  this.timeout(60_000)
  let folder: string
  let sentry: SentryServer | undefined
  let running: ServiceProcess | undefined
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-faults-'))))
  afterEach(async () => {
    running?.kill('SIGKILL')
    await running?.ended
    await sentry?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  type Event = Readonly<{
    level: string
    tags: object
    exception: Readonly<{ values: readonly Readonly<{ type: string; value: string }>[] }>
  }>
  const eventsOf = ({ arrived }: SentryServer) =>
    arrived
      .map(({ body }) => JSON.parse(body.split('\n')[2] ?? '') as Event)
      .map(({ level, tags, exception: { values } }) => {
        const [{ type, value } = { type: '', value: '' }] = values
        return { level, tags, type, value }
      })
  /** A module that makes the service throw an error when it gets SIGHUP. */
  const throwing = `data:text/javascript,process.on('SIGHUP', () => { throw new TypeError('Nothing caught this') })`

  it('are sent for an uncaught error before the process ends', async () => {
    const { dsn } = (sentry = await startSentryServer())
    const env = { MONGODB_URI: await testDatabaseUri(), ERRORS_DSN: dsn }
    running = runService(env, folder, ['--import', throwing])
    await running.url
    running.kill('SIGHUP')
    const { code, stdout, stderr } = await running.ended
    expect(code).to.equal(1)
    expect(eventsOf(sentry)).to.deep.equal([
      {
        ...{ level: 'fatal', tags: { in: 'process' } },
        ...{ type: 'TypeError', value: 'Nothing caught this' },
      },
    ])
    expect(stderr).to.match(/^TypeError: Nothing caught this\n {4}at /)
    const lines = stdout.trim().split('\n')
    const last = JSON.parse(lines.at(-1) ?? '') as { level: number; err: { message: string } }
    expect([last.level, last.err.message]).to.deep.equal([60, 'Nothing caught this'])
    expect(stdout + stderr).not.to.include('abc123')
  })

  it('are sent for a failed start, without details', async () => {
    const { dsn } = (sentry = await startSentryServer())
    await mkdir(join(folder, 'schema/content-types'), { recursive: true })
    await writeFile(join(folder, 'schema/content-types/secret.json'), '{')
    const env = { MONGODB_URI: await testDatabaseUri(), ERRORS_DSN: dsn }
    running = runService(env, folder)
    const { code, stderr } = await running.ended
    expect(code).to.equal(1)
    expect(stderr).to.include('secret.json')
    const [event, ...more] = eventsOf(sentry)
    expect(more).to.deep.equal([])
    expect(event).to.deep.include({ level: 'fatal', tags: { in: 'start' } })
    expect(event?.value).to.equal('The service could not start')
  })

  it('do not delay the end of the process if the receiver hangs', async () => {
    const { dsn } = (sentry = await startSentryServer(() => undefined))
    const env = { MONGODB_URI: await testDatabaseUri(), ERRORS_DSN: dsn }
    running = runService(env, folder, ['--import', throwing])
    await running.url
    running.kill('SIGHUP')
    expect((await running.ended).code).to.equal(1)
    expect(sentry.arrived).to.have.length(1)
  })

  it('are sent when the database engine dies', async () => {
    const server = (sentry = await startSentryServer())
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: 'data', ERRORS_DSN: server.dsn }
    const journal = startJournal()
    const quire = await startQuire(loadConfig(env, folder), { log: journal.log })
    process.kill(enginePid(journal), 'SIGKILL')
    await eventually(() => Promise.resolve(server.arrived.length > 0))
    await quire.stop()
    expect(eventsOf(server)).to.deep.equal([
      {
        ...{ level: 'error', tags: { in: 'database engine' } },
        ...{ type: 'Error', value: 'The database engine died. See the log for the reason' },
      },
    ])
  })
})
