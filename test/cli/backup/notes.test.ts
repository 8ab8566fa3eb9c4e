import { expect } from 'chai'
import type { ImportReport } from '../../../cli/import/import.js'
import { importRecords, type ImportRecord } from '../../../cli/import-runner/import-record.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { done, openProjects, type Numbered } from './projects.js'

const typeNamed = (name: string) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { name: { type: 'string' } },
})
const files = {
  'content-types/tag.json': typeNamed('tag'),
  'content-types/note.json': typeNamed('note'),
}

describe('import record', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const imported = async () => {
    const { archive, createProject } = await openProjects(makeFolder, files)
    const source = await createProject('source')
    await source.startOnce()
    await source.over(async (db) => {
      const tag = { _id: 1, documentId: 'tagabcdefgh', name: 'Theirs' }
      await db.collection<Numbered>('tags').insertOne(tag)
    })
    expect(await source.run('export', archive, '--live')).to.deep.equal(done)
    const target = await createProject('target')
    expect(await target.run('import', archive)).to.deep.equal(done)
    const records = () => target.over((db) => importRecords(db).find().sort({ _id: 1 }).toArray())
    const [record] = await records()
    if (record === undefined) throw new Error('The import has no record')
    const cutOff = async (brings?: ImportRecord['brings']): Promise<void> => {
      const other = { ...record, _id: 'other', stage: 'writing', brings }
      await target.over((db) =>
        db.collection<Numbered>('_imports').insertOne(other, { ignoreUndefined: true }),
      )
    }
    return { archive, target, records, record, cutOff }
  }

  it('makes a repeated import change nothing without --replace', async () => {
    const { archive, target, record } = await imported()
    await target.over((db) => db.collection('tags').deleteMany({}))
    const tags = () => target.over((db) => db.collection('tags').distinct('name'))
    const at = record.finishedAt?.toISOString() ?? ''
    expect(await target.output('import', archive)).to.match(
      new RegExp(`was already imported at ${at}, so nothing was changed\\. .*--replace`),
    )
    const again = await target.output('import', archive, '--json')
    expect(JSON.parse(again) as ImportReport).to.include({ wasDone: true, finishedAt: at })
    expect(await tags()).to.deep.equal([])
    const report = await target.output('import', archive, '--replace', '--json')
    expect(JSON.parse(report) as ImportReport).to.include({ wasDone: false })
    expect(await tags()).to.deep.equal(['Theirs'])
  })

  it('is the only record after repeating an import that was killed before it removed another one', async () => {
    const { archive, target, records, record, cutOff } = await imported()
    await target.over((db) =>
      importRecords(db).updateOne({ _id: record._id }, { $set: { stage: 'clearing' } }),
    )
    await cutOff(record.brings)
    expect(await target.run('import', archive)).to.deep.equal(done)
    expect((await records()).map(({ _id, stage }) => ({ _id, stage }))).to.deep.equal([
      { _id: record._id, stage: 'done' },
    ])
    await target.startOnce()
  })

  it('is kept if the repeated import would put files into another folder', async () => {
    const { archive, target, records, record } = await imported()
    await target.over(async (db) => {
      await importRecords(db).updateOne({ _id: record._id }, { $set: { stage: 'writing' } })
      const settings = db.collection<Numbered>('_settings')
      await settings.updateOne({ _id: 'files-in-local' }, { $set: { marker: 'other' } })
    })
    const { code, stderr } = await target.run('import', archive)
    expect(code).to.equal(1)
    expect(stderr).to.include('is not the upload folder of this database')
    expect((await records()).map(({ stage }) => stage)).to.deep.equal(['writing'])
  })

  it('is kept if --replace would not cover all content of the unfinished import', async () => {
    const { archive, target, records, record, cutOff } = await imported()
    await target.over((db) => db.collection('_imports').deleteMany({}))
    for (const brings of [{ parts: [], types: ['api::note.note'] }, undefined]) {
      await cutOff(brings)
      const without = await target.run('import', archive)
      expect(without.stderr).to.match(
        /Another import into this database was interrupted\. .* add --replace to this import\.\n$/,
      )
      const refused = await target.run('import', archive, '--replace', '--only', 'api::tag.tag')
      expect(refused.code).to.equal(1)
      expect(refused.stderr).to.match(
        /Another import into this database was interrupted\. .* cover everything the interrupted import replaces/,
      )
      expect((await records()).map(({ _id }) => _id)).to.deep.equal(['other'])
      expect(await target.run('import', archive, '--replace')).to.deep.equal(done)
      expect((await records()).map(({ _id }) => _id)).to.deep.equal([record._id])
      await target.over((db) => db.collection('_imports').deleteMany({}))
    }
    await cutOff({ parts: [], types: ['api::tag.tag'] })
    const args = ['import', archive, '--replace', '--only', 'api::tag.tag']
    expect(await target.run(...args)).to.deep.equal(done)
    expect((await records()).map(({ _id }) => _id)).to.deep.equal([record._id])
  })
})
