import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import ts from 'typescript'
import { compile, inProject, strictest } from '../../client/compile.js'
import { expectPage } from '../../support/expect-page.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { createPageClient } from './page-client.js'

const page = 'docs/tour.md'

describe(page, () => {
  const folderOf = folderForEach()
  let app: TestApp
  let text: string
  before(async () => {
    text = await readFile(inProject(page), 'utf8')
    const [, event = ''] = /## A type of your own\n[^]*?```json\n([^]*?)```/.exec(text) ?? []
    const ofProject = async (name: string) =>
      JSON.parse(await readFile(inProject(`template/schema/${name}`), 'utf8')) as object
    app = await startApp({
      schema: {
        'content-types/article.json': await ofProject('content-types/article.json'),
        'content-types/author.json': await ofProject('content-types/author.json'),
        'content-types/event.json': JSON.parse(event) as object,
      },
    })
  })
  after(() => app?.stop())

  it('shows the responses that its requests get', () => {
    const { send, shown } = createPageClient({ app, ids: {} })
    return expectPage(page, send, shown)
  })

  it('contains an application that compiles with the generated types', async () => {
    const path = '/api/content-type-builder/typescript'
    const types = await app.request('GET', path, { token: app.token })
    const ofPackage = (source: string): string =>
      source.replaceAll("'quire-content/client'", "'../../client/main.js'")
    const file = inProject('test/client/tour.ts')
    const texts = {
      [file]: ofPackage(application()),
      [inProject('test/client/quire.d.ts')]: ofPackage(types.text),
    }
    expect(application()).to.include('createClient')
    expect(compile([file], texts, { ...strictest, types: ['node'] }).complaints).to.deep.equal([])
  })

  it('shows what its application prints', async () => {
    const [, list = ''] = /\n(npx quire config pull\n[^]*?)```/.exec(text) ?? []
    const [pull = '', edit = '', move, push = ''] = list.split('\n')
    expect(move).to.equal('mv roles.json config/roles.json')
    const [, added = ''] =
      /^jq '\.public\.permissions \+= (\[.*\])' config\/roles\.json /.exec(edit) ?? []
    const [, printed = ''] = /It prints\n\n```text\n([^]*?)```/.exec(text) ?? []
    const permissions = JSON.parse(added) as readonly string[]
    const folder = await folderOf({})
    await grant(folder, { pull, push, permissions: permissions.slice(0, 1) })
    expect(await runApplication()).to.equal(printed.replace('Ines', ''))
    await grant(folder, { pull, push, permissions })
    expect(await runApplication()).to.equal(printed)
  })

  /** Runs the commands of the page that pull and push, and adds permissions to the role `public` in between. */
  async function grant(
    folder: string,
    {
      pull,
      push,
      permissions,
    }: Readonly<{ pull: string; push: string; permissions: readonly string[] }>,
  ): Promise<void> {
    const run = async (line: string) => {
      const args = [...line.split(' ').slice(2), '--url', app.url]
      const env = { QUIRE_ADMIN_TOKEN: app.adminJwt }
      const { code, stderr } = await runQuireInProcess(args, { cwd: folder, env })
      expect(code, stderr).to.equal(0)
    }
    await run(pull)
    const file = join(folder, 'config/roles.json')
    const roles = JSON.parse(await readFile(file, 'utf8')) as {
      public: { permissions: readonly string[] }
    }
    const all = new Set([...roles.public.permissions, ...permissions])
    await writeFile(
      file,
      JSON.stringify({ ...roles, public: { ...roles.public, permissions: [...all] } }),
    )
    await run(push)
  }

  const application = (): string => /```ts\n([^]*?)```/.exec(text)?.[1] ?? ''

  async function runApplication(): Promise<string> {
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
    const { outputText } = ts.transpileModule(application(), { compilerOptions: options })
    const client = new URL('../../../client/main.js', import.meta.url).href
    const code = outputText
      .replace('quire-content/client', client)
      .replace('http://localhost:1337', app.url)
    const run = promisify(execFile)
    return (await run(process.execPath, ['--input-type=module', '--eval', code])).stdout
  }
})
