import { createClosing } from '../server/lifecycle/closing.js'
import { openServices, type OpenServices } from '../server/lifecycle/open-services.js'
import { createLiveLevel } from '../server/logging/live-level.js'
import { loadConfig, type Config } from '../server/settings/config.js'
import { createCommandLog } from './with-database.js'

/**
 * Opens what `quire start` opens, except a port, and closes it after `work`. Adopts the definitions in SCHEMA_DIR.
 * Starts no worker threads, because they need memory, and a command has no concurrent requests.
 */
export async function withServices<T>(
  work: (services: OpenServices) => Promise<T>,
  config: Config = loadConfig(),
): Promise<T> {
  const log = createCommandLog()
  const closing = createClosing(log)
  try {
    const around = { log, level: createLiveLevel(log), report: () => undefined, closing }
    const settings = { ...config.settings, 'pool.costThreshold': Number.MAX_SAFE_INTEGER }
    return await work(await openServices({ ...config, settings }, around))
  } finally {
    await closing.closeAll()
  }
}
