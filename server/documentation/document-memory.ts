import { LRUCache } from 'lru-cache'
import type { Registry } from '../../engine/schema/registry.js'
import { memoize } from '../../engine/values/memoize.js'
import type { Route } from '../http/route.js'
import { makeDocument } from './make-document.js'
import type { Subject } from './document-builder.js'
import { packText, type PackedText } from './packed-text.js'
import { viewKey, type View } from './view.js'

/** Returns the OpenAPI document for one kind of caller. */
export type Documents = (view: View) => Promise<PackedText>

/**
 * Maximum size of the cache in bytes. Documents are compressed to a twentieth: with 400 content-types, one takes half a
 * megabyte.
 */
const maxBytes = 33_554_432

/**
 * Caches documents until the content-types change. Callers with the same permissions share a document. Only one
 * document is created at a time.
 */
export function keepDocuments(
  {
    registry,
    ...subject
  }: Omit<Subject, 'registry' | 'view'> & Readonly<{ registry: () => Registry }>,
  routes: () => readonly Route[],
): Documents {
  let last: Promise<unknown> = Promise.resolve()
  const documentsOf = memoize(
    (now: Registry) =>
      new LRUCache<string, PackedText, View>({
        maxSize: maxBytes,
        sizeCalculation: ({ size }) => size,
        // A caller that waits receives the document even if it is evicted while it is being created.
        ignoreFetchAbort: true,
        fetchMethod: (_key, _before, { context: view }) => {
          const made = last.then(() =>
            packText(makeDocument({ ...subject, registry: now, view }, routes())),
          )
          last = made.catch(() => undefined)
          return made
        },
      }),
  )
  return (view) => documentsOf(registry()).forceFetch(viewKey(view), { context: view })
}
