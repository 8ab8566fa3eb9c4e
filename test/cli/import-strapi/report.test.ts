import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { quireCommand } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startInProcess } from '../../support/service-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { makeExport, type ExportFiles } from './make-export.js'
import { unexplainedRows } from './unexplained-rows.js'

const at = '2026-01-01T00:00:00.000Z'
const id = (letter: string): string => letter.repeat(24)
const row = (type: string, number: number, documentId: string, data: object) => ({
  ...{ type, id: number },
  data: { documentId, createdAt: at, updatedAt: at, publishedAt: at, locale: null, ...data },
})
const typeOf = (name: string, draftAndPublish: boolean, attributes: object) => ({
  ...{ uid: `api::${name}.${name}`, modelType: 'contentType', kind: 'collectionType' },
  ...{ collectionName: `${name}s`, options: { draftAndPublish } },
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})
const title = { title: { type: 'string' } }
const permission = 'plugin::users-permissions.permission'
const content = {
  'schemas/s.jsonl': [
    typeOf('article', true, title),
    typeOf('place', false, { code: { type: 'string', unique: true } }),
  ],
  'entities/e.jsonl': [
    // A draft and its published version; a published row without a draft; a second row of the same published version.
    row('api::article.article', 1, id('a'), { title: 'A', publishedAt: null }),
    row('api::article.article', 2, id('a'), { title: 'A' }),
    row('api::article.article', 3, id('b'), { title: 'B' }),
    row('api::article.article', 4, id('b'), { title: 'B again' }),
    row('api::place.place', 1, id('c'), { code: 'x' }),
    row('api::place.place', 2, id('d'), { code: 'x' }),
    row('api::place.place', 3, '', { code: 'y' }),
    row('admin::user', 1, id('e'), { email: 'ada@example.com' }),
    row('plugin::users-permissions.role', 1, id('f'), { name: 'Public', type: 'public' }),
    row(permission, 1, id('g'), { action: 'api::article.article.find' }),
  ],
  'links/l.jsonl': [
    {
      kind: 'relation.basic',
      left: { type: permission, ref: 1, field: 'role' },
      right: { type: 'plugin::users-permissions.role', ref: 1 },
    },
  ],
}
const never = `
An import never includes:
  admins with their passwords, roles and permissions: set ADMIN_EMAIL and ADMIN_PASSWORD for the first admin, who can invite others
  API tokens and transfer tokens: create new ones
  secrets and keys, such as those in .env: users must log in again
  code, config/ and .env: run \`quire check DIR\` on the project to see their replacements
  releases and audit logs
`

describe('report of quire import-strapi', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const open = async (
    files: Readonly<Record<string, unknown>> = {},
    exported: ExportFiles = content,
  ) => {
    const folder = await makeFolder(files)
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` }
    const archive = await makeExport(`${folder}/export.tar.gz`, exported)
    return {
      ...{ folder, env },
      run: (...args: readonly string[]) =>
        runQuireInProcess(['import-strapi', archive, ...args], { env, cwd: folder }),
      over: async <T>(task: (db: Db) => Promise<T>): Promise<T> => {
        const client = new MongoClient(env.MONGODB_URI)
        try {
          return await task(client.db())
        } finally {
          await client.close()
        }
      },
    }
  }

  it('explains why more or fewer entries than rows were written, and lists the next steps', async () => {
    const project = await open()
    const { code, stdout, stderr } = await project.run()
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(stdout).to
      .equal(`Strapi 5.54.0, exported at 2026-01-02T03:04:05.678Z: 10 rows, 1 link, 0 files

New definitions:
  api::article.article
  api::place.place

Imported:
  api::article.article            2 documents: 2 published, 2 drafts
  api::place.place                2 documents: 1 published
  plugin::users-permissions.role  1 document: 1 published

Files:
  0 with 0 KB

Rows read → entries written:
  api::article.article                  4 → 4 (−1 further rows of a document of api::article.article in one locale; +1 published rows of api::article.article without a draft, which get one)
  api::place.place                      3 → 1 (−1 rows without a type, an id or a documentId; −1 versions in places with a unique value that another version has)
  admin::user                           1 → 0 (−1 rows of admin::user: admins must be created again)
  plugin::users-permissions.role        1 → 1
  plugin::users-permissions.permission  1 → 0 (−1 permissions are stored in the roles)
  in all                                10 → 6

Adapted:
  1 × published rows of api::article.article without a draft, which get one (api::article.article:4)

Left out:
  1 × rows without a type, an id or a documentId (entities/e.jsonl:7)
  1 × rows of admin::user: admins must be created again (entities/e.jsonl:8)
  1 × further rows of a document of api::article.article in one locale (api::article.article:3)
  1 × versions in places with a unique value that another version has (2)
${never}
Next:
  run \`node ${quireCommand} start\` to serve the imported content
  create API tokens for your clients (POST /admin/api-tokens)
  check what your clients rely on: docs/coming-from-strapi.md, "What differs" (PROFILE=strapi)
`)
    const stored = await project.over(async (db) => [
      await db.collection('articles').countDocuments(),
      await db.collection('articles.draft').countDocuments(),
      await db.collection('places').countDocuments(),
    ])
    expect(stored).to.deep.equal([2, 2, 1])
  })

  it('lists why the import would be refused with --dry-run, which exits with 1', async () => {
    const project = await open({ 'schema/content-types/article.json': other })
    const fine = await (await open()).run('--dry-run')
    expect(fine).to.include({ code: 0, stderr: '' })
    expect(
      fine.stdout.endsWith(`${never}
Next:
  run the same command without --dry-run to import
`),
    ).to.equal(true)
    await project.over((db) => db.collection('places').insertOne({ documentId: id('z') }))
    const service = await startInProcess({ MONGODB_URI: project.env.MONGODB_URI }, project.folder)
    const before = await project.over(everything)
    const { code, stdout, stderr } = await project.run('--dry-run')
    await service.stop()
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' })
    expect(stdout.slice(stdout.indexOf(never) + never.length)).to.match(
      /^\nThe import would be refused:\n {2}Definitions of the export differ from those of this project\. .*\(--keep-definitions\)\n {2}The process \d+ on \S+ uses this database\. .*\n {2}The database already has content \(api::place\.place\)\. .*\(--replace\)\n$/,
    )
    expect(await project.over(everything)).to.deep.equal(before)
    const allowed = await project.run('--dry-run', '--keep-definitions', '--replace', '--json')
    expect(allowed.code).to.equal(0)
    expect(JSON.parse(allowed.stdout)).to.deep.include({ refused: [] })
  })

  it('predicts with --dry-run what an import under other definitions leaves out', async () => {
    const article = { ...other, attributes: { title: { type: 'string', unique: true } } }
    const again = (number: number, letter: string) =>
      row('api::article.article', number, id(letter), { title: 'A' })
    const user = (number: number, letter: string, email: string) =>
      row('plugin::users-permissions.user', number, id(letter), { username: letter, email })
    const project = await open(
      { 'schema/content-types/article.json': article },
      {
        ...content,
        'entities/e.jsonl': [
          ...content['entities/e.jsonl'],
          again(5, 'h'),
          again(6, 'i'),
          user(1, 'j', 'ada@example.com'),
          user(2, 'k', 'Ada@Example.com'),
        ],
      },
    )
    const report = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await project.run('--keep-definitions', '--json', ...args)
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      const { mapped, rows, adapted, leftOut } = JSON.parse(stdout) as ImportReport
      return { mapped, rows, adapted, leftOut }
    }
    const { stdout } = await project.run('--keep-definitions', '--dry-run')
    expect(stdout).to.match(
      /\nDefinitions that differ:\n {2}api::article\.article: attribute "title"/,
    )
    const forecast = await report('--dry-run')
    expect(forecast.mapped['api::article.article']).to.deep.equal({
      ...{ rows: 6, documents: 4, drafts: 4, published: 2 },
    })
    expect(forecast).to.deep.equal(await report())
  })

  it('lists published versions that stricter definitions do not allow as left out', async () => {
    const article = { ...other, attributes: { title: { type: 'string', maxLength: 5 } } }
    const place = {
      ...{ kind: 'collectionType', collectionName: 'places', options: { draftAndPublish: false } },
      info: { singularName: 'place', pluralName: 'places', displayName: 'place' },
      attributes: { code: { type: 'string', unique: true, required: true } },
    }
    const project = await open(
      { 'schema/content-types/article.json': article, 'schema/content-types/place.json': place },
      {
        'schemas/s.jsonl': content['schemas/s.jsonl'],
        'entities/e.jsonl': [
          row('api::article.article', 1, id('c'), { title: 'Soup', publishedAt: null }),
          row('api::article.article', 2, id('c'), { title: 'Soup' }),
          row('api::article.article', 3, id('b'), {
            ...{ title: 'Stew', publishedAt: null, updatedAt: '2026-01-02T00:00:00.000Z' },
          }),
          row('api::article.article', 4, id('b'), { title: 'Ragout' }),
          row('api::article.article', 5, id('a'), { title: 'Sandwich' }),
          row('api::place.place', 1, id('d'), { code: 'x' }),
          row('api::place.place', 2, id('e'), {}),
        ],
      },
    )
    const report = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await project.run('--keep-definitions', '--json', ...args)
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      const { mapped, rows, adapted, leftOut } = JSON.parse(stdout) as ImportReport
      return { mapped, rows, adapted, leftOut }
    }
    const forecast = await report('--dry-run')
    expect(forecast.leftOut).to.deep.equal([
      {
        what: 'published versions of api::article.article that the definitions of this project do not allow, whose drafts are imported: title',
        count: 2,
        examples: [
          `${id('a')}: title must be at most 5 characters`,
          `${id('b')}: title must be at most 5 characters`,
        ],
      },
      {
        what: 'published versions of api::place.place that the definitions of this project do not allow: code',
        count: 1,
        examples: [
          `${id('e')}: code must be a \`string\` type, but the final value was: \`null\`.`,
        ],
      },
    ])
    expect(unexplainedRows(forecast)).to.deep.equal([])
    expect(await report()).to.deep.equal(forecast)
    const titles = (name: string) =>
      project.over((db) => db.collection(name).distinct('title') as Promise<readonly string[]>)
    expect(await titles('articles')).to.deep.equal(['Soup'])
    expect(await titles('articles.draft')).to.deep.equal(['Sandwich', 'Soup', 'Stew'])
    const check = await runQuireInProcess(['repair', '--check'], {
      ...{ env: project.env, cwd: project.folder },
    })
    expect(check).to.deep.include({ code: 0, stderr: '' })
  })

  it('lists replaced sample types of a new project, unless they have entries', async () => {
    const env = { PATH: process.env['PATH'] ?? '' }
    const init = async () => {
      const project = await open()
      await runQuireInProcess(['init', 'site', '--no-install'], { env, cwd: project.folder })
      const site = `${project.folder}/site`
      const settings = { ...project.env, DATA_DIR: `${site}/.data` }
      await (await startInProcess(settings, site)).stop()
      const run = (...args: readonly string[]) =>
        runQuireInProcess(['import-strapi', '../export.tar.gz', ...args], {
          env: settings,
          cwd: site,
        })
      return { ...project, site, settings, run }
    }
    const project = await init()
    for (const [args, word] of [
      [['--dry-run'], 'would be'],
      [[], 'were'],
    ] as const) {
      const { code, stdout, stderr } = await project.run(...args)
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      expect(stdout).to.include(
        `\nUnused sample types of \`quire init\` that ${word} replaced:\n  api::article.article\n  api::author.author\n\nNew definitions:\n  api::article.article\n  api::place.place\n`,
      )
    }
    expect(await readdir(`${project.site}/schema/content-types`)).to.deep.equal([])
    const written = await readFile(
      `${project.site}/schema/api/article/content-types/article/schema.json`,
      'utf8',
    )
    expect(JSON.parse(written)).to.deep.include({ attributes: title })
    const service = await startInProcess(project.settings, project.site)
    expect([...service.services.registry().contentTypes.keys()])
      .to.include('api::place.place')
      .and.to.not.include('api::author.author')
    await service.stop()

    const used = await init()
    await used.over((db) => db.collection('authors').insertOne({ documentId: id('z') }))
    const { code, stderr } = await used.run('--replace')
    expect(code).to.equal(1)
    expect(stderr).to.match(
      /^Definitions of the export differ from those of this project:\n {2}api::article\.article: attribute/,
    )
  })
})

const other = {
  ...{ kind: 'collectionType', collectionName: 'articles', options: { draftAndPublish: true } },
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  attributes: { title: { type: 'text' } },
}

/** Returns all documents by collection, except the records of processes. */
async function everything(db: Db): Promise<Readonly<Record<string, unknown>>> {
  const all: Record<string, unknown> = {}
  for (const { name } of await db.listCollections().toArray())
    if (name !== '_instances')
      all[name] = await db.collection(name).find().sort({ _id: 1 }).toArray()
  return all
}
