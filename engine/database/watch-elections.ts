import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'

/**
 * Calls `elected` when a client learns of another primary of its replica set, or of another term of the same one. A
 * previous primary that is cut off may not know of the election. It may go on answering reads of clients that have not
 * learned of the new one either, such as another client of this process.
 */
export function watchElections(client: MongoClient, elected: () => void): void {
  let known: string | undefined
  client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const servers = [...newDescription.servers.values()]
    const primary = servers.find(({ type }) => type === 'RSPrimary')
    if (primary === undefined) return
    const term = `${primary.address} ${primary.electionId?.toHexString()}`
    if (known !== undefined && known !== term) elected()
    known = term
  })
}
