import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Executor } from '../../engine/read.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { RoomWatch } from '../database/room-watch.js'
import type { Indexer } from '../indexes/keep-indexed.js'
import { keepIndexed } from '../indexes/keep-indexed.js'
import { createNotedDemands, notingExecutor } from '../indexes/noted-demands.js'
import type { Config } from '../settings/config.js'
import type { Closing } from './closing.js'

type Parts = Readonly<{
  db: Db
  registry: () => Registry
  alone: boolean
  refusal: RoomWatch['refusal'] | undefined
  /** What runs reads. */
  executor: Executor
}>

/** How often something is asked, and for how long, until an index is thought of. */
const minRequests = 100
const minMs = 10_000

const dayMs = 86_400_000

/** What makes indexes by what is asked: the executor notes it, and `wrote` what is written. */
export async function openIndexing(
  { settings }: Config,
  { executor, ...parts }: Parts,
  { log, closing }: Readonly<{ log: Logger; closing: Closing }>,
): Promise<
  Readonly<{ executor: Executor; indexer: Indexer; wrote: ((uid: string) => void) | undefined }>
> {
  const mode = settings['indexes.auto']
  const demands = createNotedDemands({ now: Date.now, minRequests, minMs })
  const indexer = await keepIndexed({
    ...parts,
    log,
    mode,
    demands,
    budget: {
      perCollection: settings['indexes.perCollection'],
      bytes: settings['indexes.maxBytes'],
    },
    unusedMs: settings['indexes.unusedDays'] * dayMs,
  })
  closing.add('The indexes', indexer.stop)
  if (mode === 'off') return { executor, indexer, wrote: undefined }
  return { executor: notingExecutor(executor, demands), indexer, wrote: demands.wrote }
}
