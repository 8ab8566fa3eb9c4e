import type { RequestOptions } from './methods.js'
import { toQueryString } from './query-string.js'
import type { Outgoing, Send } from './send.js'

/** Untyped methods. `methods.ts` and `files.ts` contain their types. */
export type Endpoints<K extends string = string> = Readonly<
  Record<K, (...given: never[]) => Promise<unknown>>
>

type SendRequest = (query?: object, options?: RequestOptions) => Promise<unknown>

export const sender =
  (send: Send, method: Outgoing['method'], path: string, body?: unknown): SendRequest =>
  (query, options) => {
    const search = toQueryString(query ?? {})
    return send({ method, path: search === '' ? path : `${path}?${search}`, body, options })
  }

export function collectionOf(send: Send, name: string): Endpoints {
  const all = `/${encodeURIComponent(name)}`
  const one =
    (method: DocumentMethod) =>
    (documentId: string, ...given: never[]): Promise<unknown> =>
      documentAt(send, `${all}/${segmentOf(documentId)}`)[method](...given)
  return {
    find: sender(send, 'GET', all),
    findOne: one('find'),
    create: (data: object, ...given: Parameters<SendRequest>) =>
      sender(send, 'POST', all, { data })(...given),
    update: one('update'),
    delete: one('delete'),
    publish: one('publish'),
    unpublish: one('unpublish'),
    discardDraft: one('discardDraft'),
    aggregate: sender(send, 'GET', `${all}/aggregate`),
    bulk: (operations: readonly object[], query: BulkGiven = {}, options?: RequestOptions) => {
      const { idempotencyKey, ...args } = query
      const keyed =
        idempotencyKey === undefined
          ? options
          : { ...options, headers: { ...options?.headers, 'Idempotency-Key': idempotencyKey } }
      return sender(send, 'POST', `${all}/bulk`, { operations })(args, keyed)
    },
  }
}

type BulkGiven = Readonly<{ idempotencyKey?: string | undefined }>

export const singleOf = (send: Send, name: string): Endpoints =>
  documentAt(send, `/${encodeURIComponent(name)}`)

type DocumentMethod = 'find' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft'

function documentAt(send: Send, path: string): Endpoints<DocumentMethod> {
  const act = (action: string): SendRequest => sender(send, 'POST', `${path}/actions/${action}`)
  return {
    find: sender(send, 'GET', path),
    update: (data: object, ...given: Parameters<SendRequest>) =>
      sender(send, 'PUT', path, { data })(...given),
    delete: sender(send, 'DELETE', path),
    publish: act('publish'),
    unpublish: act('unpublish'),
    discardDraft: act('discard-draft'),
  }
}

/** Throws for `''`, `.` and `..`. With these, the request would go to another path, such as that of the list. */
function segmentOf(documentId: string): string {
  if (documentId === '' || documentId === '.' || documentId === '..')
    throw new TypeError(`"${documentId}" is not a documentId`)
  return encodeURIComponent(documentId)
}
