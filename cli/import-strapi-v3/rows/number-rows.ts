import { ObjectId, type Db } from 'mongodb'
import type { Notes } from '../../import-strapi/notes.js'
import type { Model } from '../models/model.js'
import { deriveId } from './derive-id.js'
import { createIdList } from './id-list.js'
import { joinLocales } from './join-locales.js'

/** The ids that a row of Strapi 3 gets in the import. */
export type NumberedRow = Readonly<{
  documentId: string
  /** One record id for each version: in a type with drafts, first the draft's, then the published version's. */
  refs: readonly [first: number, ...further: number[]]
}>

/** Returns the new ids of a row, or undefined if the row does not exist or is not imported. */
export type RowNumbers = (model: Model, id: ObjectId) => NumberedRow | undefined

/**
 * Numbers the rows of all models in the order of their old ids, which is the order in which Strapi 3 lists them. Rows
 * that are locales of one document share a documentId.
 */
export async function numberRows(
  db: Db,
  models: readonly Model[],
  defaultLocale: string,
  notes: Notes,
): Promise<RowNumbers> {
  const byUid = new Map<string, (id: ObjectId) => NumberedRow | undefined>()
  for (const model of models)
    if (model.kind === 'content-type')
      byUid.set(model.uid, await numberModel(db, model, defaultLocale, notes))
  return ({ uid }, id) => byUid.get(uid)?.(id)
}

async function numberModel(
  db: Db,
  model: Model,
  defaultLocale: string,
  notes: Notes,
): Promise<(id: ObjectId) => NumberedRow | undefined> {
  const ids = createIdList()
  const joined = joinLocales(ids)
  const { uid, localized, draftAndPublish, isSingle } = model
  const projection = localized ? { locale: 1, localizations: 1 } : { _id: 1 }
  for await (const row of rowsOf(db, model, { projection })) {
    const index = ids.size()
    ids.add(row._id)
    const { locale, localizations } = row
    if (localized)
      joined.add(index, typeof locale === 'string' ? locale : defaultLocale, idsIn(localizations))
  }
  await noteOthers(db, model, notes)
  const leaderOf = localized
    ? joined.leaders((index) =>
        notes.adapted(
          `rows of ${uid} in a locale that their document already has, which become separate documents`,
          ids.at(index),
        ),
      )
    : (index: number) => index
  // Strapi only reads the first row of a single type. There may be more if it used to be a collection type.
  const isLeft = (index: number): boolean => isSingle && leaderOf(index) !== 0
  for (let index = 1; isSingle && index < ids.size(); index++)
    if (isLeft(index)) notes.leftOut(`further rows of the single type ${uid}`, ids.at(index), uid)
  return (id) => {
    const index = ids.indexOf(id)
    if (index === undefined || isLeft(index)) return undefined
    return {
      documentId: deriveId(uid, ids.at(leaderOf(index))),
      refs: draftAndPublish ? [2 * index + 1, 2 * index + 2] : [index + 1],
    }
  }
}

/** A row as Strapi 3 stores it. */
export type V3Row = Readonly<Record<string, unknown> & { _id: ObjectId }>

/** Yields the rows of a model in the order of their ids. */
export async function* rowsOf(
  db: Db,
  { collectionName }: Pick<Model, 'collectionName'>,
  options: Readonly<{ projection?: object }> = {},
): AsyncGenerator<V3Row> {
  yield* db
    .collection(collectionName)
    .find<V3Row>({ _id: { $type: 'objectId' } }, { ...options, batchSize: 500 })
    .sort({ _id: 1 })
}

async function noteOthers(db: Db, { uid, collectionName }: Model, notes: Notes): Promise<void> {
  const others = db
    .collection(collectionName)
    .find({ _id: { $not: { $type: 'objectId' } } }, { projection: { _id: 1 } })
  for await (const { _id } of others)
    notes.leftOut(`rows of ${uid} whose id is not from Strapi`, String(_id).slice(0, 100), uid)
}

/** Returns the ObjectIds in a stored list. */
export const idsIn = (value: unknown): readonly ObjectId[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((id) =>
    id instanceof ObjectId ? [id] : [],
  )
