import { MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server'

const maxAttempts = 5

/** Starts a `mongod` like `MongoMemoryServer.create`, again with another port if its port was taken. */
export function startMongod(
  options?: Parameters<typeof MongoMemoryServer.create>[0],
): Promise<MongoMemoryServer> {
  return retryIfPortIsTaken(() => MongoMemoryServer.create(options))
}

/** Starts a replica set like `MongoMemoryReplSet.create`, again with other ports if a port was taken. */
export function startReplicaSet(
  options?: Parameters<typeof MongoMemoryReplSet.create>[0],
): Promise<MongoMemoryReplSet> {
  return retryIfPortIsTaken(() => MongoMemoryReplSet.create(options))
}

/** The package looks for a free port, and any connection can take that port before `mongod` listens. */
async function retryIfPortIsTaken<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await start()
    } catch (error) {
      if (attempt === maxAttempts || !/already in use/.test(String(error))) throw error
    }
}
