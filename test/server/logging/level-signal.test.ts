import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { sender } from '../../support/request.js'
import { runService, type ServiceProcess } from '../../support/service-process.js'

describe('SIGUSR2', function () {
  this.timeout(60_000)
  let folder: string
  let running: ServiceProcess | undefined
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-signal-'))))
  afterEach(async () => {
    running?.kill('SIGKILL')
    await running?.ended
    await rm(folder, { recursive: true, force: true })
  })

  const afterSignals = async (configured: string, count: number) => {
    const login = { email: 'ada@example.org', password: 'Correct-horse-1' }
    const service = runService(
      {
        ...{ MONGODB_URI: await testDatabaseUri(), LOG_LEVEL: configured },
        ...{ ADMIN_EMAIL: login.email, ADMIN_PASSWORD: login.password },
      },
      folder,
    )
    running = service
    const send = sender(await service.url)
    const session = await send('POST', '/admin/login', { body: login })
    const { token } = (session.body as { data: { token: string } }).data
    const level = async (): Promise<string> => {
      const { body } = await send('GET', '/admin/log-level', { token })
      return (body as { data: { level: string } }).data.level
    }
    const levels = [await level()]
    while (levels.length <= count) {
      const before = levels.at(-1)
      service.kill('SIGUSR2')
      await eventually(async () => (await level()) !== before)
      levels.push(await level())
    }
    service.kill('SIGTERM')
    const { code, stdout } = await service.ended
    expect(code).to.equal(0)
    const lines = stdout.trim().split('\n')
    const changes = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === 'log-level')
      .map(({ from, to, by }) => `${String(by)}: ${String(from)} to ${String(to)}`)
    return { levels, changes }
  }

  it('sets the level to `debug`, and a second signal restores the configured level', async () => {
    expect(await afterSignals('info', 3)).to.deep.equal({
      levels: ['info', 'debug', 'info', 'debug'],
      changes: ['SIGUSR2: info to debug', 'SIGUSR2: debug to info', 'SIGUSR2: info to debug'],
    })
  })

  it('sets the level to `info` if `debug` is configured', async () => {
    const { levels } = await afterSignals('debug', 2)
    expect(levels).to.deep.equal(['debug', 'info', 'debug'])
  })
})
