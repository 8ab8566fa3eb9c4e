import type { Executor } from '../../engine/read.js'
import type { Settings } from '../settings/settings.js'
import { startIndexer, type Indexer, type IndexerOptions } from './keep-indexed.js'
import { createObservedDemands, countingExecutor } from './observed-demands.js'

type Parts = Pick<IndexerOptions, 'db' | 'log' | 'registry' | 'singleProcess' | 'refusal'> &
  Readonly<{
    /** Executor whose reads are counted. */
    executor: Executor
  }>

const minRequests = 100
const minMs = 2_500

const dayMs = 86_400_000

/**
 * Starts to manage automatic indexes. Use the returned executor, which counts reads, and call `wrote` for each write.
 */
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
  return { executor: countingExecutor(executor, demands), indexer, wrote: demands.wrote }
}
