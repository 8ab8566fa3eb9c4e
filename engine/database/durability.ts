import type { Db, Document, WriteConcernOptions } from 'mongodb'
import { connectionsLost } from './client.js'
import { InterruptedWrite } from '../errors/database-errors.js'

export type Topology = 'standalone' | 'replica-set' | 'sharded'

/** Wire version of MongoDB 4.2, the first with transactions on both replica sets and sharded clusters. */
const wireOfTransactions = 8

/** Wire version of MongoDB 5.0, the first where several reads outside of a transaction can share a snapshot. */
const wireOfSnapshots = 13

/**
 * Write concern: waits for the journal of a single server, or of the majority of a replica set (docs/storage.md, "The
 * rules of writing").
 */
export const durable = { writeConcern: { w: 'majority', journal: true } } as const

type Known = Readonly<{ topology: Topology; maxWireVersion: number }>

const topologies = new WeakMap<Db, Promise<Known>>()
const timeoutMs = 10_000

/**
 * Maximum time in milliseconds that one try of a commit waits for the majority. Then it is retried, so that the commit
 * ends within the time of its write. A response may take two heartbeats.
 */
const commitMs = 5_000

/**
 * Returns the write concern of a commit that has `leftMs` milliseconds left: it waits for the journals of the majority.
 */
export function commitConcern(leftMs: number): WriteConcernOptions {
  const wtimeoutMS = Math.max(1, Math.min(commitMs, Math.ceil(leftMs)))
  return { writeConcern: { w: 'majority', j: true, wtimeoutMS } }
}

/**
 * Returns the write concern of a step of a request. Only the last step waits for the journal, because the log is
 * sequential. Replica sets wait for the majority; in a sharded cluster, every step waits for both the majority and the
 * journal (docs/storage.md, "Rule 9: the last step waits for the disk").
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
 * Whether writes that share a transaction cost the database no more than separate ones: this holds if all data is on
 * one replica set.
 */
export async function hasSharedTransactions(db: Db): Promise<boolean> {
  const { topology, maxWireVersion } = await serverOf(db)
  return topology === 'replica-set' && maxWireVersion >= wireOfTransactions
}

/** Whether several reads can share a snapshot. */
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

/** The run of the database process in which a write began. */
export type Run = Readonly<{
  /** Whether the same process is still running, so that no step is lost. */
  isSame: () => boolean
  /** @throws InterruptedWrite if that process has ended */
  check: () => void
}>

/**
 * Only the last step of a write waits for the journal, because the log is sequential (docs/storage.md, "Rule 9: the
 * last step waits for the disk"). That is safe as long as the same database process runs. If it dies between two steps
 * and restarts before the next, the first step may be lost and the last acknowledged. Call this before the first step,
 * and `check` after the last one.
 */
export async function beginRun(db: Db): Promise<Run> {
  // Other topologies only acknowledge a step that a restart cannot lose.
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
