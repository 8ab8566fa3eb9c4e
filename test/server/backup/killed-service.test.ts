import { join } from 'node:path'
import { expect } from 'chai'
import { sender } from '../../support/request.js'
import { runService } from '../../support/service-process.js'
import { testSecrets } from '../../support/test-secrets.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { eventually, isAlive } from '../database/support.js'
import { exporterOf, exportersOf, foldersOf, goOn, noteSchema, pause } from './many-notes.js'

const admin = { email: 'ada@example.org', password: 'Correct-Horse-9' }

describe('service killed during an export', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  it('ends its export process, and its next start removes the files of that export', async () => {
    const folder = await makeFolder({
      'schema/content-types/note.json': JSON.stringify(noteSchema['content-types/note.json']),
    })
    const dataDir = join(folder, 'data')
    const start = () =>
      runService(
        {
          ...testSecrets,
          ...{ DATA_DIR: dataDir, SCHEMA_DIR: join(folder, 'schema') },
          ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
        },
        folder,
      )
    const first = start()
    const url = await first.url
    const login = await sender(url)('POST', '/admin/login', { body: admin })
    const { token } = (login.body as { data: { token: string } }).data
    const answering = sender(url)('GET', '/admin/export', { token }).catch(
      (error: unknown) => error,
    )
    const exporter = await exporterOf(first.pid)
    pause(exporter)
    first.kill('SIGKILL')
    await first.ended
    expect(await answering).to.be.instanceOf(Error)
    expect(await foldersOf(dataDir)).to.have.length(1)
    goOn(exporter)
    await eventually(() => Promise.resolve(!isAlive(exporter.pid)))

    const second = start()
    await second.url
    expect(await foldersOf(dataDir)).to.deep.equal([])
    expect(await exportersOf(second.pid)).to.deep.equal([])
    second.kill('SIGTERM')
    expect((await second.ended).code).to.equal(0)
  })
})
