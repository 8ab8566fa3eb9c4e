import { expect } from 'chai'
import { createProgram } from '../../cli/program.js'
import { launch } from '../../cli/start/launch.js'
import { startCommand } from '../long/attack/start-command.js'
import { runQuire } from '../support/quire-command.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { folderForEach } from '../support/temporary-folder.js'

describe('quire command', () => {
  const folderOf = folderForEach()
  const note = {
    'schema/content-types/note.json': {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      attributes: { title: { type: 'string' } },
    },
  }

  it('lists its commands, and prints the usage of each', async () => {
    const help = await runQuire(['--help'])
    expect(help).to.include({ code: 0, stderr: '' })
    const names = createProgram().commands.map((command) => command.name())
    for (const name of names) {
      expect(help.stdout).to.match(new RegExp(`^  ${name} `, 'm'))
      const own = await runQuireInProcess([name, '--help'])
      expect(own, name).to.include({ code: 0, stderr: '' })
      expect(own.stdout).to.match(new RegExp(`^Usage: quire ${name}`))
    }
  })

  it('exits with 2 for an unknown command, and suggests a known one', async () => {
    const wrong = await runQuire(['chekc'])
    expect(wrong).to.include({ code: 2, stdout: '' })
    expect(wrong.stderr).to.match(/unknown command 'chekc'\n\(Did you mean check\?\)/)
    expect(await runQuire([])).to.include({ code: 2, stdout: '' })
  })

  it('suggests a known subcommand for an unknown one, also after help', async () => {
    for (const [args, name, meant] of [
      [['schema', 'aply'], 'aply', 'apply'],
      [['schema', '--go-back', 'dif'], 'dif', 'diff'],
      [['media', 'chek'], 'chek', 'check'],
      [['help', 'medya'], 'medya', 'media'],
      [['help', 'schema', 'aply'], 'aply', 'apply'],
      [['media', 'help', 'mov'], 'mov', 'move'],
    ] as const)
      expect(await runQuireInProcess(args), args.join(' ')).to.deep.equal({
        ...{ code: 2, stdout: '' },
        stderr: `error: unknown command '${name}'\n(Did you mean ${meant}?)\n(See --help.)\n`,
      })
    const unlike = await runQuireInProcess(['help', 'nonsense'])
    expect(unlike.stderr).to.match(/^error: unknown command 'nonsense'\n\(See --help/)
    const deep = await runQuireInProcess(['help', 'schema', 'diff'])
    expect(deep).to.include({ code: 0, stderr: '' })
    expect(deep.stdout).to.match(/^Usage: quire schema diff/)
    const ofHelp = await runQuireInProcess(['help', 'help'])
    expect(ofHelp).to.deep.equal(await runQuireInProcess(['help']))
  })

  it('reads .env of its folder, but prefers environment variables', async () => {
    const folder = await folderOf({
      '.env': 'SCHEMA_DIR="elsewhere" # not here\nAPI_REST_PREFIX=/content\n',
      ...note,
    })
    const checked = async (env: Readonly<Record<string, string>> = {}) =>
      (await runQuire(['check'], { cwd: folder, env })).stdout
    expect(await checked()).to.include(`there is none at ${folder}/elsewhere`)
    expect(await checked({ SCHEMA_DIR: 'schema' })).to.include('endpoints: /content/notes')
    expect(await checked({ SCHEMA_DIR: 'schema', API_REST_PREFIX: '/other' })).to.include(
      'endpoints: /other/notes',
    )
  })

  it('exits with 1 if .env cannot be read', async () => {
    const folder = await folderOf({ '.env/x': '' })
    const { code, stderr } = await runQuire(['check'], { cwd: folder })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^\/.*\/\.env cannot be read: EISDIR/)
  })

  it('prints the report as JSON with --json', async () => {
    const folder = await folderOf(note)
    const good = await runQuire(['check', '--json'], { cwd: folder, env: { PORT: '0' } })
    expect(good.code).to.equal(0)
    expect(JSON.parse(good.stdout)).to.deep.include({
      ...{ starts: true, folder: `${folder}/schema` },
      ...{ contentTypes: ['api::note.note'], adapted: [], code: [] },
    })
    expect(JSON.parse(good.stdout)).to.not.have.property('loaded')
    const bad = await runQuire(['check', 'nowhere', '--json'], { cwd: folder })
    expect(bad.code).to.equal(1)
    expect(JSON.parse(bad.stdout)).to.have.property('starts', false)
  })

  it('gives the same result when run inside the test process, and restores that process', async () => {
    const folder = await folderOf({ '.env': 'API_REST_PREFIX=/content\n', ...note })
    const before = [process.cwd(), process.exitCode, { ...process.env }]
    for (const [args, env] of [
      [['check', '--json'], {}],
      [['check', 'nowhere'], { QUIRE_CONFIG: 'none.json' }],
      [['chekc'], {}],
      [['export', '--help'], {}],
      [['schema'], { MONGODB_URI: 'nowhere' }],
      [['types', '--url', 'http://127.0.0.1:1/api', '--token', 'x'], {}],
    ] as const) {
      const separate = await runQuire(args, { cwd: folder, env })
      expect(await runQuireInProcess(args, { cwd: folder, env }), args.join(' ')).to.deep.equal(
        separate,
      )
    }
    expect([process.cwd(), process.exitCode, { ...process.env }]).to.deep.equal(before)
  })

  it('starts the service with the environment and options of npm start', async () => {
    const { environment, nodeOptions } = await startCommand('start')
    expect(launch).to.deep.include({ environment, nodeOptions })
  })
})
