import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEachFile } from './after-each-file.js'
import { keepTime, reportTimes, startTime } from './run-times.js'

/**
 * Hooks of mocha. In a worker of `--parallel` they run around each file. Without workers, they run around all files
 * together.
 */
export const mochaHooks = {
  beforeAll: startTime,
  async afterAll(this: Mocha.Context): Promise<void> {
    for (const release of afterEachFile) await release()
    await keepTime(this.test?.parent?.suites[0]?.file)
  },
}

const memoryFolder = '/dev/shm'
const neededBytes = 2 * 2 ** 30

let folder: string | undefined

/**
 * Creates one folder for all files that the tests of all workers write. The folder is in memory if there is enough
 * space. Databases wait for journal writes, and no test needs its files after the run.
 */
export async function mochaGlobalSetup(): Promise<void> {
  const parent = (await hasRoom(memoryFolder)) ? memoryFolder : tmpdir()
  folder = await mkdtemp(join(parent, 'quire-tests-'))
  process.env['TMPDIR'] = folder
  // Commands store their sessions in this folder.
  process.env['XDG_STATE_HOME'] = join(folder, 'state')
}

export async function mochaGlobalTeardown(): Promise<void> {
  await reportTimes()
  // Retry, because the databases of workers end shortly after the workers.
  const patience = { maxRetries: 20, retryDelay: 250 }
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, ...patience })
}

async function hasRoom(path: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
