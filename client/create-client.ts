import { accountsOf, type Accounts } from './accounts.js'
import type { Service, ContentType } from './content-type.js'
import { collectionOf, singleOf } from './endpoints.js'
import { filesOf, type Files } from './files.js'
import { createSend, type Sending } from './send.js'
import type { Aggregates } from './aggregate.js'
import type { Bulk } from './bulk.js'
import type {
  CollectionActions,
  CollectionMethods,
  SingleActions,
  SingleMethods,
} from './methods.js'

export interface ClientOptions {
  /** Address of the API, with its prefix: `https://site.example/api`. */
  baseUrl: string
  /** An API token or a user's JWT; a function is asked before each request. Default: none, as anybody. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Default: the runtime's. */
  fetch?: typeof fetch | undefined
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** How long a request may take, its repetitions included; default 30,000. */
  timeoutMs?: number | undefined
  /** How often a request that may be repeated is; default 2. */
  retries?: number | undefined
}

/** A service's API; `Q`: its types, as `quire types` writes them. */
export interface Client<Q extends Service> {
  /** A collection type, by its plural name. */
  collection<K extends keyof Q['collections'] & string>(name: K): Collection<Q['collections'][K]>
  /** A single type, by its singular name. */
  single<K extends keyof Q['singles'] & string>(name: K): Single<Q['singles'][K]>
  readonly auth: Accounts<Q['user']>
  readonly files: Files<Q['file']>
  /** The same client for another caller: `client.withToken(jwt)`. */
  withToken(token: ClientOptions['token']): Client<Q>
}

/** @throws TypeError for an address that is none */
export function createClient<Q extends Service>(options: ClientOptions): Client<Q> {
  const send = createSend(sendingOf(options))
  return {
    collection: (name) => collectionOf(send, name) as never,
    single: (name) => singleOf(send, name) as never,
    auth: accountsOf(send),
    files: filesOf(send),
    withToken: (token) => createClient<Q>({ ...options, token }),
  }
}

function sendingOf(options: ClientOptions): Sending {
  const { token, headers = {}, timeoutMs = 30_000, retries = 2 } = options
  const { href } = new URL(options.baseUrl)
  return {
    baseUrl: href.replace(/\/+$/, ''),
    token: typeof token === 'function' ? token : () => token,
    // Found at each request, and called without a receiver, which browsers refuse.
    fetch: options.fetch ?? ((...given) => fetch(...given)),
    headers,
    timeoutMs,
    retries,
  }
}

/** A collection type's endpoints; those of publication where it has drafts. */
type Collection<T> = T extends ContentType
  ? T['draftAndPublish'] extends true
    ? CollectionMethods<T> & CollectionActions<T> & Aggregates<T> & Bulk<T>
    : CollectionMethods<T> & Aggregates<T> & Bulk<T>
  : never

/** A single type's endpoints. */
type Single<T> = T extends ContentType
  ? T['draftAndPublish'] extends true
    ? SingleMethods<T> & SingleActions<T>
    : SingleMethods<T>
  : never
