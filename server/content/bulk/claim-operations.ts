import { ApiError } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import type { HttpRequest } from '../../http/route.js'
import type { ClaimedBulk, Documents } from '../documents.js'
import type { UsedDocuments } from '../endpoints.js'
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js'
import { givingId, showingOnly } from './operation-documents.js'
import type { Parsed, Ran } from './run-operation.js'

/** The operations of a request, after those that came before it with the same `Idempotency-Key`. */
export type Claimed = Readonly<{
  isRepeated: boolean
  /** What an operation was answered that was refused before, which is not asked again. */
  refused: (at: number) => Ran | undefined
  /** What an operation is done with: where it was done before, by nothing that writes. */
  documentsOf: (at: number) => UsedDocuments
  /** To be called when all has ended. */
  release: ClaimedBulk['release']
}>

/** Binds the key of a request to it, where it has one. Rejects where the time of the request is over meanwhile. */
export async function claimOperations(
  documents: Documents,
  type: ContentType,
  request: HttpRequest,
  parsed: readonly Parsed[],
): Promise<Claimed> {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return unclaimed(documents)
  const asked = [type.uid, request.search, request.body]
  const operations = parsed.length
  const creates = parsed.filter(isCreate).length
  const { time } = request
  // Before the key is bound: nobody would release it.
  time?.hold()
  const pending = documents.claimBulk(key, { asked, operations, creates })
  const within = time === undefined ? pending : time.within(() => pending)
  const claimed = await within.catch((error: unknown) => {
    // Nobody is there any more to do anything with it.
    void pending.then(({ release, known }) => release(known)).catch(() => undefined)
    throw error
  })
  return boundTo(claimed, documents, parsed)
}

const unclaimed = (documents: Documents): Claimed => ({
  isRepeated: false,
  refused: () => undefined,
  documentsOf: () => documents,
  release: () => Promise.resolve(),
})

function boundTo(
  { documentIds, known, replayed, release }: ClaimedBulk,
  documents: Documents,
  parsed: readonly Parsed[],
): Claimed {
  const rest = documentIds.values()
  const given = parsed.map((one) => (isCreate(one) ? rest.next().value : undefined))
  return {
    isRepeated: replayed,
    refused: (at) => {
      const before = known.get(at)
      if (before?.error === undefined) return undefined
      const reply = { status: before.status, body: Buffer.from(before.error) }
      return { reply, ended: Promise.resolve({ before }) }
    },
    documentsOf: (at) => {
      const one = parsed[at]
      const documentId = given[at]
      const own = one instanceof ApiError ? undefined : one?.documentId
      if (known.has(at)) return showingOnly(documents, documentId ?? own ?? '')
      return documentId === undefined
        ? documents
        : givingId(documents, { documentId, isRepeated: replayed })
    },
    release,
  }
}

const isCreate = (one: Parsed): boolean => !(one instanceof ApiError) && one.op === 'create'
