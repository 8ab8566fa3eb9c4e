import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { runService } from '../support/service-process.js'
import { conformanceModel } from '../support/conformance-model.js'
import { testSecrets } from '../support/test-secrets.js'
import { makeFolder, removeFolder } from '../support/temporary-folder.js'
import { engineOf } from './media-engine-site.js'

const rounds = 40
const longestPauseMs = 400

describe(`service killed up to ${longestPauseMs} ms after its engine`, () => {
  let folder: string
  before(async () => (folder = await makeFolder({})))
  after(async () => {
    await killHolder()
    await removeFolder(folder)
  })

  it('starts again without manual repair', async () => {
    const env = { ...testSecrets, DATA_DIR: folder, SCHEMA_DIR: conformanceModel }
    const failures: string[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const service = runService(env, folder)
      const problem = await service.url.then(
        () => undefined,
        (error: Error) => error.message,
      )
      const pause = (round * longestPauseMs) / rounds
      if (problem === undefined) {
        process.kill(await engineOf(service), 'SIGKILL')
        await sleep(pause)
        service.kill('SIGKILL')
      } else {
        failures.push(`start ${round}: ${problem}`)
        await killHolder()
      }
      await service.ended
    }
    process.stdout.write(`      ${rounds} kills, ${failures.length} starts failed\n`)
    expect(failures).to.deep.equal([])
  })

  /** Kills the process that holds the database lock, so that the next test can start even if this one fails. */
  async function killHolder(): Promise<void> {
    const lock = await readFile(join(folder, 'database', 'mongod.lock'), 'utf8').catch(() => '')
    if (lock.trim() === '') return
    try {
      process.kill(Number(lock), 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
})
