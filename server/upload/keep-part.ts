import { finished } from 'node:stream/promises'
import type { ArrivingPart, KeepPart, KeptPart } from '../http/route.js'
import { kilobytes, lookAtStart, type Acceptance, type AcceptedFile } from './accept-file.js'
import type { StorageProvider } from './storage-provider.js'
import type { UnsettledContents } from './unsettled-contents.js'

/** What became of a part that was not received into a temporary file. */
export type TakenPart =
  | Extract<AcceptedFile, { is: 'stored' }>
  /** Nothing of it was kept, because of its type. */
  | Readonly<{ is: 'refused'; mime: string }>

type Parts = Readonly<{
  storage: StorageProvider
  contents: UnsettledContents
  acceptance: Pick<Acceptance, 'deniedTypes'>
  /** The hash under which a part is stored. */
  hashFor: (part: ArrivingPart) => Promise<string>
}>

/**
 * Decides of an arriving file where it goes: a picture, which has to be there as a whole to be drawn, into a temporary
 * file; any other straight into the provider, as fast as that takes it. What is of a type that is refused is read and
 * dropped, and the answer told when all has arrived.
 */
export function createKeepPart({ storage, contents, acceptance, hashFor }: Parts) {
  return async (part: ArrivingPart): Promise<KeepPart | undefined> => {
    const { field, fileName, start } = part
    if (field !== 'files' || start.byteLength === 0) return drop(undefined)
    const looked = await lookAtStart(start, fileName, acceptance)
    if (looked.is === 'picture') return undefined
    if (looked.is === 'refused') return drop(looked)
    const { description } = looked
    return async (content, signal): Promise<KeptPart> => {
      const hash = await hashFor(part)
      const name = `${hash}${description.ext}`
      const begun = await contents.begin({ hash, provider: storage.name, names: [name] })
      try {
        const size = await storage.put(name, content, { mime: description.mime }, signal)
        const what: TakenPart = {
          ...{ is: 'stored', fileName, hash, begun },
          description: { ...description, size: kilobytes(size) },
        }
        return { what, discard: begun.discard }
      } catch (error) {
        await begun.discard()
        throw error
      }
    }
  }
}

const drop =
  (what: TakenPart | undefined): KeepPart =>
  async (content) => {
    await finished(content.resume())
    return { what, discard: () => Promise.resolve() }
  }
