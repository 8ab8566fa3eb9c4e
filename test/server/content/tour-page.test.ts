import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
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

  it('shows what each of its requests is answered', () => {
    const { ask, shown } = createPageAsker({ app, ids: {} })
    return expectPage(page, ask, shown)
  })

  it('has an application that compiles with the types of its content-types', async () => {
    const path = '/api/content-type-builder/typescript'
    const types = await app.request('GET', path, { token: app.token })
    const ofPackage = (source: string): string =>
      source.replaceAll("'quire-content/client'", "'../../client/main.js'")
    const [, application = ''] = /```ts\n([^]*?)```/.exec(text) ?? []
    const file = inProject('test/client/tour.ts')
    const texts = {
      [file]: ofPackage(application),
      [inProject('test/client/quire.d.ts')]: ofPackage(types.text),
    }
    expect(application).to.include('createClient')
    expect(compile([file], texts, { ...strictest, types: ['node'] }).complaints).to.deep.equal([])
  })
})
