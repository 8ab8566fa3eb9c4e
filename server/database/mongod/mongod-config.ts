import type { EngineMemory } from '../embedded/engine-messages.js'
import type { MongodFiles } from './mongod-files.js'

/** Name of the replica set, which has one member. */
export const setName = 'quire'

/** The server listens only here, so that no other machine can reach it. */
export const listenAddress = '127.0.0.1'

export type MongodConfigOptions = Readonly<{
  files: MongodFiles
  port: number
  memory?: EngineMemory | undefined
}>

const bytesOfGb = 2 ** 30
/** Minimum cache size in bytes. MongoDB accepts no lower `cacheSizeGB`. */
const leastCache = bytesOfGb / 4

/**
 * Returns a configuration file as JSON, which is also valid YAML. The server is the only member of a replica set, and
 * requires a password from the first start on.
 */
export function mongodConfig({ files, port, memory = {} }: MongodConfigOptions): string {
  const config = {
    net: { bindIp: listenAddress, port, unixDomainSocket: { enabled: false } },
    // Change streams and transactions need a replica set. By default, its oplog would take a twentieth of the disk.
    replication: { replSetName: setName, oplogSizeMB: 256 },
    security: { authorization: 'enabled', keyFile: files.keyFile, javascriptEnabled: false },
    storage: { dbPath: files.directory, wiredTiger: cacheOf(memory) },
    systemLog: {
      destination: 'file',
      path: files.log,
      logAppend: true,
      quiet: true,
      // When Quire has renamed the log file, the server opens a new one.
      logRotate: 'reopen',
    },
    // Slow commands in the log would contain content and password hashes.
    operationProfiling: { mode: 'off', slowOpSampleRate: 0 },
    setParameter: {
      authenticationMechanisms: 'SCRAM-SHA-256',
      diagnosticDataCollectionEnabled: false,
      // With this bypass, anyone on this machine could connect before Quire, without a password, and create an
      // administrator.
      enableLocalhostAuthBypass: false,
      // By default the server waits for another member to become primary, but there is none.
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
