import { readFile, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.js'
import { compile, inProject } from '../client/compile.js'
import { runQuire } from '../support/quire-command.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { conformanceModel } from '../support/conformance-model.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { folderForEach } from '../support/temporary-folder.js'

const committed = inProject('test/client/quire.d.ts')
const client = ['--client', '../../client/main.js']
const ofModel = ['types', '--schema', conformanceModel, ...client]

const definition = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: {
    singularName: name.toLowerCase(),
    pluralName: `${name.toLowerCase()}s`,
    displayName: name,
  },
  attributes,
})
const note = (attributes: object) => definition('Note', attributes)

describe('quire types', () => {
  const folderOf = folderForEach()
  const project = { 'schema/content-types/note.json': note({ title: { type: 'string' } }) }
  const readIn = (folder: string) => readFile(path.join(folder, 'quire.d.ts'), 'utf8')

  it('reports that the committed types are up to date', async () => {
    expect(await runQuireInProcess([...ofModel, '-o', committed, '--check'])).to.deep.include({
      code: 0,
      stdout: `${committed} is up to date\n`,
    })
  })

  it('writes to standard output, or to the file of -o, and names that file', async () => {
    const folder = await folderOf(project)
    const { stdout } = await runQuire(['types'], { cwd: folder })
    expect(stdout).to.include("import type { Filters, Inputs, Types, Values } from 'quire-content/")
    expect(await runQuireInProcess(['types', '-o', 'quire.d.ts'], { cwd: folder })).to.deep.equal({
      ...{ code: 0, stdout: 'Wrote quire.d.ts\n', stderr: '' },
    })
    expect(await readIn(folder)).to.equal(stdout)
  })

  it('compares with --check, writes nothing, and exits with 1 if the file differs or is missing', async () => {
    const folder = await folderOf(project)
    const run = async (...more: readonly string[]) => {
      const { code, stdout } = await runQuireInProcess(['types', '-o', 'quire.d.ts', ...more], {
        cwd: folder,
      })
      return [code, stdout]
    }
    const differs = [1, 'quire.d.ts is out of date\n']
    expect(await run('--check')).to.deep.equal(differs)
    expect(await stat(path.join(folder, 'quire.d.ts')).catch(() => 'none')).to.equal('none')
    await run()
    expect(await run('--check')).to.deep.equal([0, 'quire.d.ts is up to date\n'])
    const before = await readIn(folder)
    const other = await folderOf({
      'content-types/note.json': note({ title: { type: 'string', required: true } }),
    })
    expect(await run('--check', '--schema', other)).to.deep.equal(differs)
    expect(await run('--check', '--client', '@scope/quire/client')).to.deep.equal(differs)
    expect(await readIn(folder)).to.equal(before)
  })

  it('writes nothing, and exits with 1, if the definitions are invalid', async () => {
    const folder = await folderOf({
      'schema/content-types/note.json': note({ title: { type: 'strng' } }),
    })
    const { code, stdout, stderr } = await runQuireInProcess(['types', '-o', 'quire.d.ts'], {
      cwd: folder,
    })
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.match(/strng/)
    expect(await stat(path.join(folder, 'quire.d.ts')).catch(() => 'none')).to.equal('none')
  })

  it('exits with 1 if the folder of the file does not exist', async () => {
    const folder = await folderOf(project)
    const args = ['types', '-o', 'missing/quire.d.ts']
    expect(await runQuireInProcess(args, { cwd: folder })).to.deep.equal({
      ...{ code: 1, stdout: '' },
      stderr: `${folder}/missing/quire.d.ts: there is no folder ${folder}/missing\n`,
    })
  })

  it('exits with 2 if its options are invalid or contradict one another', async () => {
    const url = 'http://127.0.0.1:9/api'
    const wrong: readonly (readonly [message: RegExp, options: readonly string[]])[] = [
      [/--check needs -o/, ['--check']],
      [/not from both/, ['--schema', 'schema', '--url', url]],
      [/nowhere is not an address/, ['--url', 'nowhere']],
      [/localhost:1337 is not an address/, ['--url', 'localhost:1337', '--token', 'x']],
      [/--url needs --token, or QUIRE_TOKEN/, ['--url', url]],
      [/a b is not the name of a module/, ['--client', 'a b']],
    ]
    for (const [message, options] of wrong) {
      const { code, stderr } = await runQuireInProcess(['types', ...options])
      expect(code, stderr).to.equal(2)
      expect(stderr).to.match(message)
    }
  })
})

describe('quire types --url', () => {
  const folderOf = folderForEach()
  let app: TestApp
  before(async () => (app = await startApp()))
  after(() => app.stop())

  const run = (
    options: readonly string[],
    token = app.token,
    url = `${app.url}/api`,
    quire = runQuireInProcess,
  ) => quire(['types', '--url', url, ...options], { env: { QUIRE_TOKEN: token } })

  it('writes the types of the service, and compares them with --check', async () => {
    const { code, stdout } = await run(client, app.token, `${app.url}/api`, runQuire)
    expect(code).to.equal(0)
    expect(stdout).to.equal(await readFile(committed, 'utf8'))
    const check = ['-o', committed, '--check']
    expect(await run([...client, ...check])).to.include({ code: 0 })
    expect(await run(check, app.token, `${app.url}/api/`)).to.include({
      ...{ code: 1, stdout: `${committed} is out of date\n` },
    })
  })

  it('writes types that compile, from the service and not from the current folder', async () => {
    const folder = await folderOf({ 'schema/content-types/note.json': note({}) })
    const race = definition('Race', { laps: { type: 'integer', required: true } })
    const own = await startApp({ schema: { 'content-types/race.json': race } })
    const options = ['--url', `${own.url}/api`, '--token', own.token, ...client]
    const { stdout } = await runQuireInProcess(['types', ...options], { cwd: folder })
    await own.stop()
    expect(stdout).to.match(/export interface Race \{[^}]*\n {2}laps: number\n/)
    expect(stdout).not.to.include('Note')
    const file = inProject('test/client/of-service.d.ts')
    expect(compile([file], { [file]: stdout }).complaints).to.deep.equal([])
  })

  it('prefers --token to QUIRE_TOKEN', async () => {
    expect(await run(['--token', app.token], 'another')).to.include({ code: 0 })
  })

  it('prints the error of the service, and leaves the file unchanged', async () => {
    const folder = await folderOf({ 'quire.d.ts': 'before' })
    const file = path.join(folder, 'quire.d.ts')
    const readOnly = await app.request('POST', '/admin/api-tokens', {
      ...{ token: app.adminJwt, body: { name: 'reads', type: 'read-only' } },
    })
    const { accessKey } = (readOnly.body as { data: { accessKey: string } }).data
    const refused = async (token: string, url?: string) => {
      const { code, stdout, stderr } = await run(['-o', file], token, url)
      expect([code, stdout]).to.deep.equal([1, ''])
      return stderr
    }
    expect(await refused('nobody')).to.include('did not send its types: 401')
    expect(await refused(accessKey)).to.include('did not send its types: 403 Forbidden')
    for (const [url, answered] of [
      [`${app.url}/nowhere`, '404 Not Found'],
      [app.url, '404 Not Found'],
    ] as const)
      expect(await refused(app.token, url)).to.include(
        `types: ${answered}; --url is the address of the API, such as https://site.example/api`,
      )
    expect(await readFile(file, 'utf8')).to.equal('before')
  })

  it('names the address if no service responds, and says what to do', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    for (const [args, env] of [
      [['types', '--url', `${origin}/api`, '--token', 'x'], {}],
      [['config', 'pull', '--url', `${origin}/`, '--token', 'x'], {}],
      [['seed', '--base', origin], { ADMIN_EMAIL: 'a@example.org', ADMIN_PASSWORD: 'b' }],
    ] as const) {
      const { port } = new URL(origin)
      expect(await runQuireInProcess(args, { env }), args.join(' ')).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr: `No service responds at ${origin}: connect ECONNREFUSED 127.0.0.1:${port}. Start it, or use the address of a running service.\n`,
      })
    }
  })

  it('shows neither the token nor the password of an address if no request can be made', async () => {
    for (const args of [
      ['config', 'pull', '--url', 'http://127.0.0.1:9', '--token', 'the\nsecret'],
      ['types', '--url', 'http://ada:secret@127.0.0.1:9/api', '--token', 'x'],
    ])
      expect(await runQuireInProcess(args), args.join(' ')).to.deep.equal({
        ...{ code: 1, stdout: '' },
        stderr:
          'The request is invalid: the address contains a user and a password, or the token contains invalid characters\n',
      })
  })

  it('says why a response was cut off', async () => {
    const service = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('export', () => response.destroy())
    })
    const url = await listen(service)
    const { code, stderr } = await runQuireInProcess(['types', '--url', url, '--token', 'x'])
    service.close()
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: 'terminated: other side closed\n' })
  })

  it('exits with 1 if the response is an HTML page', async () => {
    const page = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Welcome</p>')
    })
    try {
      const { code, stdout, stderr } = await run([], 'any', `${await listen(page)}/api`)
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.include('did not send its types: a response of type text/html')
    } finally {
      page.closeAllConnections()
      page.close()
    }
  })
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
