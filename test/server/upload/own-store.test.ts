import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import type { FileDocument } from '../../../server/upload/maintenance/file-documents.js'
import { adoptStore, checkOwnStore, findOtherStore } from '../../../server/upload/own-store.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import { MarkerError } from '../../../server/upload/storage-provider.js'
import { testDatabaseUri } from '../../support/database.js'

describe('marker of the upload folder', () => {
  let client: MongoClient
  let db: Db
  let root: string
  beforeEach(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
    root = await mkdtemp(join(tmpdir(), 'quire-folders-'))
  })
  afterEach(async () => {
    await db.dropDatabase()
    await client.close()
    await rm(root, { recursive: true })
  })

  const storeIn = (name: string) => createLocalProvider(join(root, name))
  const start = (name: string, { singleProcess = false, isChosen = true, of = db } = {}) => {
    const files = of.collection<FileDocument>('upload_files')
    return findOtherStore({ db: of, files, store: storeIn(name), isChosen, singleProcess })
  }
  const markerIn = (name: string) => readFile(join(root, name, '.quire-uploads'), 'utf8')
  const addFile = () =>
    db.collection('upload_files').insertOne({ documentId: 'a', provider: 'local' })
  const rejects = async (promise: Promise<unknown>): Promise<unknown> => {
    try {
      await promise
    } catch (error) {
      return error
    }
    throw new Error('The promise did not reject')
  }

  it('is created at the first start, for an old database too, and stays the same at later starts', async () => {
    await addFile()
    expect(await start('a')).to.equal(undefined)
    const marker = await markerIn('a')
    for (let turn = 0; turn < 2; turn++) expect(await start('a')).to.equal(undefined)
    expect(await markerIn('a')).to.equal(marker)
    expect(await readdir(join(root, 'a'))).to.deep.equal(['.quire-uploads'])
  })

  it('detects that another instance uses a different folder, even before there is a file', async () => {
    await start('a')
    const problems = await start('b')
    expect(problems).to.include(join(root, 'b')).and.include('upload.provider')
    expect(problems).to.include('npm run media -- adopt')
    expect(await start('b')).to.equal(problems)
    expect(await start('a')).to.equal(undefined)
  })

  it('detects a folder that was created again, and one that belongs to another database', async () => {
    await start('a')
    await addFile()
    await rm(join(root, 'a'), { recursive: true })
    expect(await start('a')).to.include('has no marker')
    const other = client.db(`${db.databaseName}_other`)
    await start('b', { of: other })
    await other.dropDatabase()
    expect(await start('b')).to.include('its marker is that of another database')
  })

  it('is created again by an exclusive process if the folder had no files', async () => {
    await start('a', { singleProcess: true })
    await rm(join(root, 'a'), { recursive: true })
    expect(await start('a', { singleProcess: true })).to.equal(undefined)
    expect(await start('a')).to.equal(undefined)
    await addFile()
    await rm(join(root, 'a'), { recursive: true })
    expect(await start('a', { singleProcess: true })).to.include('has no marker')
  })

  it('is checked if local files exist, even if another provider is chosen for new files', async () => {
    expect(await start('a', { isChosen: false })).to.equal(undefined)
    expect(await readdir(root)).to.deep.equal([])
    await start('a')
    expect(await start('b', { isChosen: false })).to.equal(undefined)
    await addFile()
    expect(await start('b', { isChosen: false })).to.be.a('string')
  })

  it('is accepted for only one folder if many processes start concurrently for the first time', async () => {
    const names = ['a', 'a', 'a', 'b', 'b', 'b']
    const problems = await Promise.all(names.map((name) => start(name)))
    const isRight = names.map((_, at) => problems[at] === undefined)
    expect(isRight).to.be.deep.oneOf([
      [true, true, true, false, false, false],
      [false, false, false, true, true, true],
    ])
    for (const name of ['a', 'b'])
      expect(await readdir(join(root, name))).to.deep.equal(['.quire-uploads'])
  })

  it('is kept if a start was killed after it wrote the marker and before it wrote to the database', async () => {
    await start('a')
    const marker = await markerIn('a')
    await db.collection<{ _id: string }>('_settings').deleteOne({ _id: 'files-in-local' })
    expect(await start('a')).to.equal(undefined)
    expect(await markerIn('a')).to.equal(marker)
    expect(await start('b')).to.be.a('string')
  })

  it('is replaced when another folder is adopted, and the previous folder is then rejected', async () => {
    await start('a')
    await start('b')
    await adoptStore(db, storeIn('b'))
    expect(await start('b')).to.equal(undefined)
    expect(await start('a')).to.include('its marker is that of another')
    expect(String(await rejects(checkOwnStore(db, storeIn('a'))))).to.include(join(root, 'a'))
    await checkOwnStore(db, storeIn('b'))
  })

  it('causes a MarkerError if it is damaged, or if a file has the path of the folder', async () => {
    await start('a')
    await writeFile(join(root, 'a', '.quire-uploads'), '')
    await writeFile(join(root, 'file'), '')
    for (const name of ['a', 'file']) {
      const error = await rejects(start(name))
      expect(error).to.be.instanceOf(MarkerError)
      expect(String(error)).to.include(join(root, name))
    }
  })
})
