import { existsSync } from 'node:fs'
import { tooFewDescriptors } from '../../server/database/descriptors.js'
import { tryDataFolder } from '../../server/database/try-data-folder.js'
import { tryListen } from '../../server/http/connections/listen.js'
import type { Config } from '../../server/settings/config.js'
import { isQuire } from '../is-quire.js'
import { ok, problem, warning, type Found } from './finding.js'

/** Checks whether a start can create `DATA_DIR` and write to it, and leaves no traces. */
export async function checkDataFolder({ dataDir }: Config): Promise<Found> {
  const isThere = existsSync(dataDir)
  await tryDataFolder(dataDir)
  return ok(isThere ? dataDir : `${dataDir}, which the first start creates`)
}

/** Checks whether the port is free, and whether enough files can be opened. */
export async function checkPort({ port, host }: Config): Promise<Found> {
  const refusal = tooFewDescriptors()
  if (refusal !== undefined) return problem(refusal)
  try {
    await tryListen({ port, host })
    return ok(`${port} on ${host} is free.`)
  } catch (error) {
    if (await isQuire(port)) return warning(`A service already runs on port ${port}.`)
    throw error
  }
}
