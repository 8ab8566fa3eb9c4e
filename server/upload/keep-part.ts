import { finished } from 'node:stream/promises'
import type { ArrivingPart, KeepPart, StoredPart } from '../http/route.js'
import { describeFile, isDrawable, measure, refusalOf, type Acceptance } from './accept-file.js'
import { beginsLikeTiff, detectStart } from './detect-type.js'
import { storeContent, type ContentPlace, type StoredUpload } from './store-content.js'

/** A file that was stored without a temporary file, or the error that prevented that. */
export type TakenPart = StoredUpload | Error

/**
 * Returns a function that decides where an arriving file goes. A picture goes into a temporary file, because drawing
 * needs all of it. Other files go directly to the provider. A denied file is discarded, and its request is rejected
 * when all parts have arrived.
 */
export function createKeepPart(place: ContentPlace, { settings }: Acceptance) {
  return async (part: ArrivingPart): Promise<KeepPart | undefined> => {
    const { field, fileName, start, search } = part
    if (field !== 'files' || start.byteLength === 0) return drop(undefined)
    if (beginsLikeTiff(start)) return undefined
    const type = await detectStart(start, fileName)
    const refusal = refusalOf(type, settings)
    if (refusal !== undefined) return drop(refusal)
    if (isDrawable(type)) return undefined
    const description = describeFile(fileName, type, await measure(type, start))
    return async (content, signal): Promise<StoredPart> => {
      const file = { fileName, description, open: () => content, versions: [] }
      const what = await storeContent(place, file, search, signal)
      return { what, discard: what.begun.discard }
    }
  }
}

const drop =
  (what: TakenPart | undefined): KeepPart =>
  async (content) => {
    await finished(content.resume())
    return { what, discard: () => Promise.resolve() }
  }
