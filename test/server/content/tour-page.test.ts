import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import ts from 'typescript'
import { compile, inProject, strictest } from '../../client/compile.js'
import { expectPage } from '../../support/expect-page.js'
import { startApp, type TestApp } from '../../support/start-app.js'
import { createPageAsker } from './page-asker.js'

const page = 'docs/tour.md'

describe(page, () => {
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
    const { ask, shown } = createPageAsker({ app, ids: {} })
    return expectPage(page, ask, shown)
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
    const [, granting = ''] = /## Readers without a token\n([^]*?)\n## /.exec(text) ?? []
    const granted = [
      ...granting.matchAll(/\["(api::\w+)"\]\.controllers\.(\w+)\.(\w+)\.enabled = true/g),
    ].map(([, api, controller, action]) => `${api}.${controller}.${action}`)
    expect(granted).to.deep.equal(['api::event.event.find', 'api::author.author.find'])
    const [, printed = ''] = /It prints\n\n```text\n([^]*?)```/.exec(text) ?? []
    await app.allow('public', granted.slice(0, 1))
    expect(await runApplication()).to.equal(printed.replace('Ines', ''))
    await app.allow('public', granted)
    expect(await runApplication()).to.equal(printed)
  })

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
