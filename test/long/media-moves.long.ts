import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { drawPicture } from '../support/draw-picture.js'
import { createProviders } from '../../server/upload/providers/create-providers.js'
import { s3OptionsOf } from '../../server/upload/providers/s3-options.js'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { namesOf, type StoredFile } from '../../server/upload/store-content.js'
import { openPendingContents } from '../../server/upload/pending-contents.js'
import { testDatabaseUri } from '../support/database.js'
import { s3Credentials } from '../support/s3-server.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { openS3Store } from './media-stores.js'
import { quireCommand } from '../support/quire-command.js'

type File = StoredFile & Readonly<{ id: number; url: string }>

const execute = promisify(execFile)
const count = 30
/** Numbers of moved files after which the command is killed. */
const killedAt = [7, 19] as const

describe('quire media move, killed twice and repeated', () => {
  let folder: string
  let env: Readonly<Record<string, string>>
  let app: TestApp
  const contents = new Map<number, Buffer>()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-moves-'))
    const databaseUri = await testDatabaseUri()
    const s3 = await openS3Store()
    const environment = { ...s3?.env, UPLOAD_PROVIDER: 'local' }
    app = await startApp({ databaseUri, environment })
    env = { ...process.env, ...environment, MONGODB_URI: databaseUri, DATA_DIR: app.dataDir }
  })
  after(async () => {
    await app.quire.services.db.dropDatabase()
    await app.stop()
    await rm(folder, { recursive: true })
  })

  const entries = () => app.quire.services.db.collection<StoredFile>('upload_files')
  const upload = async (name: string, content: Buffer) => {
    const body = new FormData()
    body.append('files', new Blob([content]), name)
    const answer = await app.request('POST', '/api/upload', { token: app.token, body })
    expect(answer.status, answer.text).to.equal(201)
    const [{ id }] = answer.body as [File]
    contents.set(id, content)
  }
  const expectServed = async () => {
    const { body } = await app.request('GET', '/api/upload/files', { token: app.token })
    const files = body as readonly File[]
    expect(files).to.have.length(count)
    for (const { id, url, formats } of files) {
      for (const version of Object.values(formats ?? {})) {
        const served = await fetch(`${app.url}${version.url}`)
        expect(served.status, version.url).to.equal(200)
        expect((await served.arrayBuffer()).byteLength).to.equal(version.sizeInBytes)
      }
      const served = await fetch(`${app.url}${url}`)
      expect(served.status, url).to.equal(200)
      // The service encodes uploaded pictures again, so their bytes differ.
      const bytes = Buffer.from(await served.arrayBuffer())
      if (formats === null) expect(bytes.equals(contents.get(id) ?? Buffer.of())).to.equal(true)
    }
  }
  const killWhile = async (to: string, moved: number) => {
    const child = spawn(process.execPath, [quireCommand, 'media', 'move', '--to', to], {
      ...{ cwd: folder, env },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    while (child.exitCode === null && (await entries().countDocuments({ provider: to })) < moved)
      await sleep(2)
    child.kill('SIGKILL')
    await ended
    expect(child.signalCode).to.equal('SIGKILL')
    const movedCount = await entries().countDocuments({ provider: to })
    expect(movedCount).to.be.within(moved, count - 1)
  }

  it('serves every file after each kill, and leaves no remains at the end', async () => {
    for (let at = 0; at < count; at += 1)
      if (at % 10 === 0) await upload(`${at}.png`, await drawPicture(`${at}`, 320, 200))
      else await upload(`${at}.txt`, Buffer.from(`${at} `.repeat(at % 10 === 1 ? 300_000 : 100)))

    const { services } = app.quire
    const providers = createProviders({
      ...{ chosen: 'local', db: services.db, directory: join(app.dataDir, 'uploads') },
      s3: s3OptionsOf(
        services.settings,
        env['UPLOAD_S3_BUCKET'] === undefined ? undefined : s3Credentials,
      ),
    })
    const listed = async ({ list }: StorageProvider) => {
      const names = []
      for await (const { name } of list()) names.push(name)
      return names.sort()
    }
    const targets = ['gridfs', ...(providers.byName('s3') === undefined ? [] : ['s3']), 'local']
    for (const to of targets) {
      for (const moved of killedAt) {
        await killWhile(to, moved)
        await expectServed()
      }
      const { stdout } = await execute(
        process.execPath,
        [quireCommand, 'media', 'move', '--to', to],
        {
          ...{ cwd: folder, env },
        },
      )
      expect(stdout).to.match(new RegExp(`^\\d+ files were moved to ${to}\\.\n$`))
      await expectServed()

      // Makes deletions due now instead of in an hour.
      await services.db.collection('_contents').updateMany({}, { $set: { due: new Date(0) } })
      await openPendingContents(services, { providers, singleProcess: false }).sweep()
      for (const provider of providers.all) await provider.removeUnfinished(0)
      await expectServed()
      const named = (await entries().find().toArray()).flatMap((file) => namesOf(file).names)
      for (const provider of providers.all)
        expect(await listed(provider), provider.name).to.deep.equal(
          provider.name === to ? named.sort() : [],
        )
      expect(await services.db.collection('_contents').countDocuments()).to.equal(0)
      const check = await execute(process.execPath, [quireCommand, 'media', 'check'], {
        cwd: folder,
        env,
      })
      expect(check.stdout).to.equal('The media library is in order.\n')
    }
    for (const { close } of providers.all) await close?.()
  })
})
