import { LRUCache } from 'lru-cache'
import type { Registry } from '../../engine/schema/registry.js'
import type { Route } from '../http/route.js'
import type { Settings } from '../settings/settings.js'
import { makeDocument } from './make-document.js'
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
  { registry, settings }: Readonly<{ registry: () => Registry; settings: Settings }>,
  routes: () => readonly Route[],
): Documents {
  const kept = new LRUCache<string, PackedText>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size,
  })
  let of: Registry | undefined
  let underWay = new Map<string, Promise<PackedText>>()
  let last: Promise<unknown> = Promise.resolve()
  const make = async (now: Registry, key: string, view: View): Promise<PackedText> => {
    await last.catch(() => undefined)
    const made = await packText(makeDocument({ registry: now, settings, view }, routes()))
    if (of === now) kept.set(key, made)
    return made
  }
  return async (view) => {
    const now = registry()
    if (of !== now) {
      kept.clear()
      underWay = new Map()
    }
    of = now
    const key = viewKey(view)
    const known = kept.get(key) ?? underWay.get(key)
    if (known !== undefined) return known
    const among = underWay
    const making = make(now, key, view).finally(() => among.delete(key))
    among.set(key, making)
    last = making
    return making
  }
}
