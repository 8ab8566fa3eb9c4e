import { ApiError } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import type { HttpRequest } from '../../http/route.js'
import type { ClaimedBulk, Documents } from '../documents.js'
import type { UsedDocuments } from '../endpoints.js'
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js'
import { givingId, withoutWrites } from './operation-documents.js'
import type { Parsed, Ran } from './run-operation.js'

/** The operations of a request, with the outcomes that earlier requests with the same `Idempotency-Key` recorded. */
export type Claimed = Readonly<{
  isRepeated: boolean
  /**
   * Returns the recorded result of an operation that an earlier request rejected. Such an operation is not tried again.
   */
  refused: (at: number) => Ran | undefined
  /** Returns `Documents` that write nothing if an earlier request has done the operation. */
  documentsOf: (at: number) => UsedDocuments
  /** Records the outcomes and releases the key. Call it when all operations have ended. */
  release: ClaimedBulk['release']
}>

/** Claims the `Idempotency-Key` for a request. Without the header, all operations are new. Rejects on timeout. */
export async function claimOperations(
  documents: Documents,
  type: ContentType,
  request: HttpRequest,
  parsed: readonly Parsed[],
): Promise<Claimed> {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return unclaimed(documents)
  const fingerprint = [type.uid, request.search, request.body]
  const operations = parsed.length
  const creates = parsed.filter(isCreate).length
  const { time } = request
  // Throws if the time limit has passed. A key claimed after that would never be released.
  time?.hold()
  const pending = documents.claimBulk(key, { fingerprint, operations, creates })
  const within = time === undefined ? pending : time.within(() => pending)
  const claimed = await within.catch((error: unknown) => {
    // After a timeout, this request does nothing with the key, so release it as soon as it is claimed.
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
      if (known.has(at)) return withoutWrites(documents, documentId ?? own ?? '')
      return documentId === undefined
        ? documents
        : givingId(documents, { documentId, isRepeated: replayed })
    },
    release,
  }
}

const isCreate = (one: Parsed): boolean => !(one instanceof ApiError) && one.op === 'create'
