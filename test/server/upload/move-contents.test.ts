import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import { pino } from 'pino'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { readSettings } from '../../../server/settings/read-settings.js'
import type { FileDocument } from '../../../server/upload/maintenance/file-documents.js'
import { moveContents } from '../../../server/upload/maintenance/move-contents.js'
import { chooseProvider } from '../../../server/upload/providers/create-providers.js'
import { createGridfsProvider } from '../../../server/upload/providers/gridfs.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'
import {
  openPendingContents,
  type PendingContents,
} from '../../../server/upload/pending-contents.js'
import { testDatabaseUri } from '../../support/database.js'

const name = 'a_0123456789.txt'
const file = {
  ...{ _id: 1, documentId: 'a', name: 'a.txt', mime: 'text/plain', _revision: 1 },
  ...{ hash: 'a_0123456789', ext: '.txt', provider: 'gridfs', formats: null },
} satisfies FileDocument

describe('moveContents', () => {
  let client: MongoClient
  let db: Db
  let root: string
  let local: StorageProvider
  let gridfs: StorageProvider
  beforeEach(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
    root = await mkdtemp(join(tmpdir(), 'quire-move-'))
    local = createLocalProvider(root)
    gridfs = createGridfsProvider(db)
    await gridfs.put(name, Readable.from([Buffer.from('content')]), file)
    await files().insertOne(file)
  })
  afterEach(async () => {
    await db.dropDatabase()
    await client.close()
    await rm(root, { recursive: true })
  })

  const files = () => db.collection<FileDocument>('upload_files')
  /** Moves the files to `to`. Calls `superseding` just before it marks the original content of a file as superseded. */
  const move = (to = local, superseding: () => Promise<unknown> = () => Promise.resolve()) => {
    const providers = chooseProvider('local', [to, gridfs])
    const services = {
      ...{ db, settings: readSettings({}, {}, []), log: pino({ level: 'silent' }) },
      registry: () => createRegistryFrom([], 1),
    }
    const opened = openPendingContents(services, { providers, singleProcess: false })
    const contents: PendingContents = {
      ...opened,
      supersede: async (content) => {
        await superseding()
        await opened.supersede(content)
      },
    }
    const failed = (_: FileDocument, reason: string): void => {
      throw new Error(reason)
    }
    return moveContents({
      ...{ db, files: files(), providers, contents, to, singleProcess: false },
      failed,
    })
  }
  /** Imitates another process that has moved the file first. */
  const moveElsewhere = () => files().updateOne({ _id: 1 }, { $set: { provider: 'local' } })

  it('fails if another process is already moving files', async () => {
    let second: unknown
    const slow: StorageProvider = {
      ...local,
      put: async (...parameters) => {
        second = await move().catch((error: unknown) => error)
        return local.put(...parameters)
      },
    }
    expect(await move(slow)).to.equal(1)
    expect(String(second)).to.contain('Another process is moving files')
    expect(await files().findOne({ _id: 1 })).to.include({ provider: 'local' })
    expect(await readdir(root)).to.deep.equal([name])
    expect(await move()).to.equal(0)
  })

  it('keeps the copy if another process has already moved the file there', async () => {
    expect(await move(local, moveElsewhere)).to.equal(0)
    expect(await readdir(root)).to.deep.equal([name])
  })

  it('removes the copy if the file was deleted meanwhile', async () => {
    expect(await move(local, () => files().deleteOne({ _id: 1 }))).to.equal(0)
    expect(await readdir(root)).to.deep.equal([])
  })

  it('removes the copies if the file was replaced and its old content deleted meanwhile', async () => {
    const version = 'small_a_0123456789.txt'
    const formats = { small: { hash: 'small_a_0123456789', ext: '.txt' } }
    await files().updateOne({ _id: 1 }, { $set: { formats } as object })
    await gridfs.put(version, Readable.from([Buffer.from('small')]), file)
    const replaced: StorageProvider = {
      ...local,
      put: async (...parameters) => {
        const size = await local.put(...parameters)
        // Imitates that the file is replaced, and that a sweep deletes its previous content.
        await files().updateOne({ _id: 1 }, { $set: { hash: 'a_1111111111' } })
        await gridfs.remove(version)
        return size
      },
    }
    expect(await move(replaced)).to.equal(0)
    expect(await readdir(root)).to.deep.equal([])
  })

  it('fails if content of the same name is being deleted at the target', async () => {
    await local.put(name, Readable.from([Buffer.from('content')]), file)
    const record = { provider: 'local', names: [name], due: new Date(0), over: true }
    await db.collection<{ _id: string }>('_contents').insertOne({ _id: file.hash, ...record })
    const error = await move().catch((thrown: unknown) => thrown)
    expect(error).to.have.property('message', 'The content of the file is being deleted')
    expect(await files().findOne({ _id: 1 })).to.have.property('provider', 'gridfs')
  })

  it('stops and removes nothing if another process has taken over the lease', async () => {
    const stalled: StorageProvider = {
      ...local,
      put: async (...parameters) => {
        const size = await local.put(...parameters)
        const leases = db.collection<{ _id: string; owner: string }>('_settings')
        await leases.updateOne({ _id: 'moving-contents' }, { $set: { owner: 'another' } })
        await moveElsewhere()
        return size
      },
    }
    const error = await move(stalled).catch((thrown: unknown) => thrown)
    expect(String(error)).to.contain('Another process is moving files')
    expect(await readdir(root)).to.deep.equal([name])
  })
})
