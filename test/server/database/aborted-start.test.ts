import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openEngineServer } from '../../../server/database/embedded/engine-server.js'
import { loadEngine } from '../../../server/database/embedded/native-engine.js'
import { Cleanup } from './cleanup.js'

describe('aborted start of the engine', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('leaves the folder closed, and the next start recovers it', async () => {
    const folder = await cleanup.folder()
    const options = {
      engine: await loadEngine(folder),
      directory: join(folder, 'database'),
      listen: { path: join(folder, 'db.sock') },
    }
    await (await openEngineServer(options)).close()
    await writeFile(join(options.directory, 'quire-running'), '')
    const failure = await openEngineServer({ ...options, signal: AbortSignal.abort() }).catch(
      (error: Error) => error.name,
    )
    expect(failure).to.equal('AbortError')
    expect(existsSync(options.listen.path)).to.equal(false)
    const next = await openEngineServer(options)
    cleanup.add(() => next.close())
    expect(next.recovery).to.not.equal(null)
  })
})
