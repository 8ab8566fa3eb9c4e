import { readdir } from 'node:fs/promises'
import { expect } from 'chai'
import type { Db } from 'mongodb'
import { folderForEach } from '../../support/temporary-folder.js'
import { done, openProjects, type Numbered } from './projects.js'

const typeNamed = (name: string, type = 'string') => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { name: { type } },
})
const files = { 'content-types/tag.json': typeNamed('tag') }

const keptTypeResult = {
  code: 0,
  stderr:
    'Definitions of the archive differ from those of this project, which are used:\n' +
    '  api::tag.tag: attribute "name" is {"type":"string"} in the archive, and {"type":"text"} in this project (_schemas/api::tag.tag)\n',
}

describe('quire import over existing definitions', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  /** Stores a definition as the content-type builder does. */
  const define = (db: Db, name: string, type?: string) =>
    db.collection<Numbered>('_schemas').insertOne({
      ...{ _id: `api::${name}.${name}`, kind: 'content-type', source: 'database' },
      definition: typeNamed(name, type),
    })
  const typesIn = async (db: Db) => {
    const stored = await db
      .collection('_schemas')
      .find({ definition: { $exists: true } })
      .sort({ _id: 1 })
      .toArray()
    return Object.fromEntries(
      stored.map(({ _id, definition }) => [
        String(_id),
        (definition as ReturnType<typeof typeNamed>).attributes.name.type,
      ]),
    )
  }
  const exported = async () => {
    const { folder, archive, createProject } = await openProjects(makeFolder, files)
    const source = await createProject('source')
    await source.startOnce()
    expect(await source.run('export', archive, '--live')).to.deep.equal(done)
    return { folder, archive, createProject }
  }

  it('keeps stored definitions with --keep-definitions, and entries of types that the archive lacks', async () => {
    const { archive, createProject } = await exported()
    const target = await createProject('target', null)
    await target.over(async (db) => {
      await define(db, 'tag', 'text')
      await define(db, 'note')
      await db
        .collection<Numbered>('notes')
        .insertOne({ _id: 1, documentId: 'noteabcdefgh', name: 'Own' })
    })
    const refused = await target.run('import', archive)
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.match(
      /differ from those of this project:\n {2}api::tag.tag: attribute/,
    )
    expect(await target.run('import', archive, '--keep-definitions')).to.deep.equal(keptTypeResult)
    expect(await target.over(typesIn)).to.deep.equal({
      ...{ 'api::note.note': 'string', 'api::tag.tag': 'text' },
    })
    const notes = await target.over((db) => db.collection('notes').distinct('name'))
    expect(notes).to.deep.equal(['Own'])
  })

  it('compares definitions made at run time, and writes no files for them', async () => {
    const { folder, archive, createProject } = await exported()
    const target = await createProject('target', { 'content-types/note.json': typeNamed('note') })
    await target.over((db) => define(db, 'tag', 'text'))
    const refused = await target.run('import', archive, '--only', 'schema')
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.match(
      /differ from those of this project:\n {2}api::tag.tag: attribute/,
    )
    const arguments_ = ['import', archive, '--only', 'schema', '--keep-definitions']
    expect(await target.run(...arguments_)).to.deep.equal(keptTypeResult)
    expect(await target.over(typesIn)).to.include({ 'api::tag.tag': 'text' })
    const found = await readdir(`${folder}/target-schema`, { recursive: true })
    expect(found.filter((name) => name.includes('tag'))).to.deep.equal([])
  })
})
