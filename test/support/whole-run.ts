import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mochaHooks, reportTimes } from './run-times.js'

export { mochaHooks }

let folder: string | undefined

/** Whatever tests write for a while lies below one folder, workers' included, and goes with it. */
export async function mochaGlobalSetup(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'quire-tests-'))
  process.env['TMPDIR'] = folder
}

export async function mochaGlobalTeardown(): Promise<void> {
  await reportTimes()
  // Databases of workers end a moment after them.
  const patience = { maxRetries: 20, retryDelay: 250 }
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, ...patience })
}
