import type { Aggregates } from './aggregate.js'
import type { Bulk } from './bulk.js'
import type { ContentType } from './content-type.js'
import type {
  CollectionActions,
  CollectionMethods,
  SingleActions,
  SingleMethods,
} from './methods.js'

/** A collection type's endpoints; those of publication where it has drafts. */
export type Collection<T> = T extends ContentType
  ? T['draftAndPublish'] extends true
    ? CollectionMethods<T> & CollectionActions<T> & Aggregates<T> & Bulk<T>
    : CollectionMethods<T> & Aggregates<T> & Bulk<T>
  : never

/** A single type's endpoints. */
export type Single<T> = T extends ContentType
  ? T['draftAndPublish'] extends true
    ? SingleMethods<T> & SingleActions<T>
    : SingleMethods<T>
  : never
