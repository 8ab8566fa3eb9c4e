import { accountsOf, type Accounts } from './accounts.js'
import type { Service, ContentType } from './content-type.js'
import { collectionOf, singleOf } from './endpoints.js'
import { filesOf, type Files } from './files.js'
import { createSend, type ClientOptions } from './send.js'
import type { Aggregates } from './aggregate.js'
import type { Bulk } from './bulk.js'
import type {
  CollectionActions,
  CollectionMethods,
  SingleActions,
  SingleMethods,
} from './methods.js'

/** A client for the service whose types `quire types` has generated as `Q`. */
export interface Client<Q extends Service> {
  /** The endpoints of a collection type, by plural name. */
  collection<K extends keyof Q['collections'] & string>(name: K): Collection<Q['collections'][K]>
  /** The endpoints of a single type, by singular name. */
  single<K extends keyof Q['singles'] & string>(name: K): Single<Q['singles'][K]>
  readonly auth: Accounts<Q['user']>
  readonly files: Files<Q['file']>
  /** Returns a copy of this client that uses another token. */
  withToken(token: ClientOptions['token']): Client<Q>
}

/** Creates a client. Throws a `TypeError` if `baseUrl` is invalid. */
export function createClient<Q extends Service>(options: ClientOptions): Client<Q> {
  const send = createSend(options)
  return {
    collection: (name) => collectionOf(send, name) as never,
    single: (name) => singleOf(send, name) as never,
    auth: accountsOf(send),
    files: filesOf(send),
    withToken: (token) => createClient<Q>({ ...options, token }),
  }
}

/** The endpoints of a collection type. If it has drafts, they include `publish`, `unpublish` and `discardDraft`. */
type Collection<T> = T extends ContentType
  ? CollectionMethods<T> & Aggregates<T> & Bulk<T> & IfDrafts<T, CollectionActions<T>>
  : never

type Single<T> = T extends ContentType ? SingleMethods<T> & IfDrafts<T, SingleActions<T>> : never

type IfDrafts<T extends ContentType, A> = T['draftAndPublish'] extends true ? A : unknown
