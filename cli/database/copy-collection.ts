import {
  BSON,
  MongoServerError,
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
} from 'mongodb'
import { copyProgressCollection } from '../../server/database/half-copied.js'
import { exact } from '../../engine/database/exact.js'
import { durable } from '../../engine/database/durability.js'
import { batchesOf } from '../../engine/values/batches.js'
import { insertAgain } from './insert-again.js'

type Progress = { _id: string; after?: unknown; isDone?: true }

const batchSize = 500

const progressOf = (target: Db) => target.collection<Progress>(copyProgressCollection)

/**
 * Returns the `_id` of a collection's progress record. The colon distinguishes it from `copy`, the `_id` of the record
 * for the whole copy.
 */
const noteOf = (name: string): string => `collection:${name}`

/**
 * Copies a collection: its options, its documents in the order of their ids, then its indexes. Continues after the last
 * saved step of an interrupted run.
 */
export async function copyCollection(source: Db, target: Db, name: string): Promise<void> {
  const progress = await progressOf(target).findOne({ _id: noteOf(name) }, exact)
  if (progress?.isDone) return
  if (progress === null) await makeCollection(source, target, name)
  await copyDocuments(source.collection(name), target, progress?.after)
  await copyIndexes(source.collection(name), target.collection(name))
  await note(target, name, { isDone: true })
}

/** Returns the names of the collections whose copy has begun. */
export async function recordedCollections(target: Db): Promise<readonly string[]> {
  const notes = await progressOf(target)
    .find({ _id: { $ne: 'copy' } })
    .toArray()
  return notes.map(({ _id }) => _id.slice(noteOf('').length))
}

/**
 * Drops the copy of a collection, then deletes its progress record, so that the next attempt starts over. The order
 * matters: a run refuses to continue if it finds a collection without a progress record.
 */
export async function forgetCollection(target: Db, name: string): Promise<void> {
  await target.collection(name).drop(durable)
  await progressOf(target).deleteOne({ _id: noteOf(name) }, durable)
}

async function makeCollection(source: Db, target: Db, name: string): Promise<void> {
  const [info] = await source.listCollections({ name }).toArray()
  const options = (info as { options?: Document } | undefined)?.options ?? {}
  try {
    await target.createCollection(name, options)
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.codeName !== 'NamespaceExists') throw error
  }
}

async function copyDocuments(from: Collection, target: Db, after: unknown): Promise<void> {
  const name = from.collectionName
  const into = target.collection(name)
  const documents = from.find({}, { ...exact, batchSize, readPreference: 'primary' })
  documents.sort({ _id: 1 }).hint({ _id: 1 })
  // Use an index bound, because a condition on `_id` would miss ids of other BSON types.
  if (after !== undefined) documents.min({ _id: after })
  for await (const batch of batchesOf(documents, batchSize, BSON.calculateObjectSize)) {
    await insertAgain(into, batch)
    await note(target, name, { after: batch.at(-1)?._id })
  }
}

async function copyIndexes(from: Collection, into: Collection): Promise<void> {
  const indexes = (await from.listIndexes(exact).toArray())
    .filter(({ name }: Document) => String(name) !== '_id_')
    .map(({ v: _v, ns: _ns, ...index }: Document) => index as unknown as IndexDescription)
  if (indexes.length > 0) await into.createIndexes(indexes)
}

async function note(target: Db, name: string, progress: Partial<Progress>): Promise<void> {
  await progressOf(target).updateOne(
    { _id: noteOf(name) },
    { $set: progress },
    { ...durable, ignoreUndefined: false, upsert: true },
  )
}
