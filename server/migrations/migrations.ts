import type { Db } from 'mongodb'
import { addIndexes } from '../../engine/database/ensure-indexes.js'
import { listedSince, markedSince } from '../../engine/database/storage-format.js'
import { markModified as markDrafts, relistVersions } from '../../engine/repair.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { collectionOf, collectionsOf } from '../../engine/schema/content-type.js'
import { modifiedIndex } from '../../engine/schema/index-list.js'
import { referencePlaces } from '../../engine/schema/reference-places.js'
import type { Types } from '../../engine/schema/stored-places.js'
import type { ReferencePlaces } from '../../engine/values/references.js'

/** How what is stored comes from the format before to this one (docs/storage.md, "Formats"). */
export type Migration = Readonly<{
  /** Rises by one from each to the next. */
  format: number
  /** For the log. */
  name: string
  /**
   * What there is to fill. Each part is filled in batches, of which each may be repeated, may be cut off, and
   * may run beside any writer that knows the format.
   * @param types all that there are and were
   */
  parts: (types: Types) => readonly Part[]
}>

export type Part = Readonly<{
  /** Unlike that of any other part. */
  name: string
  /**
   * Fills the next batch.
   * @param after what the batch before it returned; undefined for the first
   */
  fill: (db: Db, after: unknown) => Promise<Filled>
}>

/** `after` is undefined where there is nothing left. */
export type Filled = Readonly<{ after: unknown; looked: number; changed: number }>

/** Small enough that a request which waits for the thread waits a few milliseconds. */
const usualBatch = 100

/** Format 2: every version lists what it refers to. */
export function listReferences(batchSize = usualBatch): Migration {
  const partOf = (collection: string, places: ReferencePlaces): Part => ({
    name: collection,
    fill: async (db, after) => {
      const options = { after: after as number | undefined, limit: batchSize, mends: true }
      const { count, last, wrong } = await relistVersions(db, { collection, places }, options)
      const next = count < batchSize ? undefined : last
      return { after: next, looked: count, changed: wrong.length }
    },
  })
  return {
    format: listedSince,
    name: 'lists of references',
    parts: (types) =>
      [...types.contentTypes.values()].flatMap((type) => {
        const places = referencePlaces(type, types)
        return collectionsOf(type).map((collection) => partOf(collection, places))
      }),
  }
}

/** Format 3: every draft that is modified is marked, and there is an index of the marks. */
export function markModified(batchSize = usualBatch): Migration {
  const partOf = (type: ContentType): Part => {
    const [drafts, published] = [collectionOf(type, 'draft'), collectionOf(type, 'published')]
    return {
      name: drafts,
      fill: async (db, after) => {
        // Not at a start, which would wait for it, and before which an older program drops what it does not know.
        if (after === undefined) await addIndexes(db, drafts, [modifiedIndex(type)])
        const options = { after: after as number | undefined, limit: batchSize, mends: true }
        const { count, last, missing } = await markDrafts(db, { drafts, published }, options)
        const next = count < batchSize ? undefined : last
        return { after: next, looked: count, changed: missing.length }
      },
    }
  }
  return {
    format: markedSince,
    name: 'marks of modified drafts',
    parts: (types) =>
      [...types.contentTypes.values()].filter(({ draftAndPublish }) => draftAndPublish).map(partOf),
  }
}

/** All there are, the earliest first. */
export const migrations: readonly Migration[] = [listReferences(), markModified()]
