import { maxTimeMS, type LiveCounts } from '../../engine/database/live-counts.js'
import { indexList } from '../../engine/schema/index-list.js'
import type { Services } from '../services.js'

/**
 * Collections with at least this many entries are counted when the service starts, so that the first list need not wait
 * for the count. Counting a million entries takes at least half a second.
 */
const usualLargeFrom = 100_000

type Parts = Readonly<
  Pick<Services, 'db' | 'registry' | 'locales'> & {
    counts: LiveCounts
    /** Whether the totals in the database's metadata are exact. If so, types without locales need not be counted. */
    exactMetadata: boolean
  }
>

/**
 * Counts the entries of large collections one after the other, so that the first request for a total need not count
 * them. Never rejects: if a count fails, a request that needs it counts again.
 */
export async function countAtStart(
  { db, counts, registry, locales, exactMetadata }: Parts,
  stopping: AbortSignal,
  largeFrom = usualLargeFrom,
): Promise<void> {
  const { codes, default: defaultLocale } = locales()
  const byLocale = [...new Set([defaultLocale, ...codes])].map((code) => [code])
  for (const type of registry().contentTypes.values()) {
    if (!type.localized && exactMetadata) continue
    for (const { collection } of indexList(type))
      try {
        const entries = await db.collection(collection).estimatedDocumentCount({ maxTimeMS: 1000 })
        if (entries < largeFrom) continue
        for (const options of type.localized ? byLocale : [null]) {
          if (stopping.aborted) return
          await counts.countOf(collection, options, maxTimeMS)
        }
      } catch {
        // A request that needs the count will count again.
      }
  }
}
