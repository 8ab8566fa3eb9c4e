import type { ShownDocuments } from '../execute/executor.js'
import type { ReadResult } from '../compile/read-result.js'
import { documentIdOf } from '../stored/stored-fields.js'

/**
 * Returns the documents that were read for a response. `documentIds` is undefined if there are more of them than
 * `upTo`.
 */
export function shownDocuments(
  { documents, batches }: ReadResult,
  upTo: number,
  awaited: ReadonlySet<string>,
): ShownDocuments {
  const found = new Set<string>()
  for (const entries of [documents, ...batches.values()])
    for (const entry of entries) {
      found.add(documentIdOf(entry))
      if (found.size > upTo) return { documentIds: undefined, awaited: [...awaited] }
    }
  return { documentIds: [...found], awaited: [...awaited] }
}
