import type { EngineMemory } from '../embedded/engine-messages.js'
import type { MongodFiles } from './mongod-files.js'

/** The replica set, of one member. */
export const setName = 'quire'

/** Where it listens, for nobody outside of this machine. */
export const listenAddress = '127.0.0.1'

export type MongodConfigOptions = Readonly<{
  files: MongodFiles
  port: number
  memory?: EngineMemory | undefined
}>

const bytesOfGb = 2 ** 30
/** The least that `cacheSizeGB` takes, in bytes. */
const leastCache = bytesOfGb / 4

/**
 * The configuration file of a looked-after server, as YAML, of which JSON is a part: one member of a replica set,
 * for who has a password alone, from the first start on.
 */
export function mongodConfig({ files, port, memory = {} }: MongodConfigOptions): string {
  const config = {
    net: { bindIp: listenAddress, port, unixDomainSocket: { enabled: false } },
    // By default a twentieth of the disk. What is in it serves change streams and transactions.
    replication: { replSetName: setName, oplogSizeMB: 256 },
    security: { authorization: 'enabled', keyFile: files.keyFile, javascriptEnabled: false },
    storage: { dbPath: files.directory, wiredTiger: cacheOf(memory) },
    systemLog: {
      destination: 'file',
      path: files.log,
      logAppend: true,
      quiet: true,
      // Quire moves the file away, and the server opens another.
      logRotate: 'reopen',
    },
    // A line of a slow command holds what the command holds: content, hashes of passwords.
    operationProfiling: { mode: 'off', slowOpSampleRate: 0 },
    setParameter: {
      authenticationMechanisms: 'SCRAM-SHA-256',
      diagnosticDataCollectionEnabled: false,
      // Otherwise whoever is first on this machine may make himself an admin.
      enableLocalhostAuthBypass: false,
      // There is no other member that could take over while this one waits.
      shutdownTimeoutMillisForSignaledShutdown: 0,
      internalQueryMaxBlockingSortMemoryUsageBytes: memory.sortMemory,
    },
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

function cacheOf({ cacheSize }: EngineMemory): object | undefined {
  if (cacheSize === undefined) return undefined
  if (cacheSize < leastCache) return { engineConfig: { configString: `cache_size=${cacheSize}` } }
  return { engineConfig: { cacheSizeGB: cacheSize / bytesOfGb } }
}
