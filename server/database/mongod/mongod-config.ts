import type { EngineMemory } from '../embedded/engine-messages.js'
import type { MongodFiles } from './mongod-files.js'

/** Name of the replica set, which has one member. */
export const setName = 'quire'

/** The address to listen on, reachable only from this machine. */
export const listenAddress = '127.0.0.1'

export type MongodConfigOptions = Readonly<{
  files: MongodFiles
  port: number
  memory?: EngineMemory | undefined
}>

const bytesOfGb = 2 ** 30
/** Least value of `cacheSizeGB`, in bytes. */
const leastCache = bytesOfGb / 4

/**
 * Returns the configuration file of a managed server, as JSON, which is valid YAML. The server is the only member of a
 * replica set and requires a password from the first start on.
 */
export function mongodConfig({ files, port, memory = {} }: MongodConfigOptions): string {
  const config = {
    net: { bindIp: listenAddress, port, unixDomainSocket: { enabled: false } },
    // The oplog serves change streams and transactions. By default it takes a twentieth of the disk.
    replication: { replSetName: setName, oplogSizeMB: 256 },
    security: { authorization: 'enabled', keyFile: files.keyFile, javascriptEnabled: false },
    storage: { dbPath: files.directory, wiredTiger: cacheOf(memory) },
    systemLog: {
      destination: 'file',
      path: files.log,
      logAppend: true,
      quiet: true,
      // Quire renames the file, and the server opens a new one.
      logRotate: 'reopen',
    },
    // The log line of a slow command would contain the command, with its content and password hashes.
    operationProfiling: { mode: 'off', slowOpSampleRate: 0 },
    setParameter: {
      authenticationMechanisms: 'SCRAM-SHA-256',
      diagnosticDataCollectionEnabled: false,
      // Otherwise the first user of this machine to connect could create an admin.
      enableLocalhostAuthBypass: false,
      // Do not wait for another member to take over, because there is none.
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
