import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { runQuire, type Ran } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { conformanceModel } from '../../support/conformance-model.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Roles = Record<string, { name: string; description: string | null; permissions: string[] }>

describe('quire config', function () {
  this.timeout(120_000)
  const folderOf = folderForEach()
  const find = 'api::article.article.find'
  let app: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    app = await startApp({ databaseUri })
  })
  after(() => app?.stop())

  type Run = (args: readonly string[], cwd: string, quire?: typeof runQuire) => Promise<Ran>
  const ways: Readonly<Record<string, Run>> = {
    'through a service': (args, cwd, quire = runQuireInProcess) =>
      quire(['config', ...args, '--url', `${app.url}/`], {
        cwd,
        env: { QUIRE_ADMIN_TOKEN: app.adminJwt },
      }),
    'on the database': (args, cwd, quire = runQuireInProcess) =>
      quire(['config', ...args], {
        cwd,
        env: { MONGODB_URI: databaseUri, SCHEMA_DIR: conformanceModel },
      }),
  }
  const readRoles = async (folder: string): Promise<Roles> =>
    JSON.parse(await readFile(join(folder, 'config/roles.json'), 'utf8')) as Roles
  const writeRoles = (folder: string, roles: Roles): Promise<void> =>
    writeFile(join(folder, 'config/roles.json'), JSON.stringify(roles))

  for (const [way, run] of Object.entries(ways))
    it(`pulls, compares and pushes ${way}`, async () => {
      const folder = await folderOf({})
      const pulled = await run(['pull'], folder, runQuire)
      expect(pulled).to.deep.equal({
        ...{ code: 0, stderr: '' },
        stdout: 'Wrote config/locales.json, config/roles.json, config/api-tokens.json\n',
      })
      const same = await run(['diff', '--prune'], folder)
      expect(same).to.deep.equal({ code: 0, stdout: 'There are no differences.\n', stderr: '' })

      const before = await readRoles(folder)
      const permissions = [...(before['public']?.permissions ?? []), find]
      const reader = { name: 'Reader', description: null, permissions: [find] }
      await writeRoles(folder, {
        ...before,
        public: { ...(before['public'] ?? reader), permissions },
        reader,
      })
      const shown = [
        '+ roles reader',
        '    description: null',
        `    + ${find}`,
        '    name: "Reader"',
        '~ roles public',
        `    + ${find}`,
        '',
      ].join('\n')
      const changed = await run(['diff'], folder)
      expect(changed.code, changed.stderr).to.equal(1)
      expect(changed.stdout.split('\n').sort()).to.deep.equal(shown.split('\n').sort())

      const unconfirmed = await run(['push'], folder, runQuire)
      expect(unconfirmed).to.deep.include({ code: 1, stdout: changed.stdout })
      expect(unconfirmed.stderr).to.include('--yes')
      const pushed = await run(['push', '--yes'], folder)
      expect(pushed.code, pushed.stderr).to.equal(0)
      expect(pushed.stdout).to.equal(`${changed.stdout}Applied.\n`)
      expect((await run(['diff', '--prune'], folder)).code).to.equal(0)

      await writeRoles(folder, before)
      const comparison = await run(['diff', '--json'], folder)
      expect(JSON.parse(comparison.stdout)).to.deep.include({ kept: ['roles.reader'] })
      const back = await run(['push', '--yes', '--prune', '--json'], folder)
      expect(back.code, back.stderr).to.equal(0)
      const { changes, applied } = JSON.parse(back.stdout) as {
        changes: { kind: string; id: string }[]
        applied: boolean
      }
      expect(applied).to.equal(true)
      expect(changes.map(({ kind, id }) => `${kind} ${id}`)).to.deep.equal([
        'change public',
        'remove reader',
      ])
      expect((await run(['diff', '--prune'], folder)).code).to.equal(0)
    })

  for (const [way, run] of Object.entries(ways))
    it(`reports every error in the files ${way}`, async () => {
      const folder = await folderOf({
        'config/roles.json': {
          public: { nmae: 'Public', permissions: ['api::article.articel.find'] },
        },
      })
      const { code, stderr } = await run(['push', '--yes'], folder)
      expect(code).to.equal(1)
      expect(stderr).to.include('roles.public.nmae: there is no member nmae; did you mean name?\n')
      expect(stderr).to.include(
        `there is no action api::article.articel.find; did you mean ${find}?`,
      )
    })

  it('says how a new API token gets a key', async () => {
    const token = { description: '', type: 'custom', permissions: [find], lifespan: null }
    const folder = await folderOf({ 'config/api-tokens.json': { Website: token } })
    expect((await ways['on the database']?.(['diff'], folder))?.stdout).to.include(
      '\nA new API token has no usable key. An admin can generate a key, which is shown once.\n',
    )
  })

  it('names the file of invalid JSON, and the position of a duplicate key', async () => {
    const folder = await folderOf({ 'config/x.json': {} })
    const run = ways['through a service']
    await writeFile(join(folder, 'config/roles.json'), '{ "a": {},\n  "a": {} }')
    expect((await run?.(['diff'], folder))?.stderr).to.match(
      /config\/roles\.json has the key "a" twice \(line 2, column 3\)/,
    )
    await writeFile(join(folder, 'config/roles.json'), '{ "a": ')
    expect((await run?.(['diff'], folder))?.stderr).to.match(/config\/roles\.json is not JSON: /)
  })

  it('logs in as the admin of the environment, and exits with 2 without credentials', async () => {
    const folder = await folderOf({})
    const pull = ['config', 'pull', '--url', app.url]
    const nobody = await runQuireInProcess(pull, { cwd: folder })
    expect(nobody.code).to.equal(2)
    expect(nobody.stderr).to.include('QUIRE_ADMIN_TOKEN')
    const QUIRE_ADMIN_TOKEN = 'nonsense'
    for (const [from, args, env] of [
      ['--token', ['--token', 'nonsense'], {}],
      ['QUIRE_ADMIN_TOKEN', [], { QUIRE_ADMIN_TOKEN }],
    ] as const)
      expect(await runQuireInProcess([...pull, ...args], { cwd: folder, env })).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: `${from} is not the token of an admin of this service, or has expired: Missing or invalid credentials (GET ${app.url}/admin/configuration: the service responded with 401)\n`,
      })
    const env = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'Admin-password-1' }
    expect((await runQuireInProcess(pull, { cwd: folder, env })).code).to.equal(0)
  })

  it('leaves files of other programs unchanged, and names them', async () => {
    const folder = await folderOf({
      'config/server.ts': 'export default {}',
      'config/locales.json': '{ "fallback": "en" }',
    })
    const config = join(folder, 'config')
    const run = ways['through a service'] ?? (() => Promise.reject(new Error('There is no way')))
    const pulled = await run(['pull'], folder)
    expect(pulled).to.deep.equal({
      ...{ code: 1, stdout: '' },
      stderr: `${config}/locales.json does not have the format of \`quire config\`, and was not overwritten. Give another folder with --dir or CONFIG_DIR\n`,
    })
    expect((await readdir(config)).sort()).to.deep.equal(['locales.json', 'server.ts'])
    await rm(join(config, 'locales.json'))
    const none = await run(['diff'], folder)
    expect([none.code, none.stderr]).to.deep.equal([
      1,
      `${config} contains none of locales.json, roles.json, api-tokens.json. Create them with \`config pull\`, or give another folder with --dir or CONFIG_DIR\n`,
    ])
    await mkdir(join(config, 'roles.json'))
    const unreadable = await run(['diff'], folder)
    expect(unreadable.stderr).to.match(
      /config\/roles\.json cannot be read: it is a folder, and a file is expected\n/,
    )
    expect((await run(['pull', '--dir', 'quire-config'], folder)).code).to.equal(0)
  })
})
