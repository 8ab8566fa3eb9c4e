import { expect } from 'chai'
import { testDatabaseUri } from '../support/database.js'
import { runQuire } from '../support/quire-command.js'
import { startApp } from '../support/start-app.js'
import { makeFolder, removeFolder } from '../support/temporary-folder.js'

const schemaOf = (price: string) => ({
  'content-types/stall.json': {
    kind: 'collectionType',
    info: { singularName: 'stall', pluralName: 'stalls', displayName: 'Stall' },
    attributes: { price: { type: price } },
  },
})

describe('quire schema', () => {
  const folders: string[] = []
  after(() => Promise.all(folders.map(removeFolder)))

  it('explains why a start would refuse definitions that stored content does not allow', async () => {
    const databaseUri = await testDatabaseUri()
    const app = await startApp({ databaseUri, schema: schemaOf('string') })
    const write = (price: string | null) =>
      app.request('POST', '/api/stalls', { token: app.token, body: { data: { price } } })
    const { body } = await write('free')
    const folder = await makeFolder(schemaOf('integer'))
    folders.push(folder)
    const schema = () =>
      runQuire(['schema'], { env: { MONGODB_URI: databaseUri, SCHEMA_DIR: folder } })
    try {
      const refused = await schema()
      expect([refused.code, refused.stdout]).to.deep.equal([1, ''])
      expect(refused.stderr).to.include(
        'attributes.price: api::stall.stall cannot change from string to integer: entries of api::stall.stall have a value in "price"',
      )
      const { documentId } = (body as { data: { documentId: string } }).data
      await app.request('DELETE', `/api/stalls/${documentId}`, { token: app.token })
      const taken = await schema()
      expect([taken.code, taken.stderr]).to.deep.equal([0, ''])
      expect(taken.stdout).to.include('are new. The next start makes them the newest')
    } finally {
      await app.stop()
    }
  })
})
