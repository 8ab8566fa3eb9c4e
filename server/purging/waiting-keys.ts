import type { WriteListener } from '../../engine/database/written-documents.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { everyAnswer, listKey, typeKey } from '../http/response/cache-keys.js'

/**
 * Maximum documents of one collection to purge individually. Above it, all responses of the content-type are purged.
 */
const maxDocuments = 1000
/** Maximum keys of all collections. Above it, all responses are purged. */
const maxWaiting = 10_000

/** Collections that affect all responses: definitions, locales and permissions. */
const decisive: ReadonlySet<string> = new Set(['_schemas', 'locales', 'roles'])
/** The only document of `_settings` that affects responses. Others are leases, the log level, secrets and records. */
const decisiveSetting = 'default-locale'

type Waiting = Map<string, Set<string> | undefined>

/** Collects the keys to purge, each only once. */
export function createWaitingKeys() {
  const waiting: Waiting = new Map()
  let isEverything = false
  const everything = () => {
    isEverything = true
    waiting.clear()
  }
  /** Returns the number of waiting keys. A content-type that is purged as a whole has one key. */
  const size = (): number => {
    let sum = isEverything ? 1 : 0
    for (const documents of waiting.values()) sum += documents?.size ?? 1
    return sum
  }
  const add = (collection: string, documentIds: readonly string[] | undefined) => {
    if (decisive.has(collection)) return everything()
    if (collection === '_settings' && documentIds?.includes(decisiveSetting) !== false)
      return everything()
    // The service's other internal collections affect no response.
    if (collection.startsWith('_')) return
    const known = waiting.has(collection) ? waiting.get(collection) : new Set<string>()
    const isAll = documentIds === undefined || known === undefined
    if (!isAll) for (const id of documentIds) known.add(id)
    waiting.set(collection, isAll || known.size > maxDocuments ? undefined : known)
    if (size() > maxWaiting) everything()
  }
  const wrote: WriteListener = (written) => {
    if (isEverything) return
    if (written === undefined) everything()
    else for (const { collection, documentIds } of written) add(collection, documentIds)
  }
  return {
    wrote,
    everything,
    take: (registry: Registry): readonly string[] => {
      const keys = isEverything ? [everyAnswer] : keysOf(waiting, registry)
      isEverything = false
      waiting.clear()
      return keys
    },
    size,
  }
}

function keysOf(waiting: Waiting, { contentTypes }: Registry): readonly string[] {
  return [...contentTypes.values()].flatMap((type) => {
    const collection = collectionOf(type, 'published')
    if (!waiting.has(collection)) return []
    const documents = waiting.get(collection)
    if (documents === undefined) return [typeKey(type.uid)]
    return [listKey(type.uid), ...documents]
  })
}
