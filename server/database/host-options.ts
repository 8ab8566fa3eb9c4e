import type { Settings } from '../settings/settings.js'
import type { DatabaseHostOptions } from './host.js'

/** Returns the options for the configured database, for the service and all commands. */
export function hostOptions({
  mongodbUri,
  dataDir,
  settings,
}: Readonly<{ mongodbUri?: string | undefined; dataDir: string; settings: Settings }>): Omit<
  DatabaseHostOptions,
  'log'
> {
  return {
    uri: mongodbUri,
    dataDir,
    mongod: settings['database.mongod'],
    download: settings['database.download'],
    downloadMirror: settings['database.downloadMirror'],
    memory: {
      cacheSize: settings['database.cacheSize'],
      // The limit applies to each query, and several may sort at the same time.
      sortMemory: Math.max(16 * 1024 * 1024, settings['database.cacheSize'] / 8),
    },
  }
}
