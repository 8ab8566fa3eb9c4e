import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.js'
import { eventually } from '../server/database/support.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const execute = promisify(execFile)

/** Takes dependencies from npm's cache if possible, otherwise from the registry. */
const quick = ['--prefer-offline', '--no-audit', '--no-fund']

/** The environment without the variables that `npm run` adds, but with npm's settings. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)|_prefix$/i.test(name)),
)

type Version = '0.1.0' | '0.1.1'

describe('packed npm package', function () {
  let place = ''
  const packed: Published[] = []
  let service: ChildProcess | undefined
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'quire-packed-'))
  })
  after(async () => {
    service?.kill('SIGKILL')
    await rm(place, { recursive: true, force: true })
  })

  const pack = async (version: Version): Promise<string> => {
    const folder = join(place, `as ${version}`)
    await mkdir(folder)
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      files: readonly string[]
    }
    const nothing = { filename: '', integrity: '', files: [] }
    const files = manifest.files.filter((name) => !name.startsWith('!'))
    for (const name of [...files, 'README.md', 'LICENSE'])
      await cp(join(root, name), join(folder, name), { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
    const { stdout } = await execute(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', place],
      { cwd: folder, env, maxBuffer: 2 ** 26 },
    )
    const [{ filename, integrity, files: included } = nothing] = JSON.parse(stdout) as Packed[]
    const names = included.map(({ path }) => path)
    expect(
      names.filter((name) => /^(test|scripts|dist\/(test|scripts))\/|\.map$/.test(name)),
    ).to.deep.equal([])
    const file = join(place, filename)
    packed.push({ manifest, version, file, integrity })
    return file
  }
  type Packed = {
    filename: string
    integrity: string
    files: readonly Readonly<{ path: string }>[]
  }

  const start = async (folder: string, port: number) => {
    const child = spawn('npm', ['start'], {
      ...{ cwd: folder, env: { ...env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] },
    })
    service = child
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const url = `http://127.0.0.1:${port}`
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(output)
      return fetch(`${url}/_ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    }, 120_000)
    const stop = async () => {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      expect(output).to.include('Quire has stopped')
      service = undefined
    }
    return { url, stop }
  }

  it('creates a project that starts, accepts another type, and can be upgraded', async () => {
    const [first, second] = [await pack('0.1.0'), await pack('0.1.1')]
    const empty = join(place, 'empty')
    await mkdir(empty)
    const arguments_ = ['--yes', ...quick, '--package', first, 'quire', 'init', 'my-site']
    const { stdout } = await execute('npx', arguments_, { cwd: empty, env, maxBuffer: 2 ** 26 })
    expect(stdout).to.include('cd my-site\n  npm start')

    const folder = join(empty, 'my-site')
    const port = await freePort()
    const { ADMIN_EMAIL, ADMIN_PASSWORD } = parseEnv(await readFile(join(folder, '.env'), 'utf8'))
    const quire = async (...args: readonly string[]) =>
      (await execute('npx', ['quire', ...args], { cwd: folder, env })).stdout
    expect((await quire('--version')).trim()).to.equal('0.1.0')

    const one = await start(folder, port)
    const send = async (path: string, token: string, body?: object) => {
      const answer = await fetch(`${one.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as { data: Answered } }
    }
    type Answered = { token: string; accessKey: string; title: string; name: string }
    const login = await send('/admin/login', '', { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })
    expect(login.status).to.equal(200)
    const made = await send('/admin/api-tokens', login.body.data.token, {
      ...{ name: 'test', type: 'full-access' },
    })
    const token = made.body.data.accessKey
    const article = { data: { title: 'Hello', slug: 'hello' } }
    expect(await send('/api/articles', token, article)).to.have.nested.property(
      'body.data.title',
      'Hello',
    )
    // The API reference works without the package that it was built from.
    for (const path of ['', '/assets/page.js', '/assets/swagger-ui-bundle.js'])
      expect((await fetch(`${one.url}/documentation${path}`)).status, path).to.equal(200)
    expect(await readdir(join(folder, 'node_modules'))).to.not.include('@scarf')
    await one.stop()

    // Adds the content-type from the README of the project.
    const readme = await readFile(join(folder, 'README.md'), 'utf8')
    const event = /```json\n([^]*?)```/.exec(readme)?.[1] ?? ''
    await writeFile(join(folder, 'schema/content-types/event.json'), event)
    expect(await quire('check')).to.include('/api/events')
    await quire('types', '-o', 'quire.d.ts')
    await writeFile(join(folder, 'app.ts'), application)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const compiled = await execute(process.execPath, [compiler], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    )
    expect(compiled.stdout).to.match(/^app\.ts\(\d+,\d+\): error TS2339: .*'nmae'.*\n$/)
    const two = await start(folder, port)
    const party = await send('/api/events', token, { data: { name: 'Party' } })
    expect(party).to.have.nested.property('body.data.name', 'Party')
    await two.stop()

    await execute('npm', ['install', ...quick, second], { cwd: folder, env })
    expect((await quire('--version')).trim()).to.equal('0.1.1')
    expect(await quire('doctor')).to.include('It would start.')
    const three = await start(folder, port)
    for (const [path, title] of [
      ['/api/articles', 'Hello'],
      ['/api/events', 'Party'],
    ] as const)
      expect(JSON.stringify(await send(path, token)), path).to.include(title)
    await three.stop()
  })

  it('lets npm update upgrade a project that was installed from a registry', async () => {
    const published: Published[] = [...packed.slice(0, 1)]
    const registry = await startRegistry(published)
    try {
      const folder = join(place, 'from registry')
      const npm = (...args: readonly string[]) =>
        execute('npm', [...args, '--no-audit', '--no-fund', '--registry', registry.url], {
          ...{ cwd: folder, env, maxBuffer: 2 ** 26 },
        })
      const command = join(root, 'dist/cli/quire.js')
      const made = ['init', folder, '--from', '^0.1.0', '--no-install', '--omit-optional']
      await execute(process.execPath, [command, ...made], { env })
      const version = async () =>
        (await execute('npx', ['quire', '--version'], { cwd: folder, env })).stdout.trim()
      await npm('install')
      expect(await version()).to.equal('0.1.0')
      published.push(...packed.slice(1))
      await npm('update')
      expect(await version()).to.equal('0.1.1')
    } finally {
      registry.stop()
    }
  })
})

type Published = Readonly<{ manifest: object; version: string; file: string; integrity: string }>

/** Starts a registry with these versions, which redirects all other requests to npm's usual registry. */
async function startRegistry(
  published: readonly Published[],
): Promise<Readonly<{ url: string; stop: () => void }>> {
  const { stdout } = await execute('npm', ['config', 'get', 'registry'], { env })
  const others = stdout.trim().replace(/\/$/, '')
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const requested = published.find(({ version }) => path === `/${version}.tgz`)
    if (requested !== undefined) createReadStream(requested.file).pipe(response)
    else if (path !== '/quire-content')
      response.writeHead(302, { Location: `${others}${path}` }).end()
    else
      response.end(
        JSON.stringify({
          name: 'quire-content',
          'dist-tags': { latest: published.at(-1)?.version },
          versions: Object.fromEntries(
            published.map(({ manifest, version, integrity }) => [
              version,
              { ...manifest, version, dist: { tarball: `${url}/${version}.tgz`, integrity } },
            ]),
          ),
        }),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url, stop }
}

/** One attribute name is wrong, so this must not compile. */
const application = `
import { createClient } from 'quire-content/client'
import type { Quire } from './quire.js'

const client = createClient<Quire>({ baseUrl: 'http://localhost:1337/api' })
const { data: events } = await client.collection('events').find({ fields: ['name', 'start'] })
for (const { name, start } of events) console.log(name.length, start?.length)
console.log(events[0]?.nmae)
`

const compilerOptions = {
  ...{ noEmit: true, strict: true, target: 'ES2022', module: 'NodeNext', types: [] },
  lib: ['ES2022', 'DOM'],
}
