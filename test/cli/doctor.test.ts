import { chmod, mkdir, readdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { freePort } from '../../scripts/free-port.js'
import { testDatabaseUri } from '../support/database.js'
import { runQuire } from '../support/quire-command.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { startApp } from '../support/start-app.js'
import { folderForEach } from '../support/temporary-folder.js'

type Report = Readonly<{
  starts: boolean
  findings: readonly Readonly<{ check: string; state: string; says: string }>[]
}>

describe('quire doctor', () => {
  const folderOf = folderForEach()
  const note = {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string' } },
  }
  const site = { 'schema/content-types/note.json': note }
  const examine = async (
    files: Readonly<Record<string, unknown>>,
    env: Readonly<Record<string, string>> = {},
    quire = runQuireInProcess,
  ) => {
    const folder = await folderOf(files)
    const PORT = String(await freePort())
    const { code, stdout } = await quire(['doctor', '--json'], {
      ...{ cwd: folder, env: { PORT, HOST: '127.0.0.1', ...env } },
    })
    const { starts, findings } = JSON.parse(stdout) as Report
    expect(code).to.equal(starts ? 0 : 1)
    const of = (name: string) => findings.find(({ check }) => check === name)
    return { folder, starts, findings, of }
  }

  it('reports no problem for a project on the embedded database, and changes nothing', async () => {
    const { folder, starts, findings, of } = await examine(site)
    expect(starts).to.equal(true)
    expect(findings.map(({ check }) => check)).to.deep.equal([
      ...['node', 'packages', 'settings', 'secrets'],
      ...['definitions', 'data folder', 'port', 'database'],
    ])
    expect(of('definitions')?.says).to.equal(`1 content-type in ${folder}/schema`)
    expect(of('data folder')?.says).to.equal(`${folder}/.data, which the first start will create`)
    expect(of('database')?.says).to.match(/^The embedded database runs on this machine/)
    expect(await readdir(folder)).to.deep.equal(['schema'])
  })

  it('reports the version of a MongoDB, or why it cannot be reached', async () => {
    const uri = await testDatabaseUri()
    const { of } = await examine(site, { MONGODB_URI: uri })
    expect(of('database')?.says).to.match(/^MongoDB \d+\.\d+\.\d+\S*, database \w+: /)
    const port = await freePort()
    const unreachable = await examine(site, {
      MONGODB_URI: `mongodb://ada:secret@127.0.0.1:${port}/a?serverSelectionTimeoutMS=1000`,
    })
    expect(unreachable.starts).to.equal(false)
    expect(unreachable.of('database')).to.deep.include({ state: 'problem' })
    expect(unreachable.of('database')?.says).to.include('ECONNREFUSED').and.not.include('secret')
  })

  it('reports a half-finished import or another storage format, and changes nothing', async () => {
    const uri = await testDatabaseUri()
    const client = new MongoClient(uri)
    try {
      const db = client.db()
      const collections = () => db.listCollections({}, { nameOnly: true }).toArray()
      await examine(site, { MONGODB_URI: uri })
      expect(await collections()).to.deep.equal([])
      const imports = db.collection<{ _id: string; stage: string }>('_imports')
      await imports.insertOne({ _id: 'a', stage: 'content' })
      const half = await examine(site, { MONGODB_URI: uri })
      expect([half.starts, half.of('database')?.state]).to.deep.equal([false, 'problem'])
      expect(half.of('database')?.says).to.match(/^An import into this database was not finished/)
      await imports.drop()
      const settings = db.collection<{ _id: string; version: number }>('_settings')
      await settings.insertOne({ _id: 'format', version: 1000 })
      const other = await examine(site, { MONGODB_URI: uri })
      expect(other.starts).to.equal(false)
      expect(other.of('database')?.says).to.include('has storage format 1000')
    } finally {
      await client.close()
    }
  })

  it('names invalid settings, and checks nothing else', async () => {
    const { starts, findings } = await examine(site, { API_REST_MAX_LIMIT: 'many', PORT: 'x' })
    expect(starts).to.equal(false)
    const { check, says } = findings.at(-1) ?? {}
    expect(check).to.equal('settings')
    expect(says).to.include('API_REST_MAX_LIMIT').and.include('PORT')
  })

  it('names invalid definitions', async () => {
    const wrong = { ...note, attributes: { title: { type: 'strin' } } }
    const files = { 'schema/content-types/note.json': wrong }
    const { starts, of } = await examine(files, { MONGODB_URI: await testDatabaseUri() })
    expect(starts).to.equal(false)
    expect(of('definitions')?.says).to.include('attributes.title').and.include('strin')
    expect(of('content'), 'which would say the same').to.equal(undefined)
  })

  it('lists the warnings of definitions', async () => {
    const of = { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'on' }
    const more = { ...note.attributes, title: { type: 'string', requird: true }, of }
    const files = { 'schema/content-types/note.json': { ...note, attributes: more } }
    const MONGODB_URI = await testDatabaseUri()
    const { folder, starts, findings } = await examine(files, { MONGODB_URI })
    const says = (text: string) => ({
      ...{ check: 'definitions', state: 'warning' },
      says: `${folder}/schema/content-types/note.json: attributes.${text}`,
    })
    expect(starts).to.equal(true)
    expect(findings.filter(({ check }) => check === 'definitions')).to.deep.equal([
      says(
        'of.mappedBy: the relation is stored here and has no inverse side: there is no attribute "on" of api::note.note',
      ),
      says('title.requird is unknown. Did you mean required?'),
    ])
  })

  it('marks definitions as not checked without SCHEMA_DIR', async () => {
    const folder = await folderOf({})
    const env = { MONGODB_URI: await testDatabaseUri(), PORT: String(await freePort()) }
    const { code, stdout } = await runQuireInProcess(['doctor'], { cwd: folder, env })
    expect(code).to.equal(0)
    expect(stdout).to.match(/^\? {2}definitions {2}SCHEMA_DIR is not set/m)
    expect(stdout).to.match(/\n\nIt would start, unless a check marked \? would fail\.\n$/)
  })

  it('warns if a service has the port, and reports a problem if another program has it', async () => {
    const MONGODB_URI = await testDatabaseUri()
    const app = await startApp({})
    try {
      const { port } = new URL(app.url)
      const { folder, of } = await examine(site, { MONGODB_URI, PORT: port })
      expect(of('port')?.state).to.equal('warning')
      const env = { MONGODB_URI, PORT: port, HOST: '127.0.0.1' }
      const { stdout } = await runQuireInProcess(['doctor'], { cwd: folder, env })
      expect(stdout).to.match(/\n\nIt would start after the service on its port has stopped\.\n$/)
    } finally {
      await app.stop()
    }
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    try {
      const { port } = other.address() as AddressInfo
      // Run a new process, which nothing else keeps alive until it has the response.
      const { starts, of } = await examine(site, { MONGODB_URI, PORT: String(port) }, runQuire)
      expect(starts).to.equal(false)
      expect(of('port')?.says).to.include('the port is in use')
    } finally {
      other.close()
    }
  })

  it('reports a problem if the data folder is a file', async () => {
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: 'data' }
    const { starts, of } = await examine({ ...site, data: 'a file' }, env)
    expect(starts).to.equal(false)
    expect(of('data folder')?.says).to.match(/^DATA_DIR cannot be used: EEXIST: .*data'\. Set it/)
  })

  it('reports a problem if the data folder is not writable', async function () {
    // Root can write everywhere.
    if (process.getuid?.() === 0) return this.skip()
    const folder = await folderOf({})
    await mkdir(join(folder, 'closed'))
    await chmod(join(folder, 'closed'), 0o500)
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: join(folder, 'closed') }
    const { of } = await examine(site, env)
    expect(of('data folder')?.says).to.include('no permission to write')
  })

  it('prints lines with the verdict last, without --json', async () => {
    const folder = await folderOf(site)
    const env = { PORT: String(await freePort()), NODE_ENV: 'production' }
    const { code, stdout } = await runQuire(['doctor'], { cwd: folder, env })
    expect(code).to.equal(0)
    expect(stdout).to.match(/^ok node {9}Quire /)
    expect(stdout).to.match(/^! {2}secrets {6}JWT_SECRET is not set/m)
    expect(stdout).to.match(/\n\nIt would start\.\n$/)
  })
})
