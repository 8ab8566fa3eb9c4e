import { once } from 'node:events'
import { cp, readdir, symlink } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { checkProject } from '../../../cli/check/check-project.js'
import { formatReport } from '../../../cli/check/format-report.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { runQuire } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startInProcess } from '../../support/service-in-process.js'
import { conformanceModel } from '../../support/conformance-model.js'
import { startApp } from '../../support/start-app.js'
import { folderForEach, writeFiles } from '../../support/temporary-folder.js'
import { magazineModules } from '../../server/content-types/magazine-modules.js'
import { shop, shopBoilerplate, shopCode } from '../../server/project/shop.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const fixture = (name: string) => path.join(root, 'test/fixtures', name)

const productFile = 'src/api/product/content-types/product/schema.json'
const shopWith = (attributes: object, options: object = {}) => ({
  ...shop,
  [productFile]: {
    kind: 'collectionType',
    collectionName: 'products',
    info: { singularName: 'product', pluralName: 'products', displayName: 'Product' },
    options,
    attributes,
  },
})

describe('checkProject', () => {
  const folderOf = folderForEach()
  const check = (folder: string) => checkProject(folder, {}, folder)

  const projects: Readonly<Record<string, () => Promise<string>>> = {
    blog: () => Promise.resolve(fixture('blog')),
    flat: () => Promise.resolve(fixture('flat')),
    magazine: async () => {
      const folder = await folderOf({})
      await cp(fixture('magazine'), folder, { recursive: true })
      await writeFiles(folder, magazineModules)
      return folder
    },
    'the conformance model': () => Promise.resolve(conformanceModel),
    'the demo': () => Promise.resolve(path.join(root, 'schema')),
    'a shop': () => folderOf({ ...shop, ...shopBoilerplate }),
    'a shop with code': () => folderOf({ ...shop, ...shopCode }),
    'an empty folder': () => folderOf({}),
    'a project without definitions': () => folderOf({ 'package.json': '{}', 'src/index.js': '' }),
    'a file of invalid JSON': () => folderOf({ ...shop, [productFile]: '{' }),
    'a folder without schema.json': () =>
      folderOf({ ...shop, 'src/api/a/content-types/a/lifecycles.js': '' }),
    'two files of the same type': () =>
      folderOf({
        ...shop,
        'src/api/product/content-types/other/schema.json': shop[productFile],
      }),
    'an unknown type of attribute': () =>
      folderOf(
        shopWith({ a: { type: 'number' }, b: { type: 'string', minLength: 9, maxLength: 1 } }),
      ),
    'an enumeration without values': () => folderOf(shopWith({ a: { type: 'enumeration' } })),
    'a missing component': () =>
      folderOf(shopWith({ a: { type: 'component', component: 'shared.gone' } })),
    'a relation to a missing type': () =>
      folderOf(
        shopWith({ a: { type: 'relation', relation: 'oneToOne', target: 'api::gone.gone' } }),
      ),
    'an invalid pattern': () => folderOf(shopWith({ a: { type: 'string', regex: '(' } })),
    'a populate of an unknown attribute': () =>
      folderOf(shopWith({ a: { type: 'string' } }, { defaultPopulate: { gone: true } })),
    'an unknown custom field': () =>
      folderOf(shopWith({ a: { type: 'customField', customField: 'plugin::x.y' } })),
    'a reserved plural name': () =>
      folderOf({
        'content-types/user.json': {
          info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
          attributes: { a: { type: 'string' } },
        },
      }),
    'an invalid name of a collection': () =>
      folderOf({
        'content-types/note.json': {
          collectionName: 'system.$notes',
          info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
          attributes: { a: { type: 'string' } },
        },
      }),
    'two types with the same plural name': () =>
      folderOf({
        ...shop,
        'src/api/ware/content-types/ware/schema.json': {
          collectionName: 'wares',
          info: { singularName: 'ware', pluralName: 'products', displayName: 'Ware' },
          attributes: { a: { type: 'string' } },
        },
      }),
    'two types with the same collection': () =>
      folderOf({
        ...shop,
        'src/api/ware/content-types/ware/schema.json': {
          collectionName: 'products',
          info: { singularName: 'ware', pluralName: 'wares', displayName: 'Ware' },
          attributes: { a: { type: 'string' } },
        },
      }),
    'misspelled options and names': () =>
      folderOf(shopWith({ '9x': { type: 'string', localised: true } }, { draftandpublish: true })),
    'ninety relations': () =>
      folderOf(
        shopWith(
          Object.fromEntries(
            Array.from({ length: 90 }, (_, at) => [
              `r${at}`,
              { type: 'relation', relation: 'manyToMany', target: 'api::product.product' },
            ]),
          ),
        ),
      ),
  }
  for (const [name, folder] of Object.entries(projects))
    it(`reports the same problem and warnings for ${name} as a start`, async () => {
      const schemaDir = await folder()
      const { log, lines } = collectLines()
      const started = await startApp({ schemaDir, log }).then(
        async (app) => {
          await app.stop()
          return undefined
        },
        (error: unknown) => (error as Error).message,
      )
      const { problem, adapted, code, config } = await check(schemaDir)
      expect(problem).to.equal(started)
      const warnings = lines
        .map((line) => JSON.parse(line) as { level: number; event?: string; msg: string })
        .filter(({ level }) => level === 40)
      const isCounted = (event?: string) => event === 'code-not-run' || event === 'project-settings'
      expect(warnings.filter(({ event }) => isCounted(event)).length).to.equal(
        code.length + config.untaken.length,
      )
      // A failed start prints no warnings about definitions.
      if (problem !== undefined) return
      const ofDefinitions = warnings
        .map(({ msg }) => msg)
        .filter((msg) => msg.startsWith(schemaDir) || msg.startsWith('There are no content-types'))
      expect(ofDefinitions).to.have.members(adapted)
    })

  it('reports the same configuration error as a start', async () => {
    const folder = await folderOf({ ...shop, 'quire.config.json': { nonsense: 1 } })
    const { problem } = await check(folder)
    expect(problem).to.equal('The configuration is invalid:\n  - nonsense is not a setting')
  })

  it('reports what works, what is adapted, what has no equivalent, and what to do instead', async () => {
    const folder = await folderOf({
      ...shop,
      ...shopCode,
      'config/api.ts': 'export default { rest: { maxLimit: 250, withCount: false } }',
      'src/api/page/content-types/page/schema.json': {
        kind: 'singleType',
        collectionName: 'page',
        info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
        options: { draftAndPublish: true },
        attributes: {
          createdAt: { type: 'datetime' },
          color: { type: 'customField', customField: 'plugin::color-picker.color' },
          seo: { type: 'component', component: 'shared.seo' },
          product: { type: 'relation', relation: 'oneToOne', target: 'api::product.product' },
        },
      },
      'src/components/shared/seo.json': {
        collectionName: 'components_shared_seos',
        info: { displayName: 'SEO' },
        attributes: { title: { type: 'string' } },
      },
      'src/extensions/users-permissions/content-types/user/schema.json': {
        info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
        attributes: { age: { type: 'integer' } },
      },
    })
    const text = formatReport(await check(folder))
    expect(text.split('\n').slice(0, 15)).to.deep.equal([
      folder,
      '',
      'What works',
      '  content-types: 1 collection type, 1 single type, 1 with draft & publish, 1 of the service (extended)',
      '  components: 1',
      '  attributes: 5 (3 string, 1 component, 1 relation)',
      '  endpoints: /api/page, /api/products',
      '  settings: api.rest.maxLimit=250 (config/api.ts)',
      '',
      'What is adapted',
      '  src/api/page/content-types/page/schema.json: attributes.createdAt: every entry already has a "createdAt": this attribute is left out',
      '',
      'Settings in config/ without an equivalent',
      '  config/api.ts: rest.withCount has no equivalent in Quire',
      '',
    ])
    expect(text).to.include(
      'Code that does not run, and what to do instead\n  1 file of lifecycles will not run (src/api/product/content-types/product/lifecycles.js): ',
    )
    expect(text).to.match(/\n\nIt would start\.$/)
    const report = await check(folder)
    const warnings = 2 + report.code.length
    expect(report.code).to.have.length.above(3)
    expect(formatReport(report, { strict: true }).split('\n').at(-1)).to.equal(
      `It would start with ${warnings} warnings; --strict allows none.`,
    )
  })

  it('ignores node_modules, and follows no symbolic links', async () => {
    const outside = await folderOf({ 'product.js': 'module.exports = () => 1' })
    const folder = await folderOf({
      ...shop,
      'src/api/product/node_modules/a/controllers/b.js': 'module.exports = () => 1',
      'src/api/product/services/node_modules/a/b.js': 'module.exports = () => 1',
    })
    await symlink(outside, path.join(folder, 'src/api/product/controllers'))
    await symlink(folder, path.join(folder, 'src/api/product/policies'))
    const { problem, code } = await check(folder)
    expect(problem).to.equal(undefined)
    expect(code.map(({ kind }) => kind)).to.deep.equal(['plugins'])
  })

  const flat = fixture('flat')
  const run = (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd = flat,
    quire = runQuireInProcess,
  ) => quire(['check', ...args], { cwd, env: { PORT: '0', HOST: '127.0.0.1', ...env } })
  const note = {
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string' } },
  }
  const site = { 'schema/content-types/note.json': note }
  const startOf = (folder: string, env: Readonly<Record<string, string>>) =>
    startInProcess(env, folder).then(
      async (quire) => {
        await quire.stop()
        return ''
      },
      (error: unknown) => (error as Error).message,
    )

  it('exits with 0 if the project would start, and with 1 if not', async () => {
    const good = await run(['.'], {}, flat, runQuire)
    expect(good).to.include({ code: 0, stderr: '' })
    expect(good.stdout).to.match(
      /\/test\/fixtures\/flat\n\nWhat works\n[^]*\n\nIt would start\.\n$/,
    )
    const missing = await run(['nowhere'], {}, flat, runQuire)
    expect(missing).to.include({ code: 1, stderr: '' })
    expect(missing.stdout).to.match(
      /\nIt would not start:\nThere is no folder \/.*\/flat\/nowhere\n$/,
    )
    expect((await run(['..'])).stdout).to.match(/There are no definitions in \/.*\/fixtures\. /)
    const two = await run(['.', '..'])
    expect(two).to.include({ code: 2, stdout: '' })
    expect(two.stderr).to.include('too many arguments')
  })

  it('checks the folder that a start would use, and accepts a project without content-types', async () => {
    const folder = await folderOf({ 'notes.txt': '' })
    const none = 'There are no content-types: SCHEMA_DIR is not set, and there is no folder schema'
    const report = await run([], {}, folder)
    expect(report).to.deep.equal({
      ...{ code: 0, stderr: '' },
      stdout: `${folder}/schema\n\nWhat works\n  content-types: none\n  components: 0\n  attributes: 0\n\nWhat is adapted\n  ${none}\n\nIt would start.\n`,
    })
    expect(await run(['--strict'], {}, folder)).to.include({ code: 1 })
    expect(await startOf(folder, { MONGODB_URI: await testDatabaseUri() })).to.equal('')
    const SCHEMA_DIR = 'elsewhere'
    const startError = await startOf(folder, { SCHEMA_DIR })
    expect(startError).to.include('SCHEMA_DIR must be a folder')
    expect((await run([], { SCHEMA_DIR }, folder)).stdout).to.include(
      `It would not start:\n${startError}\n`,
    )
  })

  it('exits with 1 and the error of a start if the port is in use', async () => {
    const folder = await folderOf(site)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    try {
      const PORT = String((other.address() as AddressInfo).port)
      const startError = await startOf(folder, { PORT, MONGODB_URI: await testDatabaseUri() })
      expect(startError).to.include('the port is in use')
      const taken = await run([], { PORT }, folder)
      expect(taken.code).to.equal(1)
      expect(taken.stdout).to.match(/\n {2}endpoints: \/api\/notes\n/)
      expect(taken.stdout).to.include(`\n\nIt would not start:\n${startError}\n`)
      const metrics = { METRICS_ENABLED: 'true', METRICS_PORT: PORT }
      expect((await run([], metrics, folder)).stdout).to.include('or set METRICS_PORT to another')
    } finally {
      other.close()
    }
  })

  it('reports that a start waits for the Quire service that has the port', async () => {
    const folder = await folderOf(site)
    const env = { MONGODB_URI: await testDatabaseUri(), PORT: '0' }
    const service = await startInProcess(env, folder)
    try {
      const { port: PORT } = new URL(service.url)
      const found = await run(['--strict'], { PORT }, folder)
      expect(found).to.include({ code: 0, stderr: '' })
      expect(found.stdout).to.match(
        /\n\nIt would start after the service on its port has stopped\.\n$/,
      )
    } finally {
      await service.stop()
    }
  })

  it('exits with 1 and the error of a start if the data folder cannot be created', async () => {
    const folder = await folderOf({ ...site, data: 'a file', 'full/database': 'a file' })
    for (const DATA_DIR of ['data', 'data/below', 'full', '/proc/quire']) {
      const startError = await startOf(folder, { DATA_DIR })
      expect(startError, DATA_DIR).to.include('DATA_DIR')
      const report = await run([], { DATA_DIR }, folder)
      expect(report.code, DATA_DIR).to.equal(1)
      expect(report.stdout, DATA_DIR).to.include(`\n\nIt would not start:\n${startError}\n`)
    }
  })

  it('creates no data folder', async () => {
    const folder = await folderOf(site)
    expect(await run([], { DATA_DIR: 'deep/in/it' }, folder)).to.include({ code: 0 })
    expect(await readdir(folder)).to.deep.equal(['schema'])
  })

  it('exits with 1 for a warning with --strict, and suggests the right name', async () => {
    const title = { type: 'string', localised: true }
    const folder = await folderOf({
      'schema/content-types/note.json': { ...note, attributes: { title } },
    })
    expect(await run([], {}, folder)).to.include({ code: 0 })
    const strict = await run(['--strict'], {}, folder)
    expect(strict).to.include({ code: 1, stderr: '' })
    expect(strict.stdout).to.equal(`${folder}/schema

What works
  content-types: 1 collection type
  components: 0
  attributes: 1 (1 string)
  endpoints: /api/notes

What is adapted
  content-types/note.json: attributes.title.localised is unknown. Did you mean attributes.title.pluginOptions.i18n.localized?

It would start with 1 warning; --strict allows none.
`)
    expect(await run(['--strict'], {}, await folderOf(site))).to.include({ code: 0 })
    expect(await run(['--strict', '--json'], {}, folder)).to.include({ code: 1 })
  })
})
