import { expect } from 'chai'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { readdir, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDatabaseHost } from '../../../server/database/host.js'
import { impatiently } from '../../support/impatiently.js'
import { sideBySide } from '../../support/side-by-side.js'
import { endless, enginePid, eventually, isAlive, startJournal } from './support.js'

describe('database host', () => {
  const it = sideBySide()

  it('starts no engine if a URI is given', async ({ cleanup }) => {
    const { log } = startJournal()
    const folder = await cleanup.folder()
    const host = await startDatabaseHost({ uri: 'mongodb://db.example/site', dataDir: folder, log })
    expect(host).to.include({ uri: 'mongodb://db.example/site', embedded: false })
    await host.stop()
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('keeps written data across restarts', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    for (const round of [1, 2, 3]) {
      const journal = startJournal()
      const host = await cleanup.host(folder, journal)
      expect(host.embedded).to.equal(true)
      const client = await cleanup.client(host.uri)
      await client.db().collection('rounds').insertOne({ round })
      expect(await client.db().collection('rounds').countDocuments()).to.equal(round)
      expect(journal.find('not stopped cleanly')).to.equal(undefined)
      await cleanup.client(host.uri).then((other) => other.close())
      await client.close()
      await host.stop()
      expect(isAlive(enginePid(journal))).to.equal(false)
    }
  })

  it('creates the socket in a private folder, and removes it when it stops', async ({
    cleanup,
  }) => {
    const host = await cleanup.host(await cleanup.folder())
    const socketPath = decodeURIComponent(host.uri.slice('mongodb://'.length).split('/')[0] ?? '')
    expect(socketPath.length).to.be.lessThan(100)
    expect(statSync(dirname(socketPath)).mode & 0o777).to.equal(0o700)
    await host.stop()
    expect(existsSync(dirname(socketPath))).to.equal(false)
    await host.stop()
  })

  it('rejects a second process on the same folder, and names the process that uses it', async ({
    cleanup,
  }) => {
    const folder = await cleanup.folder()
    const journal = startJournal()
    await cleanup.host(folder, journal)
    const { log } = startJournal()
    const second = await impatiently(() => startDatabaseHost({ dataDir: folder, log })).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(second?.message)
      .to.include(join(folder, 'database'))
      .and.to.include(`in use by another process: ${enginePid(journal)} (${process.execPath} `)
      .and.to.include(`, started by ${process.pid} (`)
      .and.to.match(/ Stop process \d+ first\.$/)
  })

  it('fails with a message that names the damaged files if the engine cannot start', async ({
    cleanup,
  }) => {
    const folder = await cleanup.folder()
    await (await cleanup.host(folder)).stop()
    await truncate(join(folder, 'database', 'WiredTiger.turtle'), 0)
    await truncate(join(folder, 'database', 'WiredTiger.wt'), 0)
    const journal = startJournal()
    const error = await startDatabaseHost({ dataDir: folder, log: journal.log }).then(
      () => undefined,
      (failure: Error) => failure,
    )
    expect(error?.message).to.equal(
      `The embedded database in ${join(folder, 'database')} does not start: its process ended (killed by SIGABRT). ` +
        `Files of the database in ${join(folder, 'database')} are damaged or missing: WiredTiger.wt, WiredTiger.turtle. ` +
        'Stop the service, and restore the folder from a backup.',
    )
    expect(journal.find('did not start')).to.include({ attempt: 4 })
  })

  it('stops cleanly while an endless query runs', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    const host = await cleanup.host(folder)
    const client = await cleanup.client(host.uri)
    const numbers = client.db().collection('numbers')
    await numbers.insertMany(Array.from({ length: 2_000 }, (_, i) => ({ i })))
    const query = numbers.aggregate(endless('numbers')).toArray()
    const failure = query.then(
      () => undefined,
      (error: Error) => error,
    )
    await numbers.findOne()
    await host.stop()
    expect(await failure).to.be.instanceOf(Error)

    const journal = startJournal()
    await cleanup.host(folder, journal)
    expect(journal.find('not stopped cleanly')).to.equal(undefined)
  })

  it('waits until the engine of a killed service has released the folder', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    const service = fork(fileURLToPath(new URL('./fixtures/start-host.js', import.meta.url)), [
      folder,
    ])
    cleanup.add(() => Promise.resolve(service.kill('SIGKILL')))
    const [started] = (await once(service, 'message')) as [{ enginePid: number }]
    process.kill(started.enginePid, 'SIGSTOP')
    service.kill('SIGKILL')
    await once(service, 'exit')
    // Keeps the engine stopped for a second. A new service would wait less if the service that started the engine were
    // alive.
    setTimeout(() => process.kill(started.enginePid, 'SIGCONT'), 1_000)
    const journal = startJournal()
    await impatiently(() => cleanup.host(folder, journal))
    await eventually(() => !isAlive(started.enginePid))
    expect(journal.find('not stopped cleanly')).to.equal(undefined)
  })

  it('stops its engine when the process that started it is killed', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    const service = fork(fileURLToPath(new URL('./fixtures/start-host.js', import.meta.url)), [
      folder,
    ])
    cleanup.add(() => Promise.resolve(service.kill('SIGKILL')))
    const [started] = (await once(service, 'message')) as [{ uri: string; enginePid: number }]
    const client = await cleanup.client(started.uri)
    await client
      .db()
      .collection('kept')
      .insertOne({ _id: 1 as never })
    await client.close()

    service.kill('SIGKILL')
    await eventually(() => !isAlive(started.enginePid))
    const socketPath = decodeURIComponent(
      started.uri.slice('mongodb://'.length).split('/')[0] ?? '',
    )
    expect(existsSync(dirname(socketPath))).to.equal(false)

    const host = await cleanup.host(folder)
    const next = await cleanup.client(host.uri)
    expect(await next.db().collection('kept').countDocuments()).to.equal(1)
  })
})
