import type { Db, WriteConcernOptions } from 'mongodb'

type Topology = 'standalone' | 'replica-set' | 'sharded'

const topologies = new WeakMap<Db, Promise<Topology>>()
const timeoutMs = 10_000

/**
 * How a write of a request waits: only the last one for the journal, because the log is sequential; on
 * replica sets for the majority, and in a sharded cluster every one (docs/storage.md, "Rule 9: the last step
 * waits for the disk").
 */
export async function writeConcern(db: Db, isLast: boolean): Promise<WriteConcernOptions> {
  const topology = await topologyOf(db)
  if (topology === 'standalone') return { writeConcern: isLast ? { w: 1, j: true } : { w: 1 } }
  const journal = isLast || topology === 'sharded'
  return { writeConcern: { w: 'majority', wtimeoutMS: timeoutMs, ...(journal ? { j: true } : {}) } }
}

export function topologyOf(db: Db): Promise<Topology> {
  const known = topologies.get(db) ?? findTopology(db)
  topologies.set(db, known)
  return known
}

async function findTopology(db: Db): Promise<Topology> {
  try {
    const hello = await db.command({ hello: 1 })
    if (hello['msg'] === 'isdbgrid') return 'sharded'
    return typeof hello['setName'] === 'string' ? 'replica-set' : 'standalone'
  } catch (error) {
    topologies.delete(db)
    throw error
  }
}
