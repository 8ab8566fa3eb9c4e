import { expect } from 'chai'
import type { Db } from 'mongodb'
import { folderForEach } from '../../support/temporary-folder.js'
import { done, openProjects, type Numbered } from './projects.js'

const tag = {
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
  attributes: { name: { type: 'string' } },
}

describe('quire import over existing content', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const open = () => openProjects(makeFolder, { 'content-types/tag.json': tag })

  it('replaces what a first start created, and needs --replace for anything else', async () => {
    const { archive, createProject } = await open()
    const source = await createProject('source')
    await source.startOnce()
    await source.over(async (db) => {
      await db
        .collection<Numbered>('roles')
        .insertOne({ _id: 9, documentId: 'editoreditor', name: 'Editor', type: 'editor' })
    })
    expect(await source.run('export', archive, '--live')).to.deep.equal(done)

    const target = await createProject('target')
    await target.startOnce()
    expect(await target.run('import', archive)).to.deep.equal(done)
    const typesOf = (db: Db) => db.collection('roles').distinct('type')
    expect(await target.over(typesOf)).to.deep.equal(['authenticated', 'editor', 'public'])

    const other = await createProject('other')
    await other.startOnce()
    await other.over(async (db) => {
      await db
        .collection<Numbered>('roles')
        .insertOne({ _id: 7, documentId: 'readerreader', name: 'Reader', type: 'reader' })
      await db.collection<Numbered>('locales').insertOne({ _id: 5, code: 'fr', name: 'French' })
      await db.collection<Numbered>('admin_users').insertOne({ _id: 5, email: 'b@example.com' })
      await db.collection<Numbered>('_api_tokens').insertOne({ _id: 5, name: 'Website' })
    })
    const refused = await other.run('import', archive)
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.match(
      /^The database already has content \(the role "Reader", the locale "fr", several admins, API tokens\)\. /,
    )
    expect(await other.over(typesOf)).to.deep.equal(['authenticated', 'public', 'reader'])
    expect(
      await other.run('import', archive, '--exclude', 'roles,settings,users,tokens'),
    ).to.deep.equal(done)
    expect(await other.over(typesOf)).to.deep.equal(['authenticated', 'public', 'reader'])
    expect(await other.run('import', archive, '--replace')).to.deep.equal(done)
    expect(await other.over(typesOf)).to.deep.equal(['authenticated', 'editor', 'public'])
  })

  it('imports previous ids only together with their entries', async () => {
    const { archive, createProject } = await open()
    const source = await createProject('source')
    await source.startOnce()
    const ids = (db: Db) => db.collection<{ _id: string }>('_legacyIds')
    const own = { _id: 'api::tag.tag:5f0c1a2b3c4d5e6f70819203', documentId: 'a'.repeat(24) }
    await source.over((db) => ids(db).insertOne(own))
    expect(await source.run('export', archive, '--live')).to.deep.equal(done)
    const target = await createProject('target')
    expect(await target.run('import', archive, '--exclude', 'api::tag.tag')).to.deep.equal(done)
    expect(await target.over((db) => ids(db).find().toArray())).to.deep.equal([])
    expect(await target.run('import', archive, '--replace')).to.deep.equal(done)
    expect(await target.over((db) => ids(db).find().toArray())).to.deep.equal([own])
  })
})
