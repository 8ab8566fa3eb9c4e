import type { Settings } from '../settings/settings.js'
import type { DatabaseHostOptions } from './host.js'

/** Returns the options of the configured database, for the service and the commands. */
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
      // Several queries may sort at the same time, so each gets only a part.
      sortMemory: Math.max(16 * 1024 * 1024, settings['database.cacheSize'] / 8),
    },
  }
}
