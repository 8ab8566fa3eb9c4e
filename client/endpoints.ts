import type { RequestOptions } from './methods.js'
import { toQueryString } from './query-string.js'
import type { Outgoing, Send } from './send.js'

/** What types say of them is `Collection` and `Single` (`methods.ts`); here they only send. */
type Methods = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>

type BulkGiven = Readonly<{ idempotencyKey?: string | undefined }>

type Ask = (
  method: Outgoing['method'],
  path: string,
  query: object | undefined,
  options: RequestOptions | undefined,
  body?: unknown,
) => Promise<unknown>

const asking =
  (send: Send): Ask =>
  (method, path, query, options, body) => {
    const search = toQueryString(query ?? {})
    return send({ method, path: search === '' ? path : `${path}?${search}`, body, options })
  }

export function collectionOf(send: Send, name: string): Methods {
  const ask = asking(send)
  const all = `/${encodeURIComponent(name)}`
  const one = (documentId: string): string => `${all}/${segmentOf(documentId)}`
  const act =
    (action: string) =>
    (documentId: string, query?: object, options?: RequestOptions): Promise<unknown> =>
      ask('POST', `${one(documentId)}/actions/${action}`, query, options)
  return {
    find: (query?: object, options?: RequestOptions) => ask('GET', all, query, options),
    findOne: (documentId: string, query?: object, options?: RequestOptions) =>
      ask('GET', one(documentId), query, options),
    create: (data: object, query?: object, options?: RequestOptions) =>
      ask('POST', all, query, options, { data }),
    update: (documentId: string, data: object, query?: object, options?: RequestOptions) =>
      ask('PUT', one(documentId), query, options, { data }),
    delete: (documentId: string, query?: object, options?: RequestOptions) =>
      ask('DELETE', one(documentId), query, options),
    publish: act('publish'),
    unpublish: act('unpublish'),
    discardDraft: act('discard-draft'),
    aggregate: (query?: object, options?: RequestOptions) =>
      ask('GET', `${all}/aggregate`, query, options),
    bulk: (operations: readonly object[], query: BulkGiven = {}, options?: RequestOptions) => {
      const { idempotencyKey, ...asked } = query
      const keyed =
        idempotencyKey === undefined
          ? options
          : { ...options, headers: { ...options?.headers, 'Idempotency-Key': idempotencyKey } }
      return ask('POST', `${all}/bulk`, asked, keyed, { operations })
    },
  }
}

export function singleOf(send: Send, name: string): Methods {
  const ask = asking(send)
  const path = `/${encodeURIComponent(name)}`
  const act =
    (action: string) =>
    (query?: object, options?: RequestOptions): Promise<unknown> =>
      ask('POST', `${path}/actions/${action}`, query, options)
  return {
    find: (query?: object, options?: RequestOptions) => ask('GET', path, query, options),
    update: (data: object, query?: object, options?: RequestOptions) =>
      ask('PUT', path, query, options, { data }),
    delete: (query?: object, options?: RequestOptions) => ask('DELETE', path, query, options),
    publish: act('publish'),
    unpublish: act('unpublish'),
    discardDraft: act('discard-draft'),
  }
}

/** The list is below the same path: an id of nothing would ask for all. */
function segmentOf(documentId: string): string {
  if (documentId === '' || documentId === '.' || documentId === '..')
    throw new TypeError(`"${documentId}" is no documentId`)
  return encodeURIComponent(documentId)
}
