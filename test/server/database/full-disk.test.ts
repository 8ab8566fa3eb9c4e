import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '../../../server/settings/config.js'
import type { Quire } from '../../../server/lifecycle/start.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { exporterOf, foldersOf, pause } from '../backup/many-notes.js'
import { eventually, startJournal } from './support.js'
import { sender, type Send } from '../../support/request.js'
import { pooledPath, readsByMode } from '../../support/reads-by-mode.js'
import { conformanceModel } from '../../support/conformance-model.js'

const run = promisify(execFile)
const megabyte = 1024 * 1024

describe('nearly full disk of the database', function () {
  this.timeout(90_000)
  const journal = startJournal()
  let folder: string
  let quire: Quire | undefined
  let send: Send
  let token: string
  let adminJwt: string
  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'quire-room-'))
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'quire-test', folder])
    } catch {
      // Mounting a disk needs root, and is not possible everywhere.
      this.skip()
    }
    const env = {
      ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') },
      SCHEMA_DIR: conformanceModel,
    }
    const config = loadConfig(env, folder)
    const settings = { ...config.settings, 'database.minFreeBytes': 16 * megabyte }
    quire = await startQuire({ ...config, settings }, { log: journal.log })
    send = sender(quire.url)
    const draft = { name: 'room', description: '', type: 'full-access', permissions: [] } as const
    token = (await quire.access.tokens.create({ ...draft, lifespan: null }, null)).accessKey
    const { admins } = quire.access
    const names = { firstname: 'Ada', lastname: 'Admin' }
    const login = { email: 'admin@example.org', password: 'Admin-password-1' }
    adminJwt = await admins.issueToken((await admins.create({ ...names, ...login })).id)
  })
  after(async () => {
    await quire?.stop()
    await run('umount', [folder]).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  })

  const pooledReads = (): number => (quire === undefined ? 0 : readsByMode(quire).pool)
  const tag = (name: string) => ({ token, body: { data: { name } } })
  const filler = () => join(folder, 'filler')
  const fill = async (): Promise<void> => {
    await writeFile(filler(), '')
    const { stdout } = await run('df', ['--output=avail', '-B1', folder])
    const free = Number(stdout.split('\n')[1])
    await writeFile(filler(), Buffer.alloc(free - 10 * megabyte))
  }

  it('causes 503 for writes until space is freed, while reads and deletions succeed', async () => {
    const write = (name: string) => send('POST', '/api/tags', tag(name))
    const made = await write('one')
    expect(made.status).to.equal(201)
    const { documentId } = (made.body as { data: { documentId: string } }).data
    await fill()
    await eventually(() => journal.find('is almost full') !== undefined)

    const refused = await write('two')
    expect(refused.headers.get('retry-after')).to.equal('10')
    expect(refused.body).to.deep.equal({
      data: null,
      error: {
        ...{ status: 503, name: 'ServiceUnavailableError', details: { outcome: 'not-done' } },
        message: 'The storage is full. Nothing was changed',
      },
    })
    const form = new FormData()
    form.append('files', new Blob(['text']), 'a.txt')
    expect(await send('POST', '/api/upload', { token, body: form })).to.include({ status: 503 })
    const exported = await send('GET', '/admin/export', { token: adminJwt })
    expect(exported).to.include({ status: 503 })
    expect(exported.headers.get('retry-after')).to.equal('10')
    expect(await send('GET', '/api/tags', { token })).to.include({ status: 200 })
    const before = pooledReads()
    expect(await send('GET', pooledPath, { token })).to.include({ status: 200 })
    expect(pooledReads(), 'reads in the worker pool').to.equal(before + 1)
    expect(await send('DELETE', `/api/tags/${documentId}`, { token })).to.include({ status: 204 })

    await truncate(filler(), 0)
    await eventually(() => journal.find('enough space again') !== undefined)
    expect(await write('three')).to.include({ status: 201 })
  })

  it('aborts an export that fills the disk, so that writes continue', async () => {
    const dataDir = join(folder, 'data')
    const answering = send('GET', '/admin/export', { token: adminJwt })
    pause(await exporterOf(process.pid))
    await fill()
    const { status, headers, body } = await answering
    expect(status).to.equal(503)
    expect(headers.get('retry-after')).to.equal('30')
    expect((body as { error: { message: string } }).error.message).to.equal(
      'There is not enough disk space in DATA_DIR for the temporary files of the export',
    )
    expect(await foldersOf(dataDir)).to.deep.equal([])
    await truncate(filler(), 0)
    await eventually(async () => (await send('POST', '/api/tags', tag('four'))).status === 201)
  })
})
