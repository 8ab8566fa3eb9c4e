import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { describeCode } from '../../../server/project/code-kinds.js'
import { findCode } from '../../../server/project/find-code.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { shop, shopBoilerplate, shopCode } from './shop.js'

const plugins = [
  '@strapi/plugin-graphql (package.json)',
  'strapi-plugin-sitemap (package.json)',
  'menus (package.json)',
]

describe('code of a Strapi project', () => {
  const folderOf = folderForEach()
  const codeOf = async (folder: string) =>
    Object.fromEntries((await findCode(folder)).map(({ kind, places }) => [kind, places]))

  it('is found by kind, in JavaScript and TypeScript, where Strapi loads it', async () => {
    expect(await codeOf(await folderOf({ ...shop, ...shopCode }))).to.deep.equal({
      lifecycles: ['src/api/product/content-types/product/lifecycles.js'],
      controllers: ['src/api/product/controllers/product.ts'],
      routes: ['src/api/product/routes/01-custom.js', 'src/api/product/routes/product.ts'],
      services: ['src/api/product/services/mail/send.ts'],
      policies: ['src/api/product/policies/is-owner.js', 'src/policies/broken.js'],
      middlewares: ['src/api/product/middlewares/populate.js', 'src/middlewares/timing.ts'],
      plugins: ['src/plugins/search', ...plugins],
      extensions: ['src/extensions/users-permissions/strapi-server.ts'],
      bootstrap: ['src/index.js'],
      cron: ['config/cron-tasks.ts'],
      migrations: ['database/migrations/2024.01.01.rename.js'],
    })
  })

  it('is not reported if a generator wrote it', async () => {
    expect(await codeOf(await folderOf({ ...shop, ...shopBoilerplate }))).to.deep.equal({ plugins })
  })

  it('is not searched outside the project', async () => {
    const outside = await folderOf({ 'a/evil.js': 'module.exports = () => 1' })
    const folder = await folderOf(shop)
    await mkdir(path.join(folder, 'src/api/product/services'))
    await symlink(outside, path.join(folder, 'src/api/product/controllers'))
    await symlink(path.join(outside, 'a'), path.join(folder, 'src/api/product/services/a'))
    await symlink(folder, path.join(folder, 'src/policies'))
    expect(await codeOf(folder)).to.deep.equal({ plugins })
  })

  it('is not searched in folders that are not a project', async () => {
    expect(
      await codeOf(await folderOf({ 'controllers/a.js': 'module.exports = 1' })),
    ).to.deep.equal({})
  })

  it('is reported in a line with a limited number of places', () => {
    const places = ['a.js', 'b.js', 'c.js']
    expect(describeCode({ kind: 'services', places }, 2)).to.equal(
      '3 services will not run (a.js, b.js, and 1 more): move what they do to a service that calls the API',
    )
    expect(describeCode({ kind: 'policies', places: ['a.js'] }, 2)).to.match(
      /^1 policy will not run \(a\.js\): /,
    )
  })

  it('is reported at the start with one line for each kind, and never runs', async () => {
    const evil = "process.exit(3)\nmodule.exports = { find: () => { throw new Error('ran') } }\n"
    const schemaDir = await folderOf({
      ...shop,
      ...shopCode,
      'src/api/product/controllers/evil.js': evil,
    })
    const { log, lines } = collectLines()
    const app = await startApp({ schemaDir, log })
    await app.stop()
    const reports = lines
      .map((line) => JSON.parse(line) as { event?: string; kind?: string; msg: string })
      .filter(({ event }) => event === 'code-not-run')
    expect(reports.map(({ kind }) => kind)).to.deep.equal([
      ...['lifecycles', 'controllers', 'routes', 'services', 'policies', 'middlewares'],
      ...['plugins', 'extensions', 'bootstrap', 'cron', 'migrations'],
    ])
    expect(reports[1]?.msg).to.match(
      /^2 controllers will not run \(src\/api\/product\/controllers\/evil\.js, src\/api\/product\/controllers\/product\.ts\): options\.defaultPopulate/,
    )
  })
})
