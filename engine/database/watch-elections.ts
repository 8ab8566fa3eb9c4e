import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'

/**
 * Calls `elected` when a client hears of another primary of its replica set than the one before, or of another term of
 * the same. Where the former one was cut off and does not know of it, it may go on answering reads to whoever has not
 * heard of the new one, such as another client of this process.
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
