import type { WriteListener } from '../../engine/database/written-documents.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { everyAnswer, listKey, typeKey } from '../http/cache-keys.js'

/** Documents of one collection that are told one by one; more are told as all of their type. */
const maxDocuments = 1000
/** Of all collections together; beyond them everything is told. */
const maxWaiting = 10_000

/** What decides all answers: who may read what, in which languages, by which definitions. */
const decisive: ReadonlySet<string> = new Set(['_schemas', 'locales', 'roles'])
/** The other documents of `_settings` hold what no answer shows: leases, the level of the log, secrets, notes. */
const decisiveSetting = 'default-locale'

/** Undefined: all of the collection. */
type Waiting = Map<string, Set<string> | undefined>

/** The keys that caches have to be told of, each once, however often it is written; bounded. */
export function createWaitingKeys() {
  const waiting: Waiting = new Map()
  let isEverything = false
  /** All answers. */
  const everything = () => {
    isEverything = true
    waiting.clear()
  }
  /** How many wait: documents, and types of which all are. */
  const size = (): number => {
    let sum = isEverything ? 1 : 0
    for (const documents of waiting.values()) sum += documents?.size ?? 1
    return sum
  }
  const add = (collection: string, documentIds: readonly string[] | undefined) => {
    if (decisive.has(collection)) return everything()
    if (collection === '_settings' && documentIds?.includes(decisiveSetting) !== false)
      return everything()
    // Others of this kind hold nothing that is answered.
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
    /** Takes what waits; empty where nothing does. */
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
