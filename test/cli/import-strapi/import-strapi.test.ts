import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { testDatabaseUri } from '../../support/database.js'
import { hastened } from '../../support/later.js'
import { runQuire } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { sampleExport } from '../../support/sample-export.js'
import { startInProcess } from '../../support/service-in-process.js'
import { folderForEach, makeFolder, removeFolder } from '../../support/temporary-folder.js'
import { unexplainedRows } from './unexplained-rows.js'

describe('quire import-strapi', function () {
  this.timeout(120_000)
  const folderOf = folderForEach()

  const open = async (files: Readonly<Record<string, unknown>> = {}) =>
    openIn(await folderOf(files))
  const openIn = async (folder: string) => {
    const uri = await testDatabaseUri()
    const env = { MONGODB_URI: uri, DATA_DIR: `${folder}/data` }
    return {
      folder,
      env,
      run: (...args: readonly string[]) =>
        runQuireInProcess(['import-strapi', ...args], { env, cwd: folder }),
      report: async (
        args: readonly string[],
        quire: typeof runQuire = runQuireInProcess,
      ): Promise<ImportReport> => {
        const { code, stdout, stderr } = await quire(['import-strapi', ...args, '--json'], {
          ...{ env, cwd: folder },
        })
        expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
        return JSON.parse(stdout) as ImportReport
      },
      over: async <T>(task: (db: Db) => Promise<T>): Promise<T> => {
        const client = new MongoClient(uri)
        try {
          return await task(client.db())
        } finally {
          await client.close()
        }
      },
    }
  }

  /** Shared by tests that only read, or only change users. */
  let imported: Awaited<ReturnType<typeof open>>
  let report: ImportReport
  before(async () => {
    imported = await openIn(await makeFolder({}))
    report = await imported.report([sampleExport], runQuire)
  })
  after(() => removeFolder(imported.folder))

  it('keeps documentIds, record ids and times, and gives later entries higher ids', async () => {
    const site = imported
    expect(report.mapped['api::article.article']).to.deep.equal({
      ...{ rows: 44, documents: 20, drafts: 24, published: 20 },
    })
    expect(report.media).to.deep.equal({ files: 7, bytes: 243449 })
    expect(unexplainedRows(report)).to.deep.equal([])
    expect(report.rows['api::article.article']).to.deep.include({ read: 44, written: 44 })
    const check = await runQuireInProcess(['repair', '--check'], {
      env: site.env,
      cwd: site.folder,
    })
    expect(check).to.deep.include({ code: 0, stderr: '' })
    await site.over(async (db) => {
      const find = (name: string, _id: number) =>
        db.collection<{ _id: number }>(name).findOne({ _id })
      expect(await find('articles.draft', 9)).to.deep.include({
        ...{ locale: 'en', title: 'Epsilon (modified)', publishedAt: null },
        documentId: 'gsqu8vy3vxc0nx4th1h0j2qc',
        createdAt: new Date('2026-11-21T06:40:07.041Z'),
        updatedAt: new Date('2026-11-21T06:40:08.066Z'),
      })
      expect(await find('articles', 10)).to.deep.include({
        ...{ locale: 'en', title: 'Epsilon' },
        updatedAt: new Date('2026-11-21T06:40:07.041Z'),
        publishedAt: new Date('2026-11-21T06:40:07.062Z'),
      })
      const sequences = db.collection<{ _id: string; value: number }>('_sequences')
      expect(await sequences.findOne({ _id: 'api::article.article' })).to.have.property('value', 46)
      expect(await sequences.findOne({ _id: 'api::tag.tag' })).to.have.property('value', 15)
      const staged = await db.listCollections({ name: /^_import\./ }).toArray()
      expect(staged).to.deep.equal([])
    })
  })

  it('gives each component its own id, shared by the versions of a document', async () => {
    await imported.over(async (db) => {
      const articles = await db.collection('articles').find().toArray()
      const drafts = await db.collection('articles.draft').find().toArray()
      const intro = (one: Readonly<Record<string, unknown>>): boolean =>
        one['title'] === 'Alpha Intro'
      const [published, draft] = [articles.find(intro), drafts.find(intro)]
      expect(published?.['seo']).to.deep.equal(draft?.['seo'])
      const ids = drafts.flatMap(({ seo, sections }) => [...idsIn(seo), ...idsIn(sections)])
      expect(ids).to.have.length.above(10)
      expect(new Set(ids).size).to.equal(ids.length)
    })
  })

  it('prints what it would import with --dry-run, without a database', async () => {
    const site = await open()
    const env = { ...site.env, MONGODB_URI: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1' }
    const args = ['import-strapi', sampleExport, '--dry-run']
    const { code, stdout, stderr } = await runQuireInProcess(args, { env, cwd: site.folder })
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(stdout).to.match(
      /Would be imported:\n(?: {2}.*\n)*? {2}api::article.article +20 documents: 20 published, 24 drafts/,
    )
    expect(stdout).to.include('plugin::users-permissions.auth.getSessions')
  })

  it('changes nothing when repeated, and is refused over other content', async () => {
    const site = await open()
    const first = await site.report([sampleExport])
    const before = await site.over(renameAuthor)
    const again = await site.report([sampleExport])
    expect(again).to.deep.equal({ ...first, definitions: [], wasDone: true })
    expect(await site.over(nameOfAuthor)).to.equal('Renamed')
    expect(await site.report([sampleExport, '--dry-run'])).to.deep.equal(again)
    const tried = await site.run(sampleExport, '--dry-run')
    expect(tried).to.include({ code: 0, stderr: '' })
    expect(tried.stdout.split('\n')[1]).to.equal(
      `It was already imported at ${String(first.finishedAt)}, so nothing was changed. To import it again and remove later changes, use --replace`,
    )
    expect(tried.stdout).to.not.include('Would be imported')
    const replacing = await site.run(sampleExport, '--dry-run', '--replace')
    expect(replacing.stdout).to.include('Would be imported')

    await site.over((db) => db.collection('_imports').deleteMany({}))
    const refused = await site.run(sampleExport)
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.match(/^The database already has content \(.*--replace\)\n$/)
    await site.report([sampleExport, '--replace'])
    expect(await site.over(nameOfAuthor)).to.equal(before)
  })

  it('writes missing definitions into the project, and reports differences', async () => {
    const tag = {
      ...{ kind: 'collectionType', collectionName: 'tags' },
      info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
      options: { draftAndPublish: true },
      attributes: {
        name: { type: 'text', required: true },
        articles: {
          ...{ type: 'relation', relation: 'manyToMany' },
          ...{ target: 'api::article.article', mappedBy: 'tags' },
        },
      },
    }
    const site = await open({ 'schema/api/tag/content-types/tag/schema.json': tag })
    const refused = await site.run(sampleExport)
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.match(
      /attribute "name" is \{"type":"string".*\} in the export, and \{"type":"text"/,
    )
    expect(refused.stderr).to.include('attribute "color" is in the export, but not in this project')
    const { code, stdout } = await site.run(sampleExport, '--dry-run')
    expect(code).to.equal(1)
    expect(stdout).to.match(/\nDefinitions that differ:\n {2}api::tag\.tag/)
    const report = await site.report([sampleExport, '--keep-definitions'])
    expect(report.differences).to.have.length(2)
    const file = `${site.folder}/schema/api/article/content-types/article/schema.json`
    const written = JSON.parse(await readFile(file, 'utf8')) as { attributes: object }
    expect(written.attributes).to.include.keys('title', 'seo')
    expect(written.attributes).not.to.have.any.keys('createdAt', 'localizations', 'documentId')
  })

  it('writes the definitions into a schema folder without definitions', async () => {
    const site = await open({ 'schema/content-types/.kept': {} })
    const { differences } = await site.report([sampleExport])
    expect(differences).to.deep.equal([])
    const file = `${site.folder}/schema/api/article/content-types/article/schema.json`
    expect(await readFile(file, 'utf8')).to.include('"seo"')
  })

  it('is refused while a service uses the database', async () => {
    const site = await open()
    const service = await startInProcess(site.env, site.folder)
    try {
      // Let time run faster: the command waits seven seconds for the other process to end.
      const { code, stderr } = await hastened(8, site.run(sampleExport), 1000)
      expect(code).to.equal(1)
      expect(stderr).to.match(/uses this database/)
    } finally {
      await service.stop()
    }
  })

  it('lets users log in with their passwords, and rehashes them', async () => {
    const site = imported
    const password = () =>
      site.over(async (db) => (await db.collection('users').findOne())?.['password'] as string)
    const before = await site.over((db) => db.collection('users').findOne())
    expect(before?.['password']).to.match(/^\$2a\$10\$/)
    const service = await startInProcess(site.env, site.folder)
    try {
      const { url } = service
      const logIn = async (password: string): Promise<number> => {
        const response = await fetch(`${url}/api/auth/local`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ identifier: 'oracle@example.com', password }),
        })
        return response.status
      }
      expect(await logIn('passw0rd!')).to.equal(400)
      expect(await password()).to.equal(before?.['password'])
      expect(await logIn('Passw0rd!')).to.equal(200)
      expect(await password()).to.match(/^\$argon2id\$/)
      expect(await logIn('Passw0rd!')).to.equal(200)
      expect(await logIn('passw0rd!')).to.equal(400)
      const after = await site.over((db) => db.collection('users').findOne())
      expect(after?.['updatedAt']).to.deep.equal(before?.['updatedAt'])
    } finally {
      await service.stop()
    }
  })
})

const authors = (db: Db) => db.collection<{ _id: number; name: string }>('authors')

async function nameOfAuthor(db: Db): Promise<string | undefined> {
  return (await authors(db).findOne({ _id: 1 }))?.name
}

/** Renames the author with id 1. Returns the previous name. */
async function renameAuthor(db: Db): Promise<string | undefined> {
  const before = await nameOfAuthor(db)
  await authors(db).updateOne({ _id: 1 }, { $set: { name: 'Renamed' } })
  return before
}

/** Returns the ids in a value, at any depth. */
function idsIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  const { id } = value as { id?: unknown }
  return [...(typeof id === 'number' ? [id] : []), ...Object.values(value).flatMap(idsIn)]
}
