import { startMongod, startReplicaSet } from './start-mongod.js'

export type DatabaseServer = Readonly<{
  uriOf: (database: string) => string
  stop: () => Promise<unknown>
}>

/**
 * Starts a replica set if `TEST_REPLICA_SET` is `true`, otherwise the `mongod` in `MONGOMS_SYSTEM_BINARY`, or the
 * embedded engine by default.
 */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  if (isReplicaSet()) {
    const set = await startReplicaSet({ replSet: { count: 1 } })
    return { uriOf: (database) => set.getUri(database), stop: () => set.stop() }
  }
  const singleProcess = await startMongod()
  const { port } = singleProcess.instanceInfo ?? { port: 0 }
  return {
    uriOf: (database) => `mongodb://127.0.0.1:${port}/${database}`,
    stop: () => singleProcess.stop(),
  }
}

export const isReplicaSet = (): boolean => process.env['TEST_REPLICA_SET'] === 'true'
