import { copyFile, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { withLease } from '../../../engine/database/with-lease.js'
import { drawPicture } from '../../support/draw-picture.js'
import { createGridfsProvider } from '../../../server/upload/providers/gridfs.js'
import { testDatabaseUri } from '../../support/database.js'
import { s3Credentials, s3Server } from '../../support/s3-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { quireCommand, runQuire, type Ran } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'

type File = Readonly<{
  id: number
  documentId: string
  url: string
  hash: string
  ext: string
  provider: string
  formats: Record<string, { url: string }> | null
}>
type Name = 'local' | 'gridfs' | 's3'

const picture = await drawPicture('test', 640, 400)

/** Returns the environment for storing files in a new bucket of the real S3 server. Undefined if there is no server. */
async function s3Environment(): Promise<Readonly<Record<string, string>> | undefined> {
  const bucket = await (await s3Server())?.makeBucket()
  if (bucket === undefined) return undefined
  return {
    UPLOAD_S3_BUCKET: bucket.bucket,
    UPLOAD_S3_ENDPOINT: bucket.endpoint,
    UPLOAD_S3_FORCE_PATH_STYLE: 'true',
    UPLOAD_S3_PREFIX: 'library/',
    UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  }
}

const upload = async (app: TestApp, name: string, content: Uint8Array | string, query = '') => {
  const form = new FormData()
  form.append('files', new Blob([content]), name)
  const answer = await app.request('POST', `/api/upload${query}`, { token: app.token, body: form })
  expect(answer.status, answer.text).to.be.oneOf([200, 201])
  const [file = answer.body] = Array.isArray(answer.body) ? (answer.body as unknown[]) : []
  return file as File
}
const urlsOf = (file: File) => [
  file.url,
  ...Object.values(file.formats ?? {}).map(({ url }) => url),
]
const fileOf = async (app: TestApp, { id }: File) =>
  (await app.request('GET', `/api/upload/files/${id}`, { token: app.token })).body as File

for (const provider of ['local', 'gridfs', 's3'] as const satisfies readonly Name[])
  describe(`media library with files in ${provider}`, () => {
    let app: TestApp
    before(async function () {
      const environment = await s3Environment()
      if (provider === 's3' && environment === undefined) return this.skip()
      app = await startApp({
        environment: { ...environment, UPLOAD_PROVIDER: provider },
      })
    })
    after(async () => {
      // `app` is still undefined if the tests were skipped.
      await (app as TestApp | undefined)?.stop()
    })

    it('uploads, serves, replaces and deletes files', async () => {
      const file = await upload(app, 'sea.png', picture)
      expect(file).to.include({ provider })
      expect(Object.keys(file.formats ?? {})).to.include('thumbnail')
      for (const url of urlsOf(file)) {
        const answer = await fetch(`${app.url}${url}`)
        expect(answer.status).to.equal(200)
        expect(answer.headers.get('content-type')).to.equal('image/png')
        expect((await answer.arrayBuffer()).byteLength).to.be.greaterThan(100)
      }
      const text = await upload(app, 'a.txt', '0123456789')
      const part = await fetch(`${app.url}${text.url}`, { headers: { Range: 'bytes=2-4' } })
      expect([part.status, part.headers.get('content-range')]).to.deep.equal([206, 'bytes 2-4/10'])
      expect(await part.text()).to.equal('234')
      const other = await upload(app, 'b.txt', 'other', `?id=${text.id}`)
      expect(other.url).to.not.equal(text.url)
      expect(await (await fetch(`${app.url}${other.url}`)).text()).to.equal('other')
      for (const { id } of [file, text])
        await app.request('DELETE', `/api/upload/files/${id}`, { token: app.token })
      for (const url of [...urlsOf(file), other.url])
        expect((await fetch(`${app.url}${url}`)).status).to.equal(404)
    })
  })

describe('quire media', () => {
  let folder: string
  let environment: Readonly<Record<string, string>>
  let app: TestApp

  const runBy = (quire: typeof runQuire, parameters: readonly string[]): Promise<Ran> =>
    quire(['media', ...parameters], {
      cwd: folder,
      env: { ...environment, DATA_DIR: app.dataDir },
    })
  const run = (...parameters: readonly string[]) => runBy(runQuireInProcess, parameters)
  const runInOwnProcess = (...parameters: readonly string[]) => runBy(runQuire, parameters)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-media-'))
    const databaseUri = await testDatabaseUri()
    environment = { MONGODB_URI: databaseUri, ...(await s3Environment()) }
    app = await startApp({ databaseUri, environment })
  })
  after(async () => {
    await app.quire.services.db.dropDatabase()
    await app.stop()
    await rm(folder, { recursive: true })
  })

  it('moves the library between providers while it is in use, and every URL in responses keeps working', async function () {
    const files = [
      await upload(app, 'sea.png', picture),
      await upload(app, 'a.txt', 'content'),
      await upload(app, 'b.txt', 'more'),
    ]
    const targets: readonly Name[] =
      environment['UPLOAD_S3_BUCKET'] === undefined
        ? ['gridfs', 'local']
        : ['gridfs', 's3', 'local']
    for (const to of targets) {
      let isOver = false
      const reading = (async () => {
        for (let reads = 0; !isOver || reads === 0; reads += 1)
          for (const file of files)
            for (const url of urlsOf(await fileOf(app, file)))
              expect((await fetch(`${app.url}${url}`)).status).to.equal(200)
      })()
      const moved = await runInOwnProcess('move', '--to', to).finally(() => (isOver = true))
      await reading
      expect(moved, moved.stderr).to.include({ code: 0, stdout: `3 files were moved to ${to}.\n` })
      for (const file of files) expect(await fileOf(app, file)).to.include({ provider: to })
      expect((await run('move', '--to', to)).stdout).to.equal(`0 files were moved to ${to}.\n`)
    }
    const checked = await runInOwnProcess('check')
    expect(checked.stdout).to.equal('The media library is in order.\n')
  })

  it('fails with one line if another process is already moving files', async () => {
    const { db } = app.quire.services
    const lease = { db, collection: '_settings', _id: 'moving-contents', singleProcess: false }
    const result = await withLease(
      { ...lease, lost: () => undefined },
      () => runInOwnProcess('move', '--to', 'local'),
      () => undefined,
    )
    expect(result).to.include({ code: 1, stdout: '' })
    expect(result.stderr).to.match(/^Another process is moving files[^\n]*\n$/)
    expect(await run('move', '--to', 'local')).to.include({ code: 0 })
  })

  it('finds and with --remove deletes missing, stray and unfinished files', async () => {
    const missing = await upload(app, 'gone.txt', 'content')
    const intact = await upload(app, 'kept.txt', 'content')
    const uploads = join(app.dataDir, 'uploads')
    await rm(join(uploads, `${missing.hash}${missing.ext}`))
    const stray = join(uploads, 'stray_0123456789.txt')
    await writeFile(stray, 'content')
    // The file is not reported while it is new, because it may still get its entry.
    expect((await run('check')).stdout).to.not.include('stray')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(stray, longAgo, longAgo)
    const unfinished = join(uploads, '.01234567-89ab-4cde-8f01-23456789abcd')
    await writeFile(unfinished, 'cont')
    await utimes(unfinished, longAgo, longAgo)
    const found = [
      `record without a stored file: ${missing.hash}${missing.ext}, of the file ${missing.documentId}`,
      'stored file without a record: stray_0123456789.txt in local (7 bytes)',
      'unfinished uploads in local: 1',
    ]
    const result = await run('check')
    expect(result.code).to.equal(1)
    expect(result.stdout.split('\n').slice(0, 3)).to.deep.equal(found)
    const removed = await run('check', '--remove')
    expect(removed.code).to.equal(0)
    expect(removed.stdout.split('\n').slice(0, 3)).to.deep.equal(
      found.map((one) => `${one}: removed`),
    )
    expect(await run('check')).to.include({ code: 0, stdout: 'The media library is in order.\n' })
    expect((await fetch(`${app.url}${intact.url}`)).status).to.equal(200)
  })

  it('fails and removes nothing if the upload folder is not the one that contains the files', async () => {
    const file = await upload(app, 'there.txt', 'content')
    const uploads = join(app.dataDir, 'uploads')
    await rename(uploads, `${uploads}-away`)
    const refuse = async (reason: string) => {
      for (const way of [['check'], ['check', '--remove']]) {
        const result = await run(...way)
        expect(result.code).to.equal(1)
        expect(result.stderr).to.include(reason)
      }
    }
    await refuse('is not the upload folder of this database')
    // Imitates a new volume, which contains only a file that was uploaded later.
    await mkdir(uploads)
    await upload(app, 'since.txt', 'content')
    await refuse('is not the upload folder of this database')
    expect((await run('move', '--to', 'local')).stderr).to.include('is not the upload folder')
    const stray = join(uploads, 'stray_0123456789.txt')
    await writeFile(stray, 'content')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(stray, longAgo, longAgo)
    await refuse('is not the upload folder of this database')
    expect(await readFile(stray, 'utf8')).to.equal('content')
    await rm(uploads, { recursive: true })
    await mkdir(uploads)
    await copyFile(join(`${uploads}-away`, '.quire-uploads'), join(uploads, '.quire-uploads'))
    await refuse('None of the files that the database records in local exists there')
    await rm(uploads, { recursive: true })
    await rename(`${uploads}-away`, uploads)
    expect((await run('check', '--remove')).stdout).to.include(
      'record without a stored file: since_',
    )
    expect(await run('check')).to.include({ code: 0, stdout: 'The media library is in order.\n' })
    expect((await fetch(`${app.url}${file.url}`)).status).to.equal(200)
  })

  it('adopts a folder without a marker with media adopt, for example after a restore', async () => {
    const uploads = join(app.dataDir, 'uploads')
    const file = await upload(app, 'restored.txt', 'content')
    const missing = await upload(app, 'lost.txt', 'content')
    await rm(join(uploads, '.quire-uploads'))
    await rm(join(app.dataDir, missing.url))
    expect((await run('check')).stderr).to.include(`node ${quireCommand} media adopt`)
    const adopted = await run('adopt')
    expect([adopted.code, adopted.stdout]).to.deep.equal([
      0,
      `The files of this database are in ${uploads} now.\n`,
    ])
    expect((await run('check', '--remove')).stdout).to.include(
      'record without a stored file: lost_',
    )
    expect(await run('check')).to.include({ code: 0, stdout: 'The media library is in order.\n' })
    expect((await fetch(`${app.url}${file.url}`)).status).to.equal(200)
  })

  it('reports files in another provider or an unknown one, and removes nothing of them', async () => {
    const { db } = app.quire.services
    const [gridfsFile, localFile] = [
      await upload(app, 'there.txt', 'a'),
      await upload(app, 'away.txt', 'b'),
    ]
    const files = db.collection('upload_files')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(join(app.dataDir, localFile.url), longAgo, longAgo)
    // The check rejects a store without any of its files, so GridFS gets one.
    const name = gridfsFile.url.slice('/uploads/'.length)
    await createGridfsProvider(db).put(name, Readable.from(['a']), { mime: 'text/plain' })
    await files.updateOne({ documentId: gridfsFile.documentId }, { $set: { provider: 'gridfs' } })
    const of = `${localFile.hash}${localFile.ext}, of the file ${localFile.documentId}`
    for (const [provider, found] of [
      ['cloudinary', `provider "cloudinary" is not configured: ${of}`],
      ['gridfs', `stored in local instead of gridfs: ${of}`],
    ] as const) {
      await files.updateOne({ documentId: localFile.documentId }, { $set: { provider } })
      const before = await files.findOne({ documentId: localFile.documentId })
      const result = await run('check', '--remove')
      expect([result.code, result.stdout]).to.deep.equal([
        1,
        `${found}\n1 were found. 0 were removed.\n`,
      ])
      expect(await files.findOne({ documentId: localFile.documentId })).to.deep.equal(before)
      expect(await readFile(join(app.dataDir, localFile.url), 'utf8')).to.equal('b')
    }
    await files.updateMany({ provider: 'gridfs' }, { $set: { provider: 'local' } })
  })

  it('removes the copy that a killed move left behind if the file was replaced meanwhile', async () => {
    const { db } = app.quire.services
    const gridfs = createGridfsProvider(db)
    const file = await upload(app, 'moved.txt', 'former')
    const name = `${file.hash}${file.ext}`
    // Imitates a move that was killed after it copied the content, but before it updated the entry.
    await gridfs.put(name, Readable.from([Buffer.from('former')]), { mime: 'text/plain' })
    const record = { provider: 'gridfs', names: [name], due: new Date() }
    const contents = db.collection<{ _id: string } & typeof record>('_contents')
    await contents.insertOne({ _id: file.hash, ...record })
    await upload(app, 'moved.txt', 'other', `?id=${file.id}`)
    // The record now describes the content that was replaced. When the record is due, a sweep deletes this content and
    // the record.
    expect(await contents.findOne({ _id: file.hash })).to.deep.include({ provider: 'local' })
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await db
      .collection('_media.files')
      .updateOne({ filename: name }, { $set: { uploadDate: longAgo } })
    expect(await run('check', '--remove')).to.include({ code: 0 })
    await rm(join(app.dataDir, 'uploads', name))
    await contents.deleteOne({ _id: file.hash })
    expect((await run('check')).stdout.split('\n')).to.include(
      `stored file without a record: ${name} in gridfs (6 bytes)`,
    )
    expect(await run('check', '--remove')).to.include({ code: 0 })
    expect(await gridfs.stat(name)).to.equal(undefined)
    expect(await run('check')).to.include({ code: 0 })
    const now = await fileOf(app, file)
    expect(await (await fetch(`${app.url}${now.url}`)).text()).to.equal('other')
  })

  it('removes no stored file if the database has no file at all', async () => {
    const files = app.quire.services.db.collection('upload_files')
    const file = await upload(app, 'only.txt', 'content')
    const stored = join(app.dataDir, file.url)
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(stored, longAgo, longAgo)
    const all = await files.find().toArray()
    await files.deleteMany({})
    const result = await run('check', '--remove')
    await files.insertMany(all)
    const name = file.url.slice('/uploads/'.length)
    expect(result.code).to.equal(1)
    expect(result.stdout.split('\n')).to.include(
      `stored file without a record: ${name} in local (7 bytes)`,
    )
    expect(await readFile(stored, 'utf8')).to.equal('content')
  })

  it('keeps stored files whose names Quire would not generate', async () => {
    const logo = join(app.dataDir, 'uploads', 'logo.png')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await writeFile(logo, 'content')
    await utimes(logo, longAgo, longAgo)
    expect(await run('check', '--remove')).to.include({ code: 0 })
    expect(await readFile(logo, 'utf8')).to.equal('content')
    await rm(logo)
  })

  it('removes only variants whose picture no longer exists', async () => {
    const { db } = app.quire.services
    const file = await upload(app, 'drawn.png', picture)
    const variants = db.collection<{ _id: string; of: string; provider: string }>('_variants')
    const missing = 'variant-0123456789abcdef_gone_0123456789.png'
    const intact = `variant-0123456789abcdef_${file.hash}.png`
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    for (const [name, of] of [
      [missing, 'gone_0123456789'],
      [intact, file.hash],
    ] as const) {
      const path = join(app.dataDir, 'uploads', name)
      await writeFile(path, 'content')
      await utimes(path, longAgo, longAgo)
      await variants.insertOne({ _id: name, of, provider: 'local' })
    }
    const found = `stored file without a record: ${missing} in local (7 bytes)`
    expect((await run('check')).stdout)
      .to.include(found)
      .and.not.include(intact)
    const removed = await run('check', '--remove')
    expect([removed.code, removed.stdout]).to.deep.equal([
      0,
      `${found}: removed\n1 were found. 1 were removed.\n`,
    ])
    expect((await variants.find().toArray()).map(({ _id }) => _id)).to.deep.equal([intact])
    expect((await fetch(`${app.url}/uploads/${intact}`)).status).to.equal(200)
    expect((await fetch(`${app.url}/uploads/${missing}`)).status).to.equal(404)
  })

  it('removes a smaller version without a stored file from the entry of its picture', async () => {
    const file = await upload(app, 'lake.png', picture)
    const { thumbnail, small } = file.formats as Record<'thumbnail' | 'small', { url: string }>
    await rm(join(app.dataDir, thumbnail.url))
    const name = thumbnail.url.slice('/uploads/'.length)
    const found = `smaller version without a stored file: ${name}, of the file ${file.documentId}`
    expect(await run('check'))
      .to.include({ code: 1 })
      .and.nested.property('stdout')
      .include(found)
    expect(await fileOf(app, file)).to.deep.equal(file)
    const removed = await run('check', '--remove')
    expect([removed.code, removed.stdout]).to.deep.equal([
      0,
      `${found}: removed\n1 were found. 1 were removed.\n`,
    ])
    // `updatedAt` stays, because no author made this change.
    expect(await fileOf(app, file)).to.deep.equal({ ...file, formats: { small } })
    expect((await fetch(`${app.url}${small.url}`)).status).to.equal(200)
    expect(await run('check')).to.include({ code: 0, stdout: 'The media library is in order.\n' })
  })

  it('removes references to deleted files from entries at any depth, and keeps updatedAt', async () => {
    const { db } = app.quire.services
    const [missing, intact] = [
      await upload(app, 'gone.png', await drawPicture('gone', 4, 4)),
      await upload(app, 'kept.png', await drawPicture('kept', 4, 4)),
    ]
    const answer = await app.request('POST', '/api/articles', {
      token: app.token,
      body: {
        data: {
          ...{ title: 'refers', cover: missing.id, gallery: [missing.id, intact.id] },
          seo: { metaTitle: 'refers', image: missing.id },
          sections: [
            { __component: 'section.hero', picture: missing.id },
            { __component: 'section.hero', picture: intact.id },
          ],
        },
      },
    })
    expect(answer.status, answer.text).to.equal(201)
    const { documentId } = (answer.body as { data: { documentId: string } }).data
    // Imitates a process that was killed after it deleted the file's entry, but before it deleted the references.
    await db.collection('upload_files').deleteOne({ documentId: missing.documentId })
    await rm(join(app.dataDir, missing.url))
    const versions = async () =>
      (
        await Promise.all(
          ['articles', 'articles.draft'].map((name) =>
            db.collection(name).find({ documentId }).toArray(),
          ),
        )
      ).flat()
    const before = await versions()
    expect(before).to.have.length(2)

    const result = await run('check')
    expect(result.code).to.equal(1)
    const found = ['articles', 'articles.draft'].map(
      (name) => `reference to a missing file: ${name} refers to the file ${missing.documentId}`,
    )
    expect([...new Set(result.stdout.split('\n').slice(0, -2))].sort()).to.deep.equal(found)
    expect(await versions()).to.deep.equal(before)

    expect((await run('check', '--remove')).code).to.equal(0)
    const after = await versions()
    expect(JSON.stringify(after)).to.not.include(missing.documentId)
    for (const [at, version] of after.entries()) {
      expect(version['updatedAt']).to.deep.equal(before[at]?.['updatedAt'])
      expect(version).to.have.nested.property('gallery[0].documentId', intact.documentId)
      expect(version).to.have.nested.property('sections[1].picture.documentId', intact.documentId)
    }
    expect(await run('check')).to.include({ code: 0, stdout: 'The media library is in order.\n' })
  })

  it('exits with 2 for an unknown command or provider, and lists the providers', async () => {
    expect(await run('fly')).to.include({ code: 2 })
    const ftp = await run('move', '--to', 'ftp')
    expect(ftp).to.include({ code: 2, stdout: '' })
    expect(ftp.stderr).to.include('Allowed choices are local, gridfs, s3.')
  })
  it('exits with 1 and the reason if S3 fails', async () => {
    const env = {
      MONGODB_URI: await testDatabaseUri(),
      ...{
        UPLOAD_PROVIDER: 's3',
        UPLOAD_S3_BUCKET: 'media',
        UPLOAD_S3_ENDPOINT: 'http://127.0.0.1:1',
      },
      ...{ UPLOAD_S3_ACCESS_KEY_ID: 'none', UPLOAD_S3_SECRET_ACCESS_KEY: 'none' },
    }
    expect(await runQuireInProcess(['media', 'check'], { cwd: folder, env })).to.deep.equal({
      ...{ code: 1, stdout: '' },
      stderr:
        'The file storage (S3) fails (ECONNREFUSED), so files cannot be stored or read: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1\n',
    })
  })
})
