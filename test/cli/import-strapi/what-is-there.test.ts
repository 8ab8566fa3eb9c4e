import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startInProcess } from '../../support/service-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { makeExport } from './make-export.js'

const at = '2026-01-01T00:00:00.000Z'
const id = (letter: string): string => letter.repeat(24)
const row = (type: string, number: number, letter: string, data: object) => ({
  ...{ type, id: number },
  data: {
    ...{ documentId: id(letter), createdAt: at, updatedAt: at, publishedAt: at, locale: null },
    ...data,
  },
})
const page = 'api::page.page'
const definition = {
  ...{ uid: page, modelType: 'contentType', kind: 'collectionType', collectionName: 'pages' },
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: false },
  attributes: { title: { type: 'string' } },
}
const content = {
  'schemas/s.jsonl': [definition],
  'entities/e.jsonl': [
    row(page, 1, 'a', { title: 'Page' }),
    row('plugin::i18n.locale', 1, 'b', { code: 'de', name: 'German' }),
    row('plugin::users-permissions.role', 1, 'c', { name: 'Reader', type: 'public' }),
  ],
}

describe('quire import-strapi over existing content', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const open = async () => {
    const folder = await makeFolder({})
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` }
    const archive = await makeExport(`${folder}/export.tar.gz`, content)
    return {
      archive: (name: string) =>
        makeExport(`${folder}/${name}.tar.gz`, { ...content, 'links/l.jsonl': [name] }),
      run: async (file = archive, ...args: readonly string[]) => {
        const { code, stderr } = await runQuireInProcess(['import-strapi', file, ...args], {
          ...{ env, cwd: folder },
        })
        return { code, stderr }
      },
      over: async <T>(task: (db: Db) => Promise<T>): Promise<T> => {
        const client = new MongoClient(env.MONGODB_URI)
        try {
          return await task(client.db())
        } finally {
          await client.close()
        }
      },
      startOnce: async (): Promise<void> => {
        const service = await startInProcess(env, folder)
        await service.stop()
      },
    }
  }
  const names = (db: Db, collection: string, field: string): Promise<unknown[]> =>
    db.collection(collection).distinct(field)

  it('replaces what a first start created, except admins', async () => {
    const project = await open()
    await project.startOnce()
    await project.over(async (db) => {
      expect(await names(db, 'roles', 'type')).to.deep.equal(['authenticated', 'public'])
      await db.collection('admin_users').insertOne({ email: 'ada@example.com' })
    })
    expect(await project.run()).to.deep.equal({ code: 0, stderr: '' })
    await project.over(async (db) => {
      expect(await names(db, 'roles', 'name')).to.deep.equal(['Reader'])
      expect(await names(db, 'locales', 'code')).to.deep.equal(['de'])
      expect(await names(db, 'admin_users', 'email')).to.deep.equal(['ada@example.com'])
    })
  })

  it('is refused over content that users created, which it names, unless --replace is given', async () => {
    const project = await open()
    await project.startOnce()
    const made: readonly [string, (db: Db) => Promise<unknown>, (db: Db) => Promise<unknown>][] = [
      [
        'the role "Editor"',
        (db) => db.collection('roles').insertOne({ name: 'Editor', type: 'editor' }),
        (db) => db.collection('roles').deleteOne({ name: 'Editor' }),
      ],
      [
        'the role "Public"',
        (db) =>
          db
            .collection<Role>('roles')
            .updateOne({ type: 'public' }, { $push: { permissions: 'x' } }),
        (db) =>
          db
            .collection<Role>('roles')
            .updateOne({ type: 'public' }, { $pull: { permissions: 'x' } }),
      ],
      [
        'the locale "fr"',
        (db) => db.collection('locales').insertOne({ code: 'fr', name: 'French' }),
        (db) => db.collection('locales').deleteOne({ code: 'fr' }),
      ],
      [
        'plugin::upload.folder',
        (db) => db.collection('_folders').insertOne({ name: 'Holidays' }),
        (db) => db.collection('_folders').deleteOne({}),
      ],
      // An entry of a type that was here earlier and is in the export.
      [
        page,
        (db) => db.collection('pages').insertOne({ documentId: id('z'), title: 'Former' }),
        (db) => db.collection('pages').deleteOne({}),
      ],
    ]
    for (const [name, make, remove] of made) {
      const before = await project.over(async (db) => {
        await make(db)
        return everything(db)
      })
      const { code, stderr } = await project.run()
      expect([code, stderr]).to.deep.equal([
        1,
        `The database already has content (${name}). Import into an empty database, or remove the content first (--replace)\n`,
      ])
      expect(await project.over(everything)).to.deep.equal(before)
      await project.over(remove)
    }
    await project.over(async (db) => {
      for (const [, make] of made) await make(db)
    })
    const contentNames = made.map(([name]) => name)
    const { stderr } = await project.run()
    for (const name of contentNames) expect(stderr).to.include(name)
    const other = await project.archive('other')
    expect(await project.run(other, '--replace')).to.deep.equal({ code: 0, stderr: '' })
    await project.over(async (db) => {
      expect(await names(db, 'roles', 'name')).to.deep.equal(['Reader'])
      expect(await names(db, 'pages', 'title')).to.deep.equal(['Page'])
      expect(await names(db, '_folders', 'name')).to.deep.equal([])
    })
  })

  it('finishes either import if a replacing import was killed at its start', async () => {
    type StoredRecord = { _id: string; stage: string }
    const records = (db: Db) => db.collection<StoredRecord>('_imports')
    for (const repeated of ['previous', 'later'] as const) {
      const project = await open()
      const archives = { previous: await project.archive('f'), later: await project.archive('l') }
      await project.run(archives.later)
      const [later] = await project.over((db) => records(db).find().toArray())
      await project.run(archives.previous, '--replace')
      const before = await project.over(async (db) => {
        const [previous] = await records(db).find().toArray()
        if (previous === undefined || later === undefined)
          throw new Error('The import has no record')
        await records(db).updateOne({ _id: previous._id }, { $set: { stage: 'staging' } })
        await records(db).insertOne({ ...later, stage: 'clearing', replace: true } as StoredRecord)
        return { previous: previous._id, later: later._id }
      })
      expect(await project.run(archives[repeated])).to.deep.equal({ code: 0, stderr: '' })
      const left = await project.over((db) =>
        records(db)
          .find({}, { projection: { stage: 1 } })
          .toArray(),
      )
      expect(left).to.deep.equal([{ _id: before[repeated], stage: 'done' }])
    }
  })
})

type Role = { type: string; permissions: string[] }

/** Returns all documents by collection, except those in which commands record that they run. */
async function everything(db: Db): Promise<Readonly<Record<string, unknown>>> {
  const all: Record<string, unknown> = {}
  for (const { name } of await db.listCollections().toArray())
    if (name !== '_instances' && name !== '_settings')
      all[name] = await db.collection(name).find().sort({ _id: 1 }).toArray()
  return all
}
