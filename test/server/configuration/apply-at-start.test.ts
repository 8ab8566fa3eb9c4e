import { join } from 'node:path'
import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('config.apply', function () {
  this.timeout(90_000)
  const folderOf = folderForEach()
  const find = 'api::article.article.find'
  const roles = {
    public: { name: 'Public', permissions: [find] },
    editor: { name: 'Editor', permissions: [find] },
  }
  const start = (
    folder: string,
    apply: 'off' | 'on' | 'prune',
    databaseUri: string,
  ): Promise<TestApp> =>
    startApp({
      databaseUri,
      environment: { CONFIG_DIR: folder },
      settings: { 'config.apply': apply },
    })
  const rolesOf = async ({ quire }: TestApp) =>
    (await quire.services.db.collection('roles').find().toArray()).map(({ type }) => String(type))

  it('applies the files before serving, once if several processes start at the same time', async () => {
    const folder = await folderOf({ 'roles.json': roles })
    const uri = await testDatabaseUri()
    const apps = await Promise.all([start(folder, 'on', uri), start(folder, 'on', uri)])
    try {
      for (const app of apps) {
        expect((await app.request('GET', '/api/articles')).status).to.equal(200)
        expect((await rolesOf(app)).sort()).to.deep.equal(['authenticated', 'editor', 'public'])
      }
    } finally {
      for (const app of apps) await app.stop()
    }
  })

  it('keeps what is in no file unless set to prune, and does nothing if set to off', async () => {
    const folder = await folderOf({ 'roles.json': roles })
    const fewer = await folderOf({
      'roles.json': { ...roles, authenticated: { name: 'Authenticated' }, editor: undefined },
    })
    const uri = await testDatabaseUri()
    const after = async (of: string, apply: 'off' | 'on' | 'prune') => {
      const app = await start(of, apply, uri)
      const found = await rolesOf(app)
      await app.stop()
      return found.includes('editor')
    }
    expect(await after(folder, 'off')).to.equal(false)
    expect(await after(folder, 'on')).to.equal(true)
    expect(await after(fewer, 'on')).to.equal(true)
    expect(await after(fewer, 'prune')).to.equal(false)
  })

  const failureOf = async (folder: string): Promise<string> =>
    start(folder, 'on', await testDatabaseUri()).then(
      async (app) => app.stop().then(() => 'it started'),
      (error: Error) => error.message,
    )

  it('stops a start with wrong files, and reports all errors', async () => {
    const folder = await folderOf({
      'roles.json': { public: { nmae: 'Public', permissions: ['api::article.article.fnd'] } },
    })
    expect((await failureOf(folder)).split('\n')).to.deep.equal([
      `The configuration in ${folder} cannot be applied:`,
      '  - roles.public.nmae: there is no member nmae; did you mean name?',
      '  - roles.public.name: name is a required field',
      `  - roles.public.permissions.0: there is no action api::article.article.fnd; did you mean ${find}?`,
    ])
    const misspelt = await folderOf({ 'rolse.json': {} })
    expect(await failureOf(misspelt)).to.equal(
      `Unknown file ${misspelt}/rolse.json. Did you mean roles.json?`,
    )
  })

  it('stops a start if the folder is missing or has no configuration files', async () => {
    const folder = await folderOf({ '.gitkeep': '' })
    expect(await failureOf(folder)).to.equal(
      `${folder} contains none of locales.json, roles.json, api-tokens.json. Create them with \`config pull\`, or give another folder with --dir or CONFIG_DIR`,
    )
    expect(await failureOf(join(folder, 'none'))).to.equal(
      `There is no folder ${join(folder, 'none')} with configuration files`,
    )
  })
})
