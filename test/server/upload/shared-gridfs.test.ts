import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'

describe('two services with files in the GridFS of one database', () => {
  it('serve and delete the files of each other, with different DATA_DIRs', async () => {
    const databaseUri = await testDatabaseUri()
    const environment = { UPLOAD_PROVIDER: 'gridfs' }
    const one = await startApp({ databaseUri, environment })
    const other = await startApp({ databaseUri, environment })
    try {
      expect(one.dataDir).to.not.equal(other.dataDir)
      const body = new FormData()
      body.append('files', new Blob(['shared']), 'shared.txt')
      const answer = await one.request('POST', '/api/upload', { token: one.token, body })
      expect(answer.status, answer.text).to.equal(201)
      const [file] = answer.body as readonly [{ id: number; url: string }]
      for (const app of [one, other])
        expect(await (await fetch(`${app.url}${file.url}`)).text()).to.equal('shared')
      const path = `/api/upload/files/${file.id}`
      expect((await other.request('DELETE', path, { token: one.token })).status).to.equal(200)
      for (const app of [one, other])
        expect((await fetch(`${app.url}${file.url}`)).status).to.equal(404)
    } finally {
      await one.quire.services.db.dropDatabase()
      await one.stop()
      await other.stop()
    }
  })
})
