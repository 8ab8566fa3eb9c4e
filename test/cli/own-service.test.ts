import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { freePort } from '../../scripts/free-port.js'
import { startDatabaseHost } from '../../server/database/host.js'
import { findService } from '../../server/database/running-service.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { startInProcess } from '../support/service-in-process.js'
import { folderForEach, writeFiles } from '../support/temporary-folder.js'

const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'Correct-Horse-9' }
type Given = Readonly<Record<string, unknown>>

const file = 'schema/content-types/note.json'
const note = {
  ...{ kind: 'collectionType', collectionName: 'notes' },
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

describe('command in a project whose service uses the embedded database', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const open = async () => {
    const folder = await makeFolder({ [file]: note })
    const service = await startInProcess(admin, folder)
    const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runQuireInProcess(args, { cwd: folder, env: { XDG_STATE_HOME: `${folder}/state`, ...env } })
    const uses = `The service at ${service.url} (process ${process.pid}) uses the database of this project`
    return { folder, service, run, uses }
  }

  it('sends its requests to the running service, and says so', async () => {
    const { folder, service, run, uses } = await open()
    try {
      const sentToService = { code: 0, stderr: `${uses}. The command sends its requests to it.\n` }
      await writeFile(`${folder}/notes.csv`, 'text\nfirst\n')
      expect(await run(['entries', 'import', 'notes.csv', '--type', 'note'], admin)).to.deep.equal({
        ...{ ...sentToService, stdout: '1 row: 1 created, 0 updated, 0 failed.\n' },
      })
      const exported = await run(['entries', 'export', '--type', 'note'], admin)
      expect(exported).to.deep.include(sentToService)
      expect(exported.stdout)
        .to.match(/,text\n|\btext\b/)
        .and.to.include('first')
      expect(await run(['config', 'diff'], admin)).to.include({ code: 1 })
      expect(await run(['config', 'pull'], admin)).to.deep.equal({
        ...{
          ...sentToService,
          stdout: 'Wrote config/locales.json, config/roles.json, config/api-tokens.json\n',
        },
      })
      expect(await run(['export', 'all.tar.gz'], admin)).to.deep.include(sentToService)
      expect(await readdir(folder)).to.include('all.tar.gz')
    } finally {
      await service.stop()
    }
  })

  it('asks the running service for the effects on stored content', async () => {
    const { folder, service, run, uses } = await open()
    const runThroughService = async (args: readonly string[]) => {
      const env = { ...admin, PORT: String(service.port), HOST: '127.0.0.1' }
      const { code, stdout, stderr } = await run(args, env)
      expect(
        stderr.startsWith(`${uses}. The command sends its requests to it.\n`),
        stderr,
      ).to.equal(true)
      const err = stderr
        .slice(`${uses}. The command sends its requests to it.\n`.length)
        .replaceAll(folder, '.')
      return { code, out: stdout.replaceAll(folder, '.'), err }
    }
    const change = (attributes: object) =>
      writeFiles(folder, { [file]: { ...note, attributes: { ...note.attributes, ...attributes } } })
    try {
      await writeFile(`${folder}/notes.csv`, 'text\nfirst\nfirst\n')
      await runThroughService(['entries', 'import', 'notes.csv', '--type', 'note'])
      expect(await runThroughService(['schema'])).to.deep.equal({
        ...{ code: 0, out: 'The definitions in ./schema are the newest.\n', err: '' },
      })
      expect((await runThroughService(['doctor'])).out).to.include(
        'The definitions do not change it.',
      )
      expect((await runThroughService(['check'])).out).to.not.include('stored content')

      await change({ mood: { type: 'string', required: true } })
      const effect = `./${file}: attributes.mood: it is required now, and 2 entries have no value in it. They stay unchanged until a write sends "mood"`
      expect(await runThroughService(['schema'])).to.deep.equal({
        ...{ code: 0, err: '' },
        out: `The definitions in ./schema are new. The next start makes them the newest.\n${effect}\n`,
      })
      expect((await runThroughService(['check'])).out).to.include(
        `Effects on stored content\n  ${effect.replace('./schema/', '')}\n\nIt would start after the service on its port has stopped.\n`,
      )
      const { findings } = JSON.parse((await runThroughService(['doctor', '--json'])).out) as Given
      expect((findings as readonly Given[]).at(-1)).to.deep.equal({
        ...{ check: 'content', state: 'warning', says: effect },
      })

      await change({ text: { type: 'string', unique: true } })
      for (const args of [['schema'], ['check'], ['doctor']]) {
        const { code, out, err } = await runThroughService(args)
        expect(
          [code, `${out}${err}`.includes(`./${file}: attributes.text.unique: it cannot`)],
          args[0],
        ).to.deep.equal([1, true])
      }
    } finally {
      await service.stop()
    }
  })

  it('uses the custom fields that the running service knows', async () => {
    const place = { type: 'customField', customField: 'plugin::maps.place' }
    const folder = await makeFolder({ [file]: { ...note, attributes: { place } } })
    const SCHEMA_CUSTOM_FIELDS = '{"plugin::maps.place":"string"}'
    const service = await startInProcess({ ...admin, SCHEMA_CUSTOM_FIELDS }, folder)
    try {
      const env = { ...admin, XDG_STATE_HOME: `${folder}/state` }
      const { stdout } = await runQuireInProcess(['schema', 'diff'], { cwd: folder, env })
      expect(stdout).to.equal('There are no differences.\n')
    } finally {
      await service.stop()
    }
  })

  it('says what it needs without credentials, or for a task that the service cannot do', async () => {
    const { folder, service, run, uses } = await open()
    const serviceFile = await readFile(`${folder}/.data/service.json`, 'utf8')
    expect((await stat(`${folder}/.data/service.json`)).mode & 0o777).to.equal(0o600)
    try {
      expect(await run(['config', 'pull'])).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: `${uses}. Set QUIRE_ADMIN_TOKEN, or ADMIN_EMAIL and ADMIN_PASSWORD in .env, so that the command can send its requests to it. Or stop it.\n`,
      })
      expect(await run(['export', 'all.tar', '--secrets'], admin)).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: `--secrets reads the database directly. Stop the service first\n`,
      })
      expect(await run(['schema', '--go-back'], admin)).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: '--go-back changes the database directly. Stop the service first\n',
      })
      const needs = `${uses}. Set QUIRE_ADMIN_TOKEN, or ADMIN_EMAIL and ADMIN_PASSWORD in .env, so that the command can send its requests to it. Or stop it.`
      expect(await run(['schema'])).to.deep.equal({ code: 1, stdout: '', stderr: `${needs}\n` })
      const checked = await run(['check', '--json'])
      expect(checked).to.include({ code: 0, stderr: '' })
      expect((JSON.parse(checked.stdout) as Given).content).to.deep.equal({
        ...{ effects: [], unseen: needs },
      })
      const { stdout: examined } = await run(['doctor'], { PORT: String(await freePort()) })
      expect(examined).to.include(
        `\n?  content      It was not checked: ${needs}\n\nIt would start, unless a check marked ? would fail.\n`,
      )
      const repair = await run(['repair', '--check'])
      expect(repair).to.include({ code: 1, stdout: '' })
      expect(repair.stderr).to.match(
        /^The database in .* is in use by another process: .*\. Stop process \d+ first\.\n$/,
      )
    } finally {
      await service.stop()
    }
    expect(await readdir(`${folder}/.data`)).to.not.include('service.json')
    // Commands ignore a `service.json` that a killed service has left behind.
    await writeFile(`${folder}/.data/service.json`, serviceFile)
    expect(await run(['config', 'pull'], admin)).to.deep.include({ code: 0, stderr: '' })
    const { code, stderr } = await run(['config', 'pull', '--token', 'x'])
    expect({ code, stderr }).to.deep.equal({
      code: 2,
      stderr: 'error: --token needs a running service, and none runs here\n(See --help.)\n',
    })
  })

  it('exits with 1 in check and doctor if the service refuses the credentials or limits the attempts', async () => {
    const folder = await makeFolder({ [file]: note })
    const service = await startInProcess({ ...admin, AUTH_RATE_LIMIT_MAX: '2' }, folder)
    const run = async (command: string) => {
      const env = { ...admin, ADMIN_PASSWORD: 'Wrong-Horse-9', PORT: String(service.port) }
      const { code, stdout } = await runQuireInProcess([command], {
        ...{ cwd: folder, env: { ...env, HOST: '127.0.0.1', XDG_STATE_HOME: `${folder}/state` } },
      })
      expect(code, stdout).to.equal(1)
      return stdout
    }
    const isNotKnown = 'It is unknown whether it would start: '
    try {
      const checked = await run('check')
      expect(checked)
        .to.match(/\n\nEffects on stored content\n {2}It could not be read: .*Invalid credentials/s)
        .and.to.include(`\n\n${isNotKnown}stored content could not be read.\n`)
      expect(await run('doctor'))
        .to.match(/\nX {2}content {6}It could not be read: .*Invalid credentials/s)
        .and.to.include(`\n\n${isNotKnown}checks marked X could not read what they need.\n`)
      expect(await run('check')).to.match(/It could not be read: .*Too many requests/s)
    } finally {
      await service.stop()
    }
  })

  it('ignores the service file of an earlier service with the same process id', async () => {
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

  it('uses an address on which no other process can listen', async () => {
    const folder = await makeFolder({ [file]: note })
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
