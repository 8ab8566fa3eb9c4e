import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { seedDemo } from '../../cli/seed/seed-demo.js'
import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'
import type { OpenApiDocument } from '../../server/documentation/make-document.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { flatDocument, type Callee } from './schemathesis/flat-document.js'

/** Duration of all runs together. `MINUTES=2` makes them shorter. */
const minutes = Number(process.env['MINUTES'] ?? 20)

const demo = fileURLToPath(new URL('../../../schema', import.meta.url))

/** Contains the list of excluded tests, with reasons. */
const folderOfRules = new URL('../../../test/long/schemathesis/', import.meta.url)
const configuration = fileURLToPath(new URL('schemathesis.toml', folderOfRules))

describe('schemathesis requests from the OpenAPI document', function () {
  this.timeout((minutes + 15) * 60_000)
  let app: TestApp | undefined
  let folder = ''
  let program = ''
  let running: ChildProcess | undefined
  const faults: string[] = []

  before(async function () {
    const found = await findFile(`${cacheFolder(process.env)}/schemathesis`, 'bin/schemathesis')
    if (found === undefined) {
      process.stdout.write('      skipped: `npm run services -- schemathesis` brings it\n')
      return this.skip()
    }
    program = found
    folder = await mkdtemp(join(tmpdir(), 'schemathesis-'))
    const log = new PassThrough()
    log.setEncoding('utf8').on('data', (text: string) => {
      faults.push(...text.split('\n').filter((line) => /"level":(50|60)/.test(line)))
    })
    app = await startApp({ log, schemaDir: demo })
    const admin = { email: 'admin@example.org', password: 'Admin-password-1' }
    await seedDemo({ base: app.url, admin })
  })
  after(async () => {
    running?.kill()
    await app?.stop()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  it('get documented responses and cause no errors with a full-access token', () =>
    drive('content', app?.token ?? '', 0.75))

  it('get documented responses and cause no errors with the token of an admin', () =>
    drive('admin', app?.adminJwt ?? '', 0.25))

  /** Runs schemathesis for a share of the total duration. */
  async function drive(callee: Callee, credentials: string, share: number): Promise<void> {
    const base = app?.url ?? ''
    const headers = { Authorization: `Bearer ${credentials}` }
    const answer = await fetch(`${base}/documentation/openapi.json`, { headers })
    const document = flatDocument((await answer.json()) as OpenApiDocument, callee, locales)
    const file = join(folder, `${callee}.json`)
    await writeFile(file, JSON.stringify(document, inCharacters))
    const child = spawn(
      program,
      [
        ...['--config-file', configuration, 'run', file, '--url', base],
        ...['--header', `Authorization: ${headers.Authorization}`, '--no-color'],
        ...['--max-time', String(Math.round(minutes * 60 * share))],
        ...['--continue-on-failure', '--generation-database', 'none'],
        // Turns off schemathesis's checks of how fast and how large its generated examples are.
        ...['--suppress-health-check', 'all'],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          PYTHONPATH: fileURLToPath(folderOfRules),
          PYTHONDONTWRITEBYTECODE: '1',
          SCHEMATHESIS_HOOKS: 'hooks',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    running = child
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = (await once(child, 'close')) as [number | null]
    if (process.env['OUTPUT'] !== undefined)
      await writeFile(`${process.env['OUTPUT']}.${callee}.txt`, output)
    const summary = /Test cases:\s+(.*)/.exec(output)?.[1] ?? 'nothing'
    process.stdout.write(`      ${summary}\n`)
    expect(faults).to.deep.equal([])
    expect(code, output.slice(Math.max(0, output.search(/=+ (FAILURES|ERRORS)/)))).to.equal(0)
    // schemathesis only warns about operations for which it cannot generate requests, so compare the numbers.
    const [, selected, tested] = /Selected: (\d+)\/\d+\s+Tested: (\d+)/.exec(output) ?? []
    expect(Number(selected)).to.be.greaterThan(callee === 'content' ? 80 : 30)
    expect(tested).to.equal(selected)
  }
})

/** The service counts UTF-16 code units, JSON Schema counts characters. A character can be two code units. */
const inCharacters = (key: string, value: unknown): unknown =>
  key === 'minLength' && typeof value === 'number' ? Math.ceil(value / 2) : value

const locales = ['en', 'fr', 'de']
