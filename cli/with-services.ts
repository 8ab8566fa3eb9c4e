import { createClosing } from '../server/lifecycle/closing.js'
import { openServices, type OpenServices } from '../server/lifecycle/open-services.js'
import { createLiveLevel } from '../server/logging/live-level.js'
import { loadConfig, type Config } from '../server/settings/config.js'
import { createCommandLog } from './with-database.js'

/**
 * Opens everything that a start opens except its port, adopts definitions in SCHEMA_DIR, and closes everything after
 * `work`. There are no other requests, so no read needs a worker thread, which would have a separate heap.
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
