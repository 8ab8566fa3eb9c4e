import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { startDatabaseHost } from '../../server/database/host.js'
import { findService } from '../../server/database/running-service.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { startInProcess } from '../support/service-in-process.js'
import { folderForEach } from '../support/temporary-folder.js'

const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'Correct-Horse-9' }
const note = {
  ...{ kind: 'collectionType', collectionName: 'notes' },
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

describe('A command of a project whose service runs on the embedded database', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const open = async () => {
    const folder = await makeFolder({ 'schema/content-types/note.json': note })
    const service = await startInProcess(admin, folder)
    const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runQuireInProcess(args, { cwd: folder, env: { XDG_STATE_HOME: `${folder}/state`, ...env } })
    const uses = `The service at ${service.url} (process ${process.pid}) has the database of this project`
    return { folder, service, run, uses }
  }

  it('asks that service, and says so', async () => {
    const { folder, service, run, uses } = await open()
    try {
      const asked = { code: 0, stderr: `${uses}: asking it.\n` }
      await writeFile(`${folder}/notes.csv`, 'text\nfirst\n')
      expect(await run(['entries', 'import', 'notes.csv', '--type', 'note'], admin)).to.deep.equal({
        ...{ ...asked, stdout: 'Of 1 rows 1 were created, 0 updated, 0 failed.\n' },
      })
      const exported = await run(['entries', 'export', '--type', 'note'], admin)
      expect(exported).to.deep.include(asked)
      expect(exported.stdout)
        .to.match(/,text\n|\btext\b/)
        .and.to.include('first')
      expect(await run(['config', 'diff'], admin)).to.include({ code: 1 })
      expect(await run(['config', 'pull'], admin)).to.deep.equal({
        ...{
          ...asked,
          stdout: 'Wrote config/locales.json, config/roles.json, config/api-tokens.json\n',
        },
      })
      expect(await run(['export', 'all.tar.gz'], admin)).to.deep.include(asked)
      expect(await readdir(folder)).to.include('all.tar.gz')
    } finally {
      await service.stop()
    }
  })

  it('says what it needs where it has no credentials, or the service cannot do it', async () => {
    const { folder, service, run, uses } = await open()
    const told = await readFile(`${folder}/.data/service.json`, 'utf8')
    expect((await stat(`${folder}/.data/service.json`)).mode & 0o777).to.equal(0o600)
    try {
      expect(await run(['config', 'pull'])).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: `${uses}. To ask it, set QUIRE_ADMIN_TOKEN, or ADMIN_EMAIL and ADMIN_PASSWORD in .env; or stop it.\n`,
      })
      expect(await run(['export', 'all.tar', '--secrets'], admin)).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: `${uses}: asking it.\n--secrets needs the database itself: stop the service first\n`,
      })
      const schema = await run(['schema'])
      expect(schema).to.include({ code: 1, stdout: '' })
      expect(schema.stderr).to.match(
        /^The database belongs to the service that runs; `.*schema.* diff` asks it: The database in .* is in use by/,
      )
      const repair = await run(['repair', '--check'])
      expect(repair).to.include({ code: 1, stdout: '' })
      expect(repair.stderr).to.match(
        /^The database in .* is in use by another process: .*MONGODB_URI\.\n$/,
      )
    } finally {
      await service.stop()
    }
    expect(await readdir(`${folder}/.data`)).to.not.include('service.json')
    // What a killed service leaves counts no more.
    await writeFile(`${folder}/.data/service.json`, told)
    expect(await run(['config', 'pull'], admin)).to.deep.include({ code: 0, stderr: '' })
    const { code, stderr } = await run(['config', 'pull', '--token', 'x'])
    expect({ code, stderr }).to.deep.equal({
      code: 2,
      stderr: 'error: --token is for a service, and none runs here\n(--help says how it is used)\n',
    })
  })

  it('does not take the note of an earlier service with the same process id', async () => {
    const { folder, service } = await open()
    const dataDir = `${folder}/.data`
    const note = await readFile(`${dataDir}/service.json`, 'utf8')
    expect(await findService(dataDir)).to.deep.equal({ url: service.url, pid: process.pid })
    await service.stop()
    await writeFile(`${dataDir}/service.json`, note)
    const host = await startDatabaseHost({ dataDir, log: pino({ level: 'silent' }) })
    try {
      expect(await findService(dataDir)).to.equal(undefined)
    } finally {
      await host.stop()
    }
  })

  it('asks at an address that no other process can listen on', async () => {
    const folder = await makeFolder({ 'schema/content-types/note.json': note })
    for (const [HOST, address] of [
      ['0.0.0.0', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1'],
    ] as const) {
      const service = await startInProcess({ HOST }, folder)
      const found = await findService(`${folder}/.data`)
      await service.stop()
      expect(found?.url, HOST).to.equal(`http://${address}:${service.port}`)
    }
  })
})
