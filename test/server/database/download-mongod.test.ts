import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { downloadMongod } from '../../../server/database/mongod/download-mongod.js'
import { Cleanup } from './cleanup.js'
import { startJournal } from './support.js'

/** Smaller files are rejected as truncated. */
const leastBytes = 2 ** 20
const script = '#!/bin/sh\necho "db version v8.2.6"\nexit\n'.padEnd(leastBytes + 1, '#')

describe('downloadMongod', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  const startMirror = async (md5?: string) => {
    const folder = await cleanup.folder()
    await mkdir(join(folder, 'mongodb', 'bin'), { recursive: true })
    await writeFile(join(folder, 'mongodb', 'bin', 'mongod'), script, { mode: 0o755 })
    const archive = join(folder, 'archive.tgz')
    await promisify(execFile)('tar', ['-czf', archive, '-C', folder, 'mongodb'])
    const bytes = await readFile(archive)
    const checksum = md5 ?? createHash('md5').update(bytes).digest('hex')
    const requested: string[] = []
    const server = createServer(({ url = '' }, response) => {
      requested.push(url)
      const body = url.endsWith('.md5') ? Buffer.from(`${checksum}  archive.tgz\n`) : bytes
      response.writeHead(200, { 'Content-Length': body.length }).end(body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanup.add(() => Promise.resolve(server.close()))
    const { port } = server.address() as AddressInfo
    return { mirror: `http://127.0.0.1:${port}`, requested }
  }

  it('stores the program in DATA_DIR, and does not download it again', async function () {
    if (process.platform !== 'linux') this.skip()
    const { mirror, requested } = await startMirror()
    const dataDir = await cleanup.folder()
    const { log } = startJournal()
    const program = await downloadMongod({ dataDir, downloadMirror: mirror, log })
    expect(program.startsWith(join(dataDir, 'cache', 'mongod'))).to.equal(true)
    const { stdout } = await promisify(execFile)(program, ['--version'])
    expect(stdout).to.equal('db version v8.2.6\n')
    expect(requested).to.have.lengthOf(2)
    expect(requested[0]).to.match(/^\/linux\/mongodb-linux-.*-8\.2\.6\.tgz$/)
    expect(await downloadMongod({ dataDir, downloadMirror: mirror, log })).to.equal(program)
    expect(requested).to.have.lengthOf(2)
  })

  it('fails if the checksum does not match', async function () {
    if (process.platform !== 'linux') this.skip()
    const { mirror } = await startMirror('0'.repeat(32))
    const dataDir = await cleanup.folder()
    const failure = await downloadMongod({
      ...{ dataDir, downloadMirror: mirror, log: startJournal().log },
    }).then(
      () => '',
      ({ message }: Error) => message,
    )
    expect(failure)
      .to.match(/^MongoDB could not be downloaded: .*MD5/i)
      .and.to.include('set database.mongod, or set MONGODB_URI')
  })
})
