import { execFile } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { checkProject } from '../../../cli/check/check-project.js'
import { tellReport } from '../../../cli/check/tell-report.js'
import { quireCommand } from '../../support/quire-command.js'
import { collectLines } from '../../support/log-lines.js'
import { conformanceModel, startApp } from '../../support/start-app.js'
import { folderForEach, writeFiles } from '../../support/temporary-folder.js'
import { magazineModules } from '../../server/content-types/magazine-modules.js'
import { shop, shopBoilerplate, shopCode } from '../../server/project/shop.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const fixture = (name: string) => path.join(root, 'test/fixtures', name)

const productFile = 'src/api/product/content-types/product/schema.json'
/** The shop with a product of these attributes and options. */
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

describe('the check of a project', () => {
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
    'what is no JSON': () => folderOf({ ...shop, [productFile]: '{' }),
    'a folder without schema.json': () =>
      folderOf({ ...shop, 'src/api/a/content-types/a/lifecycles.js': '' }),
    'two files of one type': () =>
      folderOf({
        ...shop,
        'src/api/product/content-types/other/schema.json': shop[productFile],
      }),
    'a type of attribute that there is not': () =>
      folderOf(
        shopWith({ a: { type: 'number' }, b: { type: 'string', minLength: 9, maxLength: 1 } }),
      ),
    'an enumeration without values': () => folderOf(shopWith({ a: { type: 'enumeration' } })),
    'a component that is missing': () =>
      folderOf(shopWith({ a: { type: 'component', component: 'shared.gone' } })),
    'a relation to what is missing': () =>
      folderOf(
        shopWith({ a: { type: 'relation', relation: 'oneToOne', target: 'api::gone.gone' } }),
      ),
    'a pattern that is none': () => folderOf(shopWith({ a: { type: 'string', regex: '(' } })),
    'a populate tree of what is not there': () =>
      folderOf(shopWith({ a: { type: 'string' } }, { defaultPopulate: { gone: true } })),
    'a custom field that nobody knows': () =>
      folderOf(shopWith({ a: { type: 'customField', customField: 'plugin::x.y' } })),
    'a plural that is reserved': () =>
      folderOf({
        'content-types/user.json': {
          info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
          attributes: { a: { type: 'string' } },
        },
      }),
    'a name that no collection may have': () =>
      folderOf({
        'content-types/note.json': {
          collectionName: 'system.$notes',
          info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
          attributes: { a: { type: 'string' } },
        },
      }),
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
    it(`says of ${name} what a start says`, async () => {
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
      const told = lines
        .map((line) => JSON.parse(line) as { level: number; event?: string; msg: string })
        .filter(({ level }) => level === 40)
      const isNoted = (event?: string) => event === 'code-not-run' || event === 'project-settings'
      expect(told.filter(({ event }) => isNoted(event)).length).to.equal(
        code.length + config.untaken.length,
      )
      // What the definitions of a start that fails are warned of is not told there.
      if (problem !== undefined) return
      const ofDefinitions = told.map(({ msg }) => msg).filter((msg) => msg.startsWith(schemaDir))
      expect(ofDefinitions).to.have.members(adapted)
    })

  it('says of what is wrong with the configuration what a start says', async () => {
    const folder = await folderOf({ ...shop, 'quire.config.json': { nonsense: 1 } })
    const { problem } = await check(folder)
    expect(problem).to.equal('The configuration cannot be used:\n  - nonsense is not a setting')
  })

  it('tells what works, what is adapted, what has no counterpart, and what takes its place', async () => {
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
    const text = tellReport(await check(folder))
    expect(text.split('\n').slice(0, 15)).to.deep.equal([
      folder,
      '',
      'What works',
      '  content-types: 1 collection types, 1 single types, 1 with draft & publish, 1 of the service (extended)',
      '  components: 1',
      '  attributes: 5 (3 string, 1 component, 1 relation)',
      '  endpoints: /api/page, /api/products',
      '  settings: api.rest.maxLimit=250 (config/api.ts)',
      '',
      'What is adapted',
      '  src/api/page/content-types/page/schema.json: attributes.createdAt: every entry has its own "createdAt", which stands: this one is left out',
      '',
      'What of config/ has no counterpart',
      '  config/api.ts: rest.withCount has no counterpart here',
      '',
    ])
    expect(text).to.include(
      'What does not run, and what takes its place\n  1 file of lifecycles will not run (src/api/product/content-types/product/lifecycles.js): ',
    )
    expect(text).to.match(/\n\nIt would start\.$/)
  })

  it('goes through no folder that is not one of a project, and follows no link out of it', async () => {
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

  const run = (args: readonly string[]) =>
    new Promise<Readonly<{ code: number | null; out: string; err: string }>>((resolve) => {
      const options = { cwd: fixture('flat'), env: { PATH: process.env['PATH'] } }
      const child = execFile(
        process.execPath,
        [quireCommand, 'check', ...args],
        options,
        (_error, out, err) => resolve({ code: child.exitCode, out, err }),
      )
    })

  it('ends with 0 where it would start, and with 1 where not', async () => {
    const good = await run(['.'])
    expect(good).to.include({ code: 0, err: '' })
    expect(good.out).to.match(/\/test\/fixtures\/flat\n\nWhat works\n[^]*\n\nIt would start\.\n$/)
    const missing = await run(['nowhere'])
    expect(missing).to.include({ code: 1, err: '' })
    expect(missing.out).to.match(/\nIt would not start:\nThere is no folder .*nowhere that can be/)
    expect((await run(['..'])).out).to.match(/There are no definitions in SCHEMA_DIR/)
    // Without a folder, the one that a start would read.
    expect((await run([])).out).to.match(/\nThere is no folder .*\/flat\/schema that can be read/)
    const two = await run(['.', '..'])
    expect(two).to.include({ code: 2, out: '' })
    expect(two.err).to.include('too many arguments')
  })
})
