import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'

/** What takes both reads and writes. */
const serving: ReadonlySet<string> = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer'])

const unserved = new WeakSet<MongoClient>()

/** Keeps for `isServed` what a client hears of its servers. */
export function watchServers(client: MongoClient): void {
  client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const servers = [...newDescription.servers.values()]
    if (servers.some(({ type }) => serving.has(type))) unserved.delete(client)
    else unserved.add(client)
  })
}

/**
 * Whether a client knows a server that takes reads and writes, of a replica set its primary. What is asked of it
 * otherwise waits for one. Also true before its first command.
 */
export function isServed(client: MongoClient): boolean {
  return !unserved.has(client)
}
