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

/** The client for a service's API. `Q` are the service's types, as `quire types` writes them. */
export interface Client<Q extends Service> {
  /** Returns a collection type by its plural name. */
  collection<K extends keyof Q['collections'] & string>(name: K): Collection<Q['collections'][K]>
  /** Returns a single type by its singular name. */
  single<K extends keyof Q['singles'] & string>(name: K): Single<Q['singles'][K]>
  readonly auth: Accounts<Q['user']>
  readonly files: Files<Q['file']>
  /** Returns a client that is the same except for the token: `client.withToken(jwt)`. */
  withToken(token: ClientOptions['token']): Client<Q>
}

/** @throws TypeError for an invalid address */
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

/** Endpoints of a collection type. If the type has drafts, they include those for publication. */
type Collection<T> = T extends ContentType
  ? CollectionMethods<T> & Aggregates<T> & Bulk<T> & IfDrafts<T, CollectionActions<T>>
  : never

/** Endpoints of a single type. */
type Single<T> = T extends ContentType ? SingleMethods<T> & IfDrafts<T, SingleActions<T>> : never

type IfDrafts<T extends ContentType, A> = T['draftAndPublish'] extends true ? A : unknown
