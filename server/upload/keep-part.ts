import { finished } from 'node:stream/promises'
import type { ArrivingPart, KeepPart, KeptPart } from '../http/route.js'
import { lookAtStart, type Acceptance } from './accept-file.js'
import { storeContent, type ContentPlace, type StoredUpload } from './store-content.js'

/** What became of a part that was not received into a temporary file. */
export type TakenPart =
  | StoredUpload
  /** Nothing of it was kept, because of its type. */
  | Readonly<{ is: 'refused'; mime: string }>

type Parts = ContentPlace & Readonly<{ acceptance: Pick<Acceptance, 'deniedTypes'> }>

/**
 * Decides of an arriving file where it goes: a picture, which has to be there as a whole to be drawn, into a temporary
 * file; any other straight into the provider, as fast as that takes it. What is of a type that is refused is read and
 * dropped, and the answer told when all has arrived.
 */
export function createKeepPart({ acceptance, ...place }: Parts) {
  return async (part: ArrivingPart): Promise<KeepPart | undefined> => {
    const { field, fileName, start, search } = part
    if (field !== 'files' || start.byteLength === 0) return drop(undefined)
    const looked = await lookAtStart(start, fileName, acceptance)
    if (looked.is === 'picture') return undefined
    if (looked.is === 'refused') return drop(looked)
    const { description } = looked
    return async (content, signal): Promise<KeptPart> => {
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
