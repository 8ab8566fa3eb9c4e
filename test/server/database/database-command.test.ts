import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { impatiently } from '../../support/impatiently.js'
import { realMongod } from '../../support/real-mongod.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startInProcess } from '../../support/service-in-process.js'
import { runService } from '../../support/service-process.js'
import { sideBySide } from '../../support/side-by-side.js'
import { testDatabaseUri } from '../../support/database.js'
import { Cleanup } from './cleanup.js'
import { eventually } from './support.js'
import { quireCommand } from '../../support/quire-command.js'

const admin = { email: 'ada@example.org', password: 'Correct-horse-1' }

describe('npm run database -- copy, and services with database.mongod', function () {
  this.timeout(240_000)
  const cleanup = new Cleanup()
  let mongod = ''
  before(async function () {
    mongod = (await realMongod()) ?? this.skip()
  })
  // Runs the tests concurrently. Those that run a command in this process wait for each other.
  const test = sideBySide()
  afterEach(() => cleanup.run())

  /** Includes `mongod` in `PATH`, so that the setting `auto` finds it. */
  const environmentOf = (folder: string, more: Readonly<Record<string, string>>) => ({
    PATH: `${join(mongod, '..')}:${process.env['PATH'] ?? ''}`,
    DATA_DIR: folder,
    ...more,
  })
  const copy = async (
    folder: string,
    ends: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ) => {
    const { code, stdout, stderr } = await runQuireInProcess(['database', 'copy', ...ends], {
      cwd: folder,
      env: environmentOf(folder, more),
    })
    const lines = stdout.trim().split('\n')
    return { code, lines, sums: lines.filter((line) => line.includes('checksum')), stderr }
  }
  /** Starts a copy, and kills the command when it has reported two lines, one per collection. */
  const copyAndKill = async (
    folder: string,
    ends: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ) => {
    const child = spawn(process.execPath, [quireCommand, 'database', 'copy', ...ends], {
      cwd: folder,
      env: environmentOf(folder, more),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    cleanup.add(() => Promise.resolve(child.kill('SIGKILL')))
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.split('\n').length > 2) child.kill('SIGKILL')
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  }
  const withAdmin = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const start = async (folder: string, env: Readonly<Record<string, string>> = {}) => {
    const service = await startInProcess({ DATA_DIR: folder, ...env }, folder)
    cleanup.add(() => service.stop())
    return service
  }
  const startInOwnProcess = (
    folder: string,
    env: Readonly<Record<string, string>>,
    own = cleanup,
  ) => {
    const service = runService({ DATA_DIR: folder, ...env }, folder)
    own.add(async () => {
      service.kill('SIGTERM')
      await service.ended
    })
    const stop = async () => {
      service.kill('SIGTERM')
      expect((await service.ended).code).to.equal(0)
    }
    return { service, stop }
  }
  const refusal = (folder: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
    start(folder, env).then(
      () => expect.fail('The service started'),
      (error: unknown) => String(error),
    )
  const login = async (url: string) => {
    const answer = await fetch(`${url}/admin/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(admin),
    })
    await answer.text()
    return answer.status
  }

  it('copies all content from one engine to another and back, even after it was killed once', async () => {
    const folder = await cleanup.folder()
    const first = startInOwnProcess(folder, withAdmin)
    const url = await first.service.url
    expect(await login(url)).to.equal(200)
    const refused = await impatiently(() => copy(folder, ['--to', 'mongod']))
    expect(refused.stderr).to.include('in use by another process')
    await first.stop()

    expect(await copyAndKill(folder, ['--to', 'mongod'])).to.equal(null)
    expect(await refusal(folder, { DATABASE_MONGOD: mongod })).to.include(
      '--from embedded --to mongod',
    )
    const toMongod = await copy(folder, ['--to', 'mongod'])
    expect(toMongod, toMongod.stderr).to.include({ code: 0 })
    expect(toMongod.lines.at(-1)).to.match(
      /^Copied and compared: \d+ collections, \d+ documents\. /,
    )

    expect(await refusal(folder)).to.include('--from mongod --to embedded')
    await rename(join(folder, 'database'), join(folder, 'former'))
    const back = await copy(folder, ['--from', 'mongod', '--to', 'embedded'])
    expect(back, back.stderr).to.include({ code: 0 })
    expect(back.sums).to.deep.equal(toMongod.sums)
    const last = await start(folder)
    expect(await login(last.url)).to.equal(200)
    await last.stop()
  })

  it('copies into an external database whose URI comes from an environment variable', async () => {
    const folder = await cleanup.folder()
    const first = await start(folder, withAdmin)
    await first.stop()
    const TARGET = await testDatabaseUri()
    expect(await copyAndKill(folder, ['--to', 'env:TARGET'], { TARGET })).to.equal(null)
    expect(await refusal(folder, { MONGODB_URI: TARGET })).to.include(
      'into this database was not finished',
    )
    const done = await copy(folder, ['--to', 'env:TARGET'], { TARGET })
    expect(done, done.stderr).to.include({ code: 0 })
    const served = await start(folder, { MONGODB_URI: TARGET })
    expect(await login(served.url)).to.equal(200)
    await served.stop()
    const again = await copy(folder, ['--to', TARGET])
    expect(again.lines.at(-1)).to.match(/^The copy was already made at /)
  })

  test('restarts the mongod of a service when it is killed, and stops it with the service', async ({
    cleanup,
  }) => {
    const folder = await cleanup.folder()
    const env = { ...withAdmin, DATABASE_MONGOD: mongod }
    const { service, stop } = startInOwnProcess(folder, env, cleanup)
    const url = await service.url
    expect(await login(url)).to.equal(200)
    const lock = join(folder, 'mongod', 'data', 'mongod.lock')
    const pid = Number(await readFile(lock, 'utf8'))
    process.kill(pid, 'SIGKILL')
    await eventually(async () => (await login(url)) === 200, 60_000)
    expect(Number(await readFile(lock, 'utf8'))).to.not.equal(pid)
    await stop()
    expect(await readFile(lock, 'utf8')).to.equal('')
  })
})
