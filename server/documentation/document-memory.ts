import { LRUCache } from 'lru-cache'
import type { Registry } from '../../engine/schema/registry.js'
import { remember } from '../../engine/values/remember.js'
import type { Route } from '../http/route.js'
import { makeDocument } from './make-document.js'
import type { Subject } from './making.js'
import { packText, type PackedText } from './packed-text.js'
import { viewKey, type View } from './view.js'

/** The document of a view, of the content-types that there are now. */
export type Documents = (view: View) => Promise<PackedText>

/** Of all documents that are kept, packed to a twentieth; of 400 content-types each has half a megabyte. */
const maxBytes = 33_554_432

/**
 * Makes a document when it is first asked for, and keeps it until other content-types take the place of these: a few
 * documents, since many callers may do the same. One is made at a time, for all who wait for it.
 */
export function keepDocuments(
  {
    registry,
    ...subject
  }: Omit<Subject, 'registry' | 'view'> & Readonly<{ registry: () => Registry }>,
  routes: () => readonly Route[],
): Documents {
  let last: Promise<unknown> = Promise.resolve()
  const documentsOf = remember(
    (now: Registry) =>
      new LRUCache<string, PackedText, View>({
        maxSize: maxBytes,
        sizeCalculation: ({ size }) => size,
        // A document that is evicted while it is made is returned all the same.
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
