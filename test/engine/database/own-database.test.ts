import { expect } from 'chai'
import type { Document } from 'mongodb'
import { MongoClient } from 'mongodb'
import { ownDatabase } from '../../../engine/database/own-database.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'

describe('ownDatabase', () => {
  it('writes with majority concern on a replica set, whatever the URI says', async () => {
    const uri = new URL(await testDatabaseUri())
    if (isReplicaSet()) uri.searchParams.set('w', '1')
    const client = await MongoClient.connect(uri.href, { monitorCommands: true })
    const commands: Document[] = []
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'findAndModify') commands.push(command)
    })
    try {
      const db = await ownDatabase(client)
      await takeId(db, 'a')
      await db.dropDatabase()
    } finally {
      await client.close()
    }
    const concerns = commands.map(
      (command): unknown => (command['writeConcern'] as Document | undefined)?.['w'],
    )
    // A standalone server gets no write concern: with `majority`, it would wait for its journal.
    expect(concerns).to.deep.equal([isReplicaSet() ? 'majority' : undefined])
  })
})
