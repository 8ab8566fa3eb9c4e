import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
import { quireCommand } from '../../support/quire-command.js'

const schemaOf = (attributes: object) => ({
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const older = schemaOf({})
const newer = schemaOf({ code: { type: 'string', unique: true } })

describe('npm run schema -- --go-back with a running service', () => {
  let uri: string
  let app: TestApp
  let folders: Readonly<Record<'older' | 'newer', string>>
  before(async () => {
    uri = await testDatabaseUri()
    folders = { older: await makeFolder(older), newer: await makeFolder(newer) }
    await (await startApp({ databaseUri: uri, schema: older })).stop()
    app = await startApp({ databaseUri: uri, schema: newer })
  })
  after(async () => {
    await app.stop()
    await Promise.all(Object.values(folders).map(removeFolder))
  })

  const run = async (side: keyof typeof folders, ...options: readonly string[]) => {
    const env = { PATH: process.env['PATH'], MONGODB_URI: uri, SCHEMA_DIR: folders[side] }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [quireCommand, 'schema', ...options],
      { env },
    )
    return stdout
  }
  const send = (method: string, path: string, data?: object) =>
    app.request(method, path, {
      token: app.token,
      ...(data === undefined ? {} : { body: { data } }),
    })
  const create = async (data: object) => {
    const { status, body } = await send('POST', '/api/notes', data)
    return { status, id: (body as { data: { documentId: string } | null }).data?.documentId ?? '' }
  }
  const shows = async (id: string) =>
    ((await send('GET', `/api/notes/${id}`)).body as { data: object }).data
  const serves = (side: keyof typeof folders) =>
    eventually(
      async () =>
        (await create({ code: `${Math.random()}` })).status === (side === 'newer' ? 201 : 400),
    )

  it('only reports what it would do without the option', async () => {
    expect(await run('newer')).to.include('are the newest')
    expect(await run('older')).to.include('npm run schema -- --go-back')
    expect((await create({ code: 'still served' })).status).to.equal(201)
  })

  it('makes the service serve older definitions, then newer ones again, without losing values', async () => {
    const { id } = await create({ title: 'first', code: 'kept' })
    let isOver = false
    const statuses = new Set<number>()
    /** Writes without pause to an attribute that both definitions have. */
    const writing = (async () => {
      for (let turn = 0; !isOver; turn += 1)
        statuses.add((await send('PUT', `/api/notes/${id}`, { title: `turn ${turn}` })).status)
    })()
    try {
      expect(await run('older', '--go-back')).to.include('are the newest now')
      await serves('older')
      expect(await shows(id)).to.not.have.property('code')
      expect(await run('older')).to.include('are the newest')
      expect(await run('newer', '--go-back')).to.include('are the newest now')
      await serves('newer')
    } finally {
      isOver = true
      await writing
    }
    expect([...statuses]).to.deep.equal([200])
    expect(await shows(id)).to.include({ code: 'kept' })
    expect((await create({ code: 'kept' })).status).to.equal(400)
  })
})
