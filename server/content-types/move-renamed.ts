import { isDeepStrictEqual } from 'node:util'
import escapeRegExp from 'escape-string-regexp'
import type { Db, Filter } from 'mongodb'
import { durable } from '../../engine/database/durability.js'
import { attributesIn } from '../../engine/schema/attributes-in.js'
import { collectionOf, collectionsOf, type ContentType } from '../../engine/schema/content-type.js'
import { referencePlaces } from '../../engine/schema/reference-places.js'
import type { Types } from '../../engine/schema/stored-places.js'
import { renameReferences } from '../../engine/values/references.js'
import type { RenamedType } from './definition-store.js'

/** Record ids to skip under the new uid, because other instances may still assign ids under the previous one. */
const spare = 10_000
const batchSize = 500
const maxAttempts = 100

/**
 * Copies sequences and permissions of renamed types to the new uids before the definitions are written. They also stay
 * under the previous uids, for instances with the previous definitions and for the next start after an interruption.
 */
export async function prepareRenamed(db: Db, renamed: readonly RenamedType[]): Promise<void> {
  for (const one of renamed) {
    await moveSequence(db, one)
    await movePermissions(db, one, { keepsPrevious: true })
  }
}

/**
 * Moves all that is stored under the previous uid of a type: sequences, permissions, legacy ids and references. Calling
 * it again does no harm.
 *
 * @param types all types whose entries may refer to the renamed types
 */
export async function moveRenamed(
  db: Db,
  renamed: readonly RenamedType[],
  types: Types,
): Promise<void> {
  for (const one of renamed) {
    await moveSequence(db, one)
    await movePermissions(db, one, { keepsPrevious: false })
    await moveLegacyIds(db, one)
    for (const type of types.contentTypes.values()) {
      await moveReferences(db, type, types, one)
      if (type.draftAndPublish) await movePending(db, collectionOf(type, 'draft'), one)
    }
  }
}

type Sequence = Readonly<{ _id: string; value: number }>

async function moveSequence(db: Db, { from, to }: RenamedType): Promise<void> {
  const sequences = db.collection<Sequence>('_sequences')
  const known = await sequences.findOne({ _id: from })
  if (known === null) return
  const $max = { value: known.value + spare }
  await sequences.updateOne({ _id: to }, { $max }, { upsert: true, ...durable })
}

async function movePermissions(
  db: Db,
  { from, to }: RenamedType,
  { keepsPrevious }: Readonly<{ keepsPrevious: boolean }>,
): Promise<void> {
  const prefix = `${from}.`
  const isPrevious = (action: string): boolean => action.startsWith(prefix)
  for (const collection of ['roles', '_api_tokens']) {
    const documents = db.collection<{ permissions: string[] }>(collection)
    for await (const { _id, permissions } of documents.find({
      permissions: { $regex: `^${escapeRegExp(prefix)}` },
    })) {
      const moved = permissions
        .filter(isPrevious)
        .map((action) => `${to}.${action.slice(prefix.length)}`)
      const kept = keepsPrevious ? permissions : permissions.filter((action) => !isPrevious(action))
      const set = { permissions: [...new Set([...kept, ...moved])], updatedAt: new Date() }
      // Matches nothing if the permissions have changed since they were read. The next run moves them.
      await documents.updateOne({ _id, permissions }, { $set: set }, durable)
    }
  }
}

/** Makes each id from before an import refer to the same document under both uids. */
async function moveLegacyIds(db: Db, { from, to }: RenamedType): Promise<void> {
  const length = Buffer.byteLength(from)
  await db
    .collection<{ _id: string }>('_legacyIds')
    .aggregate([
      { $match: { _id: { $gte: `${from}:`, $lt: `${from};` } } },
      { $set: { _id: { $concat: [to, { $substrBytes: ['$_id', length, -1] }] } } },
      { $merge: { into: '_legacyIds', whenMatched: 'keepExisting' } },
    ])
    .toArray()
}

type Version = Readonly<Record<string, unknown> & { _id: number }>

async function moveReferences(
  db: Db,
  type: ContentType,
  types: Types,
  { from, to }: RenamedType,
): Promise<void> {
  const paths = [...attributesIn(type, types)]
    .filter(({ attribute }) => attribute.type === 'morph')
    .map(({ segments, attribute }) =>
      [...segments.map(({ field }) => field), attribute.storedAs, '__type'].join('.'),
    )
  if (paths.length === 0) return
  const fields = new Set(paths.map((path) => path.split('.')[0] ?? path))
  const { opaque } = referencePlaces(type, types)
  const filter: Filter<Version> = { $or: [...new Set(paths)].map((path) => ({ [path]: from })) }
  for (const collection of collectionsOf(type)) {
    const versions = db.collection<Version>(collection)
    let attempts = 0
    for (let after: unknown = -Infinity; ;) {
      const found = await versions
        .find({ ...filter, _id: { $gt: after } } as Filter<Version>, { promoteValues: false })
        .sort({ _id: 1 })
        .limit(batchSize)
        .toArray()
      const last = found.at(-1)
      if (last === undefined) break
      const updates = found.flatMap(({ _id, _revision = null, ...version }) => {
        const moved: Record<string, unknown> = {}
        for (const field of fields)
          if (field in version)
            moved[field] = renameReferences(field, version[field], { opaque, from, to })
        // Values that stay unchanged only look like references, for example in JSON from a client.
        if (isDeepStrictEqual(moved, pick(version, Object.keys(moved)))) return []
        const listed = version._refs
        if (Array.isArray(listed))
          moved._refs = listed.map((text) => renamedText(String(text), from, to))
        return [{ updateOne: { filter: { _id, _revision }, update: { $set: moved } } }]
      })
      const matched =
        updates.length === 0 ? 0 : (await versions.bulkWrite(updates, durable)).matchedCount
      if (matched === updates.length) {
        after = last._id
        attempts = 0
      } else if (++attempts > maxAttempts)
        throw new Error(`Versions in ${collection} change all the time`)
    }
  }
}

const pick = (version: object, fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(version).filter(([field]) => fields.includes(field)))

/** Renames the type in edits of inverse relations that wait for a draft to be published. */
async function movePending(db: Db, collection: string, { from, to }: RenamedType): Promise<void> {
  const set = { $set: { '_pending.$[edge].owner': to } }
  const arrayFilters = [{ 'edge.owner': from }]
  await db
    .collection(collection)
    .updateMany({ '_pending.owner': from }, set, { arrayFilters, ...durable })
}

/** Renames the type in, for example, `related:api::page.page:x3k…`. Neither paths nor documentIds contain a colon. */
function renamedText(text: string, from: string, to: string): string {
  const [path = ''] = text.split(':', 1)
  const rest = text.slice(path.length + 1)
  return rest.startsWith(`${from}:`) ? `${path}:${to}${rest.slice(from.length)}` : text
}
