import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { realMongod } from '../../support/real-mongod.js'
import { runService } from '../../support/service-process.js'
import { testDatabaseUri } from '../../support/database.js'
import { Cleanup } from './cleanup.js'
import { eventually } from './support.js'
import { quireCommand } from '../../support/quire-command.js'

const admin = { email: 'ada@example.org', password: 'Correct-horse-1' }

describe('npm run database -- copy', function () {
  this.timeout(240_000)
  const cleanup = new Cleanup()
  let mongod = ''
  before(async function () {
    mongod = (await realMongod()) ?? this.skip()
  })
  afterEach(() => cleanup.run())

  /** A path on which `auto` finds the program. */
  const withMongod = () => `${join(mongod, '..')}:${process.env['PATH'] ?? ''}`
  /** Runs the command; `killAt` ends it as soon as it has written so many lines. */
  const copy = async (
    folder: string,
    ends: readonly string[],
    { killAt = Infinity, ...more }: { killAt?: number; TARGET?: string } = {},
  ) => {
    const child = spawn(process.execPath, [quireCommand, 'database', 'copy', ...ends], {
      cwd: folder,
      env: { PATH: withMongod(), DATA_DIR: folder, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    cleanup.add(() => Promise.resolve(child.kill('SIGKILL')))
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.split('\n').length > killAt) child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const [code] = (await once(child, 'close')) as [number | null]
    const lines = stdout.trim().split('\n')
    return { code, lines, sums: lines.filter((line) => line.includes('checksum')), stderr }
  }
  const start = (folder: string, env: Readonly<Record<string, string>> = {}) => {
    const service = runService({ DATA_DIR: folder, ...env }, folder)
    cleanup.add(async () => {
      service.kill('SIGTERM')
      await service.ended
    })
    const stop = async () => {
      service.kill('SIGTERM')
      expect((await service.ended).code).to.equal(0)
    }
    return { service, stop }
  }
  const login = async (url: string) => {
    const answer = await fetch(`${url}/admin/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(admin),
    })
    await answer.text()
    return answer.status
  }

  it('takes all content from one engine to another and back, also after a kill', async () => {
    const folder = await cleanup.folder()
    const first = start(folder, {
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    })
    const url = await first.service.url
    expect(await login(url)).to.equal(200)
    expect((await copy(folder, ['--to', 'mongod'])).stderr).to.include('in use by another process')
    await first.stop()

    const cutOff = await copy(folder, ['--to', 'mongod'], { killAt: 2 })
    expect(cutOff.code).to.equal(null)
    // What is not whole is not served; what was there still is.
    const refused = runService({ DATA_DIR: folder, DATABASE_MONGOD: mongod }, folder)
    expect((await refused.ended).stderr).to.include('--from embedded --to mongod')
    const there = await copy(folder, ['--to', 'mongod'])
    expect(there, there.stderr).to.include({ code: 0 })
    expect(there.lines.at(-1)).to.match(/^Copied and compared: \d+ collections, \d+ documents\. /)

    // The folder is the other engine's from now on.
    const embedded = runService({ DATA_DIR: folder }, folder)
    expect((await embedded.ended).stderr).to.include('--from mongod --to embedded')
    await rename(join(folder, 'database'), join(folder, 'former'))
    const back = await copy(folder, ['--from', 'mongod', '--to', 'embedded'])
    expect(back, back.stderr).to.include({ code: 0 })
    expect(back.sums).to.deep.equal(there.sums)
    const last = start(folder)
    expect(await login(await last.service.url)).to.equal(200)
    await last.stop()
  })

  it('fills a database of others, whose password is in no argument', async () => {
    const folder = await cleanup.folder()
    const first = start(folder, {
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    })
    await first.service.url
    await first.stop()
    const TARGET = await testDatabaseUri()
    const cutOff = await copy(folder, ['--to', 'env:TARGET'], { killAt: 2, TARGET })
    expect(cutOff.code).to.equal(null)
    const half = runService({ DATA_DIR: folder, MONGODB_URI: TARGET }, folder)
    expect((await half.ended).stderr).to.include('into this database was not finished')
    const done = await copy(folder, ['--to', 'env:TARGET'], { TARGET })
    expect(done, done.stderr).to.include({ code: 0 })
    const served = start(folder, { MONGODB_URI: TARGET })
    expect(await login(await served.service.url)).to.equal(200)
    await served.stop()
    const again = await copy(folder, ['--to', TARGET])
    expect(again.lines.at(-1)).to.match(/^This was copied at /)
  })

  it('ends at a service whose database is started again by itself when it is killed', async () => {
    const folder = await cleanup.folder()
    const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
    const { service, stop } = start(folder, { ...env, DATABASE_MONGOD: mongod })
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
