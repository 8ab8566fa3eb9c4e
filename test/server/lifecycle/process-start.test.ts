import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { startDatabaseHost } from '../../../server/database/host.js'
import { runService, type ServiceProcess } from '../../support/service-process.js'
import { folderForEach } from '../../support/temporary-folder.js'

describe('start of a service process', () => {
  let folder: string
  let running: ServiceProcess | undefined
  afterEach(async () => {
    running?.kill('SIGKILL')
    await running?.ended
    running = undefined
  })
  const makeFolder = folderForEach()
  beforeEach(async () => (folder = await makeFolder({})))

  const run = (env: Record<string, string>) => (running = runService(env, folder))

  it('does not start with an invalid configuration, and lists every error', async () => {
    await writeFile(join(folder, 'quire.config.json'), '{ "api.rest.maxLimt": 5 }')
    const { code, stdout, stderr } = await run({ PORT: 'x', POOL_THREADS: '0' }).ended
    expect(code).to.equal(1)
    expect(stdout).to.equal('')
    expect(stderr).to.equal(`The configuration is invalid:
  - PORT must be an integer from 0 to 65535, not "x"
  - api.rest.maxLimt is not a setting; did you mean api.rest.maxLimit?
  - POOL_THREADS must be an integer from 1 to 64, not 0
`)
  })

  it('does not start if another process uses DATA_DIR, and says what helps', async () => {
    const log = pino({ level: 'silent' })
    const host = await startDatabaseHost({ dataDir: join(folder, 'data'), log })
    const { code, stderr } = await run({ DATA_DIR: 'data', QUIRE_FOLDER_WAIT_MS: '0' }).ended
    await host.stop()
    expect(code).to.equal(1)
    expect(stderr).to.match(
      /^The database in \S+ is in use by another process: .+\. Stop process \d+ first\. Or start with another folder \(DATA_DIR\), or with your own MongoDB \(MONGODB_URI\)\.\n$/,
    )
  })

  it('does not start if DATA_DIR is not a folder, and says so', async () => {
    await writeFile(join(folder, 'data'), '')
    const { code, stderr } = await run({ DATA_DIR: 'data' }).ended
    expect(code).to.equal(1)
    expect(stderr).to.match(/^DATA_DIR cannot be used: EEXIST: .+data'\. Set it to a folder .+\n$/)
  })

  it('does not start if the limit of open files is too low, and says so in one line', async () => {
    const main = fileURLToPath(new URL('../../../server/main.js', import.meta.url))
    for (const limit of [64, 128, 256]) {
      const shell = spawn('bash', [
        '-c',
        `ulimit -n ${limit}; exec "$0" "$1"`,
        process.execPath,
        main,
      ])
      let output = ''
      shell.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
      const [code] = (await once(shell, 'close')) as [number]
      expect({ code, output }).to.deep.equal({
        code: 1,
        output:
          `The process can open only ${limit} files at a time, but needs at least 512. Raise the limit: ` +
          '`ulimit -n 4096`, LimitNOFILE=4096 in systemd, --ulimit nofile=4096 in Docker.\n',
      })
    }
  })

  it('closes its resources when it gets SIGTERM during its start', async () => {
    const service = run({ DATA_DIR: 'data' })
    while (!existsSync(join(folder, 'data/database'))) await sleep(5)
    service.kill('SIGTERM')
    const first = await service.ended
    expect(first.code, first.stderr).to.equal(0)
    expect(first.stdout).not.to.include('Quire is ready')
    expect(first.stdout).to.include('Quire has stopped during its start')

    const second = run({ DATA_DIR: 'data' })
    await second.url
    second.kill('SIGTERM')
    expect((await second.ended).stdout).not.to.include('was not stopped cleanly')
  })
})
