import { notDone } from '../../engine/errors.js'
import type { Prepared, UploadedPart } from '../http/route.js'
import { acceptFile, type Acceptance } from './accept-file.js'
import type { TakenPart } from './keep-part.js'
import {
  storeContent,
  type AcceptedFile,
  type ContentPlace,
  type StoredUpload,
} from './store-content.js'

/**
 * Creates the function that processes the files of a request one by one: it inspects them, draws versions, and stores
 * what `keep` has not stored. The function throws the errors of `acceptFile` and of the provider, and `unavailable` if
 * storing exceeds `upload.timeoutMs`. After an error, none of the files stays stored.
 */
export function createStoreParts(place: ContentPlace, acceptance: Acceptance) {
  const timeoutMs = acceptance.settings['upload.timeoutMs']
  return async (
    parts: readonly UploadedPart[],
    search: string,
  ): Promise<Prepared<readonly StoredUpload[]>> => {
    const own: StoredUpload[] = []
    const discard = async () => {
      await Promise.all(own.map(({ begun }) => begun.discard()))
    }
    const accepted = await Promise.all(parts.map((part) => accept(part, acceptance)))
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(tooLong()), timeoutMs)
    try {
      const what: StoredUpload[] = []
      for (const file of accepted) {
        if ('stored' in file) what.push(file)
        else {
          const stored = await storeContent(place, file, search, late.signal)
          own.push(stored)
          what.push(stored)
        }
      }
      return { what, discard }
    } catch (error) {
      await discard()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

async function accept(
  part: UploadedPart,
  acceptance: Acceptance,
): Promise<AcceptedFile | StoredUpload> {
  if (part.is === 'file') return acceptFile(part, acceptance)
  const taken = part.stored.what as TakenPart
  if (taken instanceof Error) throw taken
  return taken
}

const tooLong = () => notDone('Storing the files took too long', 10)
