import { expect } from 'chai'
import { join } from 'node:path'
import { openEngineServer } from '../../../server/database/embedded/engine-server.js'
import { loadEngine } from '../../../server/database/embedded/native-engine.js'
import { Cleanup } from './cleanup.js'
import { eventually } from './support.js'

describe('idle cursors', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('are closed after the timeout, unlike cursors in use', async () => {
    const folder = await cleanup.folder()
    const path = join(folder, 'db.sock')
    const server = await openEngineServer({
      engine: await loadEngine(folder),
      directory: join(folder, 'database'),
      listen: { path },
      cursorIdleMs: 2_500,
    })
    cleanup.add(() => server.close())
    const client = await cleanup.client(`mongodb://${encodeURIComponent(path)}/`)
    const numbers = client.db().collection('numbers')
    await numbers.insertMany(Array.from({ length: 1_000 }, (_, i) => ({ i })))

    const idle = numbers.find({}, { batchSize: 2 })
    const used = numbers.find({}, { batchSize: 2 })
    cleanup.add(() => idle.close())
    cleanup.add(() => used.close())
    await idle.next()

    const openCursors = async () => {
      await used.next()
      const { metrics } = (await client.db().command({ serverStatus: 1 })) as ServerStatus
      return metrics.cursor.open.total
    }
    await eventually(async () => (await openCursors()) === 2)
    await eventually(async () => (await openCursors()) === 1)
    await used.next()
    const error = await drain(idle).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 43, codeName: 'CursorNotFound' })
  })
})

type ServerStatus = { metrics: { cursor: { open: { total: number } } } }

async function drain(cursor: AsyncIterable<unknown>): Promise<void> {
  for await (const document of cursor) void document
}
