import type { Db, Document, WriteConcernOptions } from 'mongodb'
import { connectionsLost } from './client.js'
import { InterruptedWrite } from '../errors/database-errors.js'

export type Topology = 'standalone' | 'replica-set' | 'sharded'

/** Wire version of MongoDB 4.2, the first version with transactions on both replica sets and sharded clusters. */
const wireOfTransactions = 8

/** Wire version of MongoDB 5.0, the first version where reads outside of a transaction can share a snapshot. */
const wireOfSnapshots = 13

/**
 * Write concern that waits for the journal of a single server, or of a majority (docs/internals/storage.md, "The rules
 * of writing").
 */
export const durable = { writeConcern: { w: 'majority', journal: true } } as const

type Known = Readonly<{ topology: Topology; maxWireVersion: number }>

const topologies = new WeakMap<Db, Promise<Known>>()
const timeoutMs = 10_000

/** Maximum milliseconds that one attempt to commit waits for the majority, which may take two heartbeats to respond. */
const commitMs = 5_000

/**
 * Returns the write concern of a commit. It waits for the journals of the majority for at most `leftMs` milliseconds.
 */
export function commitConcern(leftMs: number): WriteConcernOptions {
  const wtimeoutMS = Math.max(1, Math.min(commitMs, Math.ceil(leftMs)))
  return { writeConcern: { w: 'majority', j: true, wtimeoutMS } }
}

/**
 * Returns the write concern of one step of a write request. On a single server, only the last step waits for the
 * journal, because the journal is sequential (docs/internals/storage.md, "Rule 9: the last step waits for the disk").
 */
export async function writeConcern(db: Db, isLast: boolean): Promise<WriteConcernOptions> {
  const { topology } = await serverOf(db)
  if (topology === 'standalone') return { writeConcern: isLast ? { w: 1, j: true } : { w: 1 } }
  const journal = isLast || topology === 'sharded'
  return { writeConcern: { w: 'majority', wtimeoutMS: timeoutMs, ...(journal ? { j: true } : {}) } }
}

/** Whether the database supports transactions. */
export async function hasTransactions(db: Db): Promise<boolean> {
  const { topology, maxWireVersion } = await serverOf(db)
  return topology !== 'standalone' && maxWireVersion >= wireOfTransactions
}

/**
 * Whether writes in one transaction cost no more than separate writes. This is only so if all data is on one replica
 * set.
 */
export async function hasSharedTransactions(db: Db): Promise<boolean> {
  const { topology, maxWireVersion } = await serverOf(db)
  return topology === 'replica-set' && maxWireVersion >= wireOfTransactions
}

/** Whether several reads outside of a transaction can share a snapshot. */
export async function hasSnapshots(db: Db): Promise<boolean> {
  const { topology, maxWireVersion } = await serverOf(db)
  return topology !== 'standalone' && maxWireVersion >= wireOfSnapshots
}

export async function topologyOf(db: Db): Promise<Topology> {
  return (await serverOf(db)).topology
}

function serverOf(db: Db): Promise<Known> {
  const known = topologies.get(db) ?? findTopology(db)
  topologies.set(db, known)
  return known
}

async function findTopology(db: Db): Promise<Known> {
  try {
    const hello = await db.command({ hello: 1 })
    return { topology: topologyIn(hello), maxWireVersion: Number(hello['maxWireVersion']) }
  } catch (error) {
    topologies.delete(db)
    throw error
  }
}

function topologyIn(hello: Document): Topology {
  if (hello['msg'] === 'isdbgrid') return 'sharded'
  return typeof hello['setName'] === 'string' ? 'replica-set' : 'standalone'
}

/** Checks that the database process has not ended since a write began. */
export type Run = Readonly<{
  isSame: () => boolean
  /** @throws InterruptedWrite if the database process has ended since the write began */
  check: () => void
}>

/**
 * Watches whether the database process ends between the steps of a write. A restarted database may have lost the first
 * step although it acknowledges the last (docs/internals/storage.md, "Rule 9: the last step waits for the disk"). Call
 * this function before the first step, and `check` after the last one.
 */
export async function beginRun(db: Db): Promise<Run> {
  // Replica sets and sharded clusters need no check: they do not acknowledge a step as long as a restart could lose it.
  if ((await topologyOf(db)) !== 'standalone') return { isSame: () => true, check: () => undefined }
  const before = connectionsLost(db.client)
  const isSame = (): boolean => connectionsLost(db.client) === before
  return {
    isSame,
    check: () => {
      if (!isSame()) throw new InterruptedWrite()
    },
  }
}
