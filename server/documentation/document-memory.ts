import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Registry } from '../../engine/schema/registry.js'
import type { Route } from '../http/route.js'
import type { Settings } from '../settings/settings.js'
import { makeDocument, type OpenApiDocument } from './make-document.js'
import { viewKey, type View } from './view.js'

/** A document as it is sent. */
export type SentDocument = Readonly<{
  /** Bytes of memory that it takes while nobody asks for it. */
  size: number
  /** A strong tag of its bytes, in its quotes. */
  etag: string
  /** Returns the same bytes as long as an answer holds them. */
  bytes: () => Uint8Array
}>

/** The document of a view, of the content-types that there are now. */
export type Documents = (view: View) => Promise<SentDocument>

/** Of all documents that are kept, packed to a twentieth; of 400 content-types each has half a megabyte. */
const maxBytes = 33_554_432

/**
 * Makes a document when it is first asked for, and keeps it until other content-types take the place of these: a few
 * documents, since many callers may do the same. One is made at a time, because a large one takes memory meanwhile.
 */
export function keepDocuments(
  { registry, settings }: Readonly<{ registry: () => Registry; settings: Settings }>,
  routes: () => readonly Route[],
): Documents {
  let last: Promise<unknown> = Promise.resolve()
  const keep = (now: Registry) =>
    new LRUCache<string, SentDocument, View>({
      maxSize: maxBytes,
      sizeCalculation: ({ size }) => size,
      // One that leaves no room for another is answered all the same.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _before, { context: view }) => {
        const made = last.then(async () =>
          pack(await makeDocument({ registry: now, settings, view }, routes())),
        )
        last = made.catch(() => undefined)
        return made
      },
    })
  const kept = new WeakMap<Registry, ReturnType<typeof keep>>()
  return (view) => {
    const now = registry()
    const documents = kept.get(now) ?? keep(now)
    kept.set(now, documents)
    return documents.forceFetch(viewKey(view), { context: view })
  }
}

async function pack(document: OpenApiDocument): Promise<SentDocument> {
  const text = Buffer.from(JSON.stringify(document))
  const packed = await promisify<Uint8Array, Uint8Array>(gzip)(text)
  let sent: WeakRef<Uint8Array> | undefined
  return {
    size: packed.byteLength,
    etag: `"${hash('sha1', text, 'base64url')}"`,
    bytes: () => {
      const bytes = sent?.deref() ?? gunzipSync(packed)
      sent = new WeakRef(bytes)
      return bytes
    },
  }
}
