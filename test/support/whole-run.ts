import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEachFile } from './after-each-file.js'
import { keepTime, reportTimes, startTime } from './run-times.js'

/**
 * A worker of `--parallel` calls these hooks before and after each file. Mocha itself calls them once, before and after
 * all files.
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
 * Creates the temporary folder of the test run. It is in memory if possible, because databases wait for journal writes.
 */
export async function mochaGlobalSetup(): Promise<void> {
  const parent = (await hasRoom(memoryFolder)) ? memoryFolder : tmpdir()
  folder = await mkdtemp(join(parent, 'quire-tests-'))
  process.env['TMPDIR'] = folder
  // Commands store the sessions of admins in this folder.
  process.env['XDG_STATE_HOME'] = join(folder, 'state')
}

export async function mochaGlobalTeardown(): Promise<void> {
  await reportTimes()
  // Retries, because databases may still write for a short time after the worker that started them has ended.
  const retries = { maxRetries: 20, retryDelay: 250 }
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, ...retries })
}

async function hasRoom(path: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
