import type { Executor } from '../../engine/read.js'
import type { Settings } from '../settings/settings.js'
import { startIndexer, type Indexer, type IndexerOptions } from './keep-indexed.js'
import { createObservedDemands, notingExecutor } from './observed-demands.js'

type Parts = Pick<IndexerOptions, 'db' | 'log' | 'registry' | 'alone' | 'refusal'> &
  Readonly<{
    /** Executor of reads. */
    executor: Executor
  }>

/**
 * Minimum number of requests of a demand, and minimum time since the first one (in ms), before an index is considered.
 */
const minRequests = 100
const minMs = 2_500

const dayMs = 86_400_000

/** Opens the management of automatic indexes. The returned executor counts reads, and `wrote` counts writes. */
export async function openIndexing(
  settings: Settings,
  { executor, ...parts }: Parts,
): Promise<
  Readonly<{ executor: Executor; indexer: Indexer; wrote: ((uid: string) => void) | undefined }>
> {
  const mode = settings['indexes.auto']
  const demands = createObservedDemands({ now: Date.now, minRequests, minMs })
  const indexer = await startIndexer({
    ...parts,
    mode,
    demands,
    budget: {
      perCollection: settings['indexes.perCollection'],
      bytes: settings['indexes.maxBytes'],
    },
    unusedMs: settings['indexes.unusedDays'] * dayMs,
  })
  if (mode === 'off') return { executor, indexer, wrote: undefined }
  return { executor: notingExecutor(executor, demands), indexer, wrote: demands.wrote }
}
