import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '../../../server/settings/config.js'
import type { Quire } from '../../../server/lifecycle/start.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { eventually, startJournal } from './support.js'
import { sender, type Send } from '../../support/request.js'
import { conformanceModel } from '../../support/start-app.js'

const run = promisify(execFile)
const megabyte = 1024 * 1024

describe('When the disk of the database has too little room', function () {
  this.timeout(90_000)
  const journal = startJournal()
  let folder: string
  let quire: Quire | undefined
  let send: Send
  let token: string
  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'quire-room-'))
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'quire-test', folder])
    } catch {
      // Only root may mount, and not everywhere.
      this.skip()
    }
    const env = {
      ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') },
      ...{ SCHEMA_DIR: conformanceModel, DATABASE_MIN_FREE_BYTES: String(16 * megabyte) },
    }
    quire = await startQuire(loadConfig(env, folder), { log: journal.log })
    send = sender(quire.url)
    const draft = { name: 'room', description: '', type: 'full-access', permissions: [] } as const
    token = (await quire.access.tokens.create({ ...draft, lifespan: null }, null)).accessKey
  })
  after(async () => {
    await quire?.stop()
    await run('umount', [folder]).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  })

  it('writes are 503, reads and deletions go on, and it is over when there is room again', async () => {
    const write = (name: string) => send('POST', '/api/tags', { token, body: { data: { name } } })
    const made = await write('one')
    expect(made.status).to.equal(201)
    const { documentId } = (made.body as { data: { documentId: string } }).data
    const filler = join(folder, 'filler')
    await writeFile(filler, '')
    const { stdout } = await run('df', ['--output=avail', '-B1', folder])
    const free = Number(stdout.split('\n')[1])
    await writeFile(filler, Buffer.alloc(free - 10 * megabyte))
    await eventually(() => journal.find('too little room') !== undefined)

    const refused = await write('two')
    expect(refused.headers.get('retry-after')).to.equal('10')
    expect(refused.body).to.deep.equal({
      data: null,
      error: {
        ...{ status: 503, name: 'ServiceUnavailableError', details: { outcome: 'not-done' } },
        message: 'There is no room left to store anything. Nothing was changed',
      },
    })
    const form = new FormData()
    form.append('files', new Blob(['text']), 'a.txt')
    expect(await send('POST', '/api/upload', { token, body: form })).to.include({ status: 503 })
    expect(await send('GET', '/api/tags', { token })).to.include({ status: 200 })
    expect(await send('DELETE', `/api/tags/${documentId}`, { token })).to.include({ status: 204 })

    await truncate(filler, 0)
    await eventually(() => journal.find('room again') !== undefined)
    expect(await write('three')).to.include({ status: 201 })
  })
})
