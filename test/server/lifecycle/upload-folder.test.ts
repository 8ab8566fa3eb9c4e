import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp, type AppOptions } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('two services with upload folders and one database', () => {
  const apps: TestApp[] = []
  let databaseUri = ''
  beforeEach(async () => {
    databaseUri = await testDatabaseUri()
  })
  afterEach(async () => {
    await apps[0]?.quire.services.db.dropDatabase()
    for (const app of apps.splice(0)) await app.stop()
  })

  const start = async (options: AppOptions = {}) => {
    const { log, lines } = collectLines()
    apps.push(await startApp({ databaseUri, log, ...options }))
    return lines
      .map((line) => JSON.parse(line) as { event?: string; msg: string })
      .filter(({ event }) => event === 'other-upload-folder')
      .map(({ msg }) => msg)
  }
  const refusal = { 'upload.onOtherFolder': 'refuse' } as const

  it('are warned, or refused by upload.onOtherFolder, if each has its own folder', async () => {
    expect(await start()).to.deep.equal([])
    const [warning, ...more] = await start()
    expect(warning).to.include('is not the upload folder of this database')
    expect(more).to.deep.equal([])
    let refused: unknown
    await start({ settings: refusal }).catch((error: unknown) => (refused = error))
    expect(String(refused))
      .to.include('is not the upload folder')
      .and.include('npm run media -- adopt')
    expect(apps).to.have.length(2)
  })

  it('start without a warning if they share the folder', async () => {
    expect(await start()).to.deep.equal([])
    const environment = { DATA_DIR: apps[0]?.dataDir ?? '' }
    expect(await start({ environment, settings: refusal })).to.deep.equal([])
  })

  it('start without a warning if files are in the database', async () => {
    const environment = { UPLOAD_PROVIDER: 'gridfs' }
    for (let turn = 0; turn < 2; turn++)
      expect(await start({ environment, settings: refusal })).to.deep.equal([])
  })

  it('do not serve the marker file of the folder', async () => {
    await start()
    for (const name of ['.quire-uploads', '%2equire-uploads'])
      expect((await fetch(`${apps[0]?.url}/uploads/${name}`)).status).to.equal(404)
  })
})
