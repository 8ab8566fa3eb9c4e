import { expect } from 'chai'
import type { Db } from 'mongodb'
import type { ExportReport } from '../../../cli/export/export-backup.js'
import type { ImportReport } from '../../../cli/import/import.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { done, openProjects, type Numbered } from './projects.js'

const typeNamed = (name: string, attributes: object = { name: { type: 'string' } }) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})
const files = {
  'content-types/article.json': typeNamed('article'),
  'content-types/tag.json': typeNamed('tag'),
}

describe('quire import of a partial archive', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const entry = (name: string) => ({ _id: 100, documentId: `${name}abcdefgh`, name })
  const put = (db: Db, collection: string, one: Numbered) =>
    db.collection<Numbered>(collection).insertOne(one)
  const putTheirs = async (db: Db): Promise<void> => {
    await put(db, 'articles', entry('theirs'))
    await put(db, 'tags', entry('theirs'))
  }
  const namesIn = async (db: Db) => {
    const found: Record<string, unknown> = {}
    for (const collection of others)
      found[collection] = await db.collection(collection).distinct('name')
    return found
  }
  const others = [
    ...['articles', 'tags', 'users', 'admin_users', 'roles', 'locales', 'upload_files'],
    ...['_singles', '_legacyIds', '_api_tokens', '_settings', '_sessions'],
  ]
  const fill = async (db: Db, name: string): Promise<void> => {
    for (const collection of others)
      if (!collection.startsWith('_')) await put(db, collection, entry(name))
    await put(db, '_singles', { _id: 'api::tag.tag', name })
    await put(db, '_legacyIds', { _id: 'api::tag.tag:5f0c1a2b3c4d5e6f70819203', name })
    await put(db, '_legacyIds', {
      _id: `api::article.article:5f0c1a2b3c4d5e6f7081920${name.length}`,
      name,
    })
    await put(db, '_api_tokens', { _id: 100, name })
    await put(db, '_settings', { _id: 'log-level', name })
    await put(db, '_sessions', { _id: 'session', name })
  }

  it('replaces only what the archive contains', async () => {
    const { archive, createProject } = await openProjects(makeFolder, files)
    const source = await createProject('source')
    await source.startOnce()
    await source.over((db) => fill(db, 'theirs'))
    expect(
      await source.run('export', archive, '--live', '--only', 'api::article.article'),
    ).to.deep.equal(done)

    const target = await createProject('target')
    await target.over((db) => fill(db, 'own'))
    const before = await target.over(namesIn)
    const other = await target.run('import', archive, '--replace', '--only', 'users,media')
    expect(other).to.deep.equal({
      code: 1,
      stderr: 'The archive does not contain users. It contains api::article.article\n',
    })
    const refused = await target.run('import', archive)
    expect(refused.stderr).to.match(/^The database already has content \(api::article.article\)\. /)
    expect(await target.over(namesIn)).to.deep.equal(before)
    expect(await target.run('import', archive, '--replace')).to.deep.equal(done)
    expect(await target.over(namesIn)).to.deep.equal({
      ...before,
      articles: ['theirs'],
      _legacyIds: ['own', 'theirs'],
    })
    const ofArticles = { _id: { $regex: /^api::article/ } }
    expect(
      await target.over((db) => db.collection<Numbered>('_legacyIds').distinct('name', ofArticles)),
    ).to.deep.equal(['theirs'])
  })

  it('is refused before it removes anything if no definitions exist for an archived type', async () => {
    const { archive, createProject } = await openProjects(makeFolder, files)
    const source = await createProject('source')
    await source.startOnce()
    await source.over(putTheirs)
    expect(await source.run('export', archive, '--live', '--exclude', 'schema')).to.deep.equal(done)
    const target = await createProject('target', { 'content-types/tag.json': typeNamed('tag') })
    await target.over((db) => put(db, 'tags', entry('own')))
    const refused = await target.run('import', archive, '--replace')
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.match(/^There are no definitions of api::article.article in this /)
    expect(await target.over((db) => db.collection('tags').distinct('name'))).to.deep.equal(['own'])
    expect(
      await target.run('import', archive, '--replace', '--exclude', 'api::article.article'),
    ).to.deep.equal(done)
    expect(await target.over((db) => db.collection('tags').distinct('name'))).to.deep.equal([
      'theirs',
    ])
  })

  it('marks modified drafts if the archive was exported with --live', async () => {
    const options = { options: { draftAndPublish: true } }
    const { archive, createProject } = await openProjects(makeFolder, {
      ...files,
      'content-types/note.json': { ...typeNamed('note'), ...options },
    })
    const source = await createProject('source')
    await source.startOnce()
    const version = (name: string, seconds: number) => {
      const at = new Date(seconds * 1000)
      return { ...entry(name), createdAt: at, updatedAt: at, locale: null, _revision: 1 }
    }
    await source.over(async (db) => {
      await put(db, 'notes', version('one', 1))
      await put(db, 'notes.draft', version('one', 2))
    })
    expect(await source.run('export', archive, '--live')).to.deep.equal(done)
    for (const only of [[], ['--only', 'api::note.note']]) {
      const target = await createProject(`target${only.length}`)
      expect(await target.run('import', archive, ...only)).to.deep.equal(done)
      const marked = await target.over((db) =>
        db.collection('notes.draft').distinct('name', { _modified: true }),
      )
      expect(marked, only.join(' ')).to.deep.equal(['one'])
    }
  })

  it('reports only the entries that were imported', async () => {
    const { archive, createProject } = await openProjects(makeFolder, files)
    const source = await createProject('source')
    await source.startOnce()
    await source.over(putTheirs)
    const exported = await source.output('export', archive, '--live', '--json')
    const all = Object.keys((JSON.parse(exported) as ExportReport).entries)
    expect(all).to.include.members(['api::article.article', 'api::tag.tag'])
    const target = await createProject('target')
    const only = ['import', archive, '--only', 'api::tag.tag']
    expect(await target.output(...only)).to.match(
      /: 1 version of entries of 1 type, 0 files with 0 KB\n$/,
    )
    const report = JSON.parse(await target.output(...only, '--json')) as ImportReport
    expect(report.entries).to.deep.equal({
      'api::tag.tag': { archived: 1, published: 1, drafts: 0, leftOut: 0 },
    })
    const other = await createProject('other')
    const whole = JSON.parse(await other.output('import', archive, '--json')) as ImportReport
    expect(Object.keys(whole.entries)).to.deep.equal(all)
  })
})
