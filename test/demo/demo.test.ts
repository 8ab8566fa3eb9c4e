import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { freePort } from '../../scripts/free-port.js'
import { treeOf } from '../../scripts/process-table.js'
import { startDemo, type Demo } from '../../scripts/demo/start-demo.js'
import { isAlive } from '../server/database/support.js'

const command = fileURLToPath(new URL('../../scripts/demo.js', import.meta.url))

describe('demo', () => {
  let folder: string
  let demo: Demo
  const start = () =>
    startDemo({
      env: { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
      log: pino({ level: 'silent' }),
    })
  const read = async (url: string) => {
    const answer = await fetch(url)
    expect(answer.status, url).to.equal(200)
    return (await answer.json()) as { data: Record<string, unknown> & { length: number } }
  }

  before(async function () {
    this.timeout(120_000)
    folder = await mkdtemp(path.join(tmpdir(), 'quire-demo-'))
    demo = await start()
  })
  after(async () => {
    await demo.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('has three links that need no token, each to deeper data than the one before', async () => {
    const [list, one, deep] = demo.links.map(({ url }) => url) as [string, string, string]
    expect((await read(list)).data).to.have.length(25)
    expect((await read(one)).data).to.have.nested.property(
      'seo.metaTitle',
      'The Slow Ferry: Take the slow boat',
    )
    const { data } = await read(deep)
    expect(data).to.have.nested.property('featured[0].author.avatar.url')
    expect(data).to.have.nested.property('featured[1].category.parent.name', 'Nature')
    expect(data).to.have.nested.property('sections[0].__component', 'section.text')
  })

  it('has links without characters that a shell changes within quotes', () => {
    for (const { url } of demo.links) expect(url).to.match(/^[\w:/.?=&,-]+$/)
  })

  it('serves the example of every parameter in docs/querying.md', async () => {
    const page = await readFile(new URL('../../../docs/querying.md', import.meta.url), 'utf8')
    const table = /\n## All parameters\n([^]*)/.exec(page)?.[1] ?? ''
    const cells = table.split('\n').map((line) => line.split(' | ')[1] ?? '')
    const examples = cells.flatMap((cell) => [...cell.matchAll(/`([^`=]+=[^`]+)`/g)])
    const queries = examples.map(([, query = '']) => query).filter((query) => !query.includes('…'))
    expect(queries).to.have.length.above(15)
    for (const query of queries)
      expect((await read(`${demo.url}/api/articles?${query}`)).data, query).not.to.deep.equal([])
  })

  it('returns 503 with a reason while it loads the content', async () => {
    const port = await freePort()
    const seen: (readonly [status: number, retry: string | null, message: unknown])[] = []
    const sendRequests = async (): Promise<void> => {
      for (const path of ['/api/articles', '/api/homepage', '/_ready']) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`)
        const { error } = (await answer.json()) as { error?: { message: string } }
        seen.push([answer.status, answer.headers.get('retry-after'), error?.message])
      }
    }
    let responses: Promise<void> | undefined
    const DATA_DIR = path.join(folder, 'loading')
    const fresh = await startDemo({
      env: { PORT: String(port), HOST: '127.0.0.1', DATA_DIR },
      log: pino({ level: 'silent' }),
      onSeed: () => void (responses = sendRequests()),
    })
    try {
      await responses
      expect(seen).to.deep.equal(Array(3).fill([503, '1', 'The demo content is being loaded']))
      expect((await fetch(`${fresh.url}/_ready`)).status).to.equal(200)
      expect((await fetch(`${fresh.url}/api/articles`)).status).to.equal(200)
    } finally {
      await fresh.stop()
    }
  })

  it('stores the login of the admin in a file that only its owner can read', async () => {
    const answer = await fetch(`${demo.url}/admin/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(demo.admin),
    })
    expect(answer.status).to.equal(200)
    expect((await stat(path.join(folder, 'demo-admin.json'))).mode & 0o077).to.equal(0)
  })

  it('creates a new full-access token at every start, and revokes the old one', async () => {
    const draftsWith = (token: string) =>
      fetch(`${demo.url}/api/articles?status=draft`, {
        headers: { Authorization: `Bearer ${token}` },
      })
    const { token } = demo
    expect((await draftsWith(token)).status).to.equal(200)
    await demo.stop()
    demo = await start()
    expect((await draftsWith(demo.token)).status).to.equal(200)
    expect((await draftsWith(token)).status).to.equal(401)
  })

  it('refuses a database that is not named after the demo', async () => {
    const env = { MONGODB_URI: 'mongodb://localhost/production', DATA_DIR: folder }
    const failure = await startDemo({ env }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error).with.property('message').that.includes('quire_demo')
  })

  it('keeps its admin, paths and content after a restart', async () => {
    const { admin, links } = demo
    const pathsOf = (each: Demo['links']) => each.map(({ url }) => new URL(url).pathname)
    await demo.stop()
    demo = await start()
    expect(demo.admin).to.deep.equal(admin)
    expect(pathsOf(demo.links)).to.deep.equal(pathsOf(links))
    const all = await fetch(`${demo.url}/api/articles?fields=slug&pagination[pageSize]=1`)
    const { meta } = (await all.json()) as { meta: { pagination: { total: number } } }
    expect(meta.pagination.total).to.equal(30)
  })

  describe('command', () => {
    const children: ChildProcess[] = []
    after(() => {
      for (const child of children) child.kill('SIGKILL')
    })

    const run = async (dataDir: string, text: string) => {
      const child = spawn(process.execPath, [command], {
        env: { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      const closed = once(child, 'close')
      let output = ''
      for await (const chunk of child.stdout
        .setEncoding('utf8')
        .iterator({ destroyOnReturn: false })) {
        output += String(chunk)
        if (output.includes(text)) break
      }
      const end = async (signal: NodeJS.Signals) => {
        const tree = await treeOf(child.pid ?? 0)
        child.stdout.resume()
        child.kill(signal)
        // Imitates Ctrl+C: the terminal sends the signal to all processes, and npm then forwards its own.
        await setTimeout(50)
        child.kill(signal)
        const [code] = (await closed) as [number | null]
        return { code, processes: tree.length, left: tree.filter(isAlive) }
      }
      return { output, end }
    }

    before(() => demo.stop())

    it('prints a token and the address of the API reference', async () => {
      const { output, end } = await run(folder, 'Ctrl+C stops')
      const [, token = ''] = /API token +(\S+)/.exec(output) ?? []
      const [, reference = ''] = /API reference +(\S+)/.exec(output) ?? []
      const [, url = ''] = /"(\S+status=draft\S*)"/.exec(output) ?? []
      expect((await fetch(reference)).status, reference).to.equal(200)
      expect((await fetch(url)).status).to.equal(403)
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
      expect(answer.status, url).to.equal(200)
      await end('SIGTERM')
    })

    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      it(`ends with its children on ${signal}`, async () => {
        const { code, processes, left } = await (await run(folder, 'Ctrl+C stops')).end(signal)
        expect({ code, left }).to.deep.equal({ code: 0, left: [] })
        expect(processes).to.be.above(1)
      })

    it('ends with its children on SIGTERM while it loads the content', async () => {
      const fresh = path.join(folder, 'fresh')
      const { code, processes, left } = await (
        await run(fresh, 'Loading the demo content')
      ).end('SIGTERM')
      expect({ code, left }).to.deep.equal({ code: 0, left: [] })
      expect(processes).to.be.above(1)
    })
  })
})
