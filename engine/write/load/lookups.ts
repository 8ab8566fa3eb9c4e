import type { Document } from 'mongodb'
import { findAtOnce } from './find-at-once.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { combine } from './combine.js'
import { listing, oneOf } from './expressions.js'
import { groupBy } from '../../values/batches.js'
import { type ContentType, collectionsOf } from '../../schema/content-type.js'
import type { Owners, OwningRelation, Version, Versions } from '../change/change.js'

type Lookup = Readonly<{
  collection: string
  field: '_id' | 'documentId'
  projection?: Document
  exact?: boolean
  /** Whether a key has at most one document. */
  isOne?: boolean
  maxKeys?: number
}>

/** Finds the documents with this key in a field. Concurrent look-ups of the same kind share one command. */
function findByKey(
  unit: UnitOfWork,
  lookup: Lookup,
  key: string | number,
): Promise<readonly Document[]> {
  const { field, isOne = false, maxKeys = 10_000, ...query } = lookup
  const find = combine<string | number, readonly Document[]>(
    unit,
    `find ${JSON.stringify(lookup)}`,
    async (keys, { db, read }) => {
      const filter = { [field]: oneOf(keys) }
      const found = await read((options) =>
        findAtOnce(db, { ...query, filter, isOne: isOne && keys.length === 1 }, options),
      )
      const byKey = groupBy(found, field)
      return keys.map((one) => byKey.get(one) ?? [])
    },
    { maxKeys },
  )
  return find(key)
}

/** Finds all versions of a document: one per locale. */
export function findVersions(
  unit: UnitOfWork,
  collection: string,
  documentId: string,
  localized = true,
): Promise<readonly Document[]> {
  // Fewer keys than the default, because the query reads whole documents for each key.
  const lookup = { field: 'documentId', exact: true, isOne: !localized, maxKeys: 100 } as const
  return findByKey(unit, { collection, ...lookup }, documentId)
}

/** Whether a document exists in any locale. */
export async function exists(
  unit: UnitOfWork,
  collection: string,
  documentId: string,
): Promise<boolean> {
  const lookup = { field: 'documentId', projection: { _id: 0, documentId: 1 } } as const
  return (await findByKey(unit, { collection, ...lookup }, documentId)).length > 0
}

/** Returns the documentId of the version with this record id. */
export async function findDocumentId(
  unit: UnitOfWork,
  collection: string,
  id: number,
): Promise<string | undefined> {
  const lookup = { field: '_id', projection: { documentId: 1 } } as const
  const [version] = await findByKey(unit, { collection, ...lookup }, id)
  return version?.['documentId'] as string | undefined
}

/** Returns the revision at which a draft was last unpublished; 0 = never, undefined if the draft does not exist. */
export async function findUnpublished(
  unit: UnitOfWork,
  collection: string,
  id: number,
): Promise<number | undefined> {
  const lookup = { field: '_id', projection: { _unpublishedFrom: 1 } } as const
  const [draft] = await findByKey(unit, { collection, ...lookup }, id)
  return draft && Number(draft['_unpublishedFrom'] ?? 0)
}

/** Reads all versions of a document. */
export async function readVersions(
  unit: UnitOfWork,
  type: ContentType,
  documentId: string,
): Promise<Versions> {
  const [current = [], published = []] = await Promise.all(
    collectionsOf(type).map((name) => findVersions(unit, name, documentId, type.localized)),
  )
  return { current: current as readonly Version[], published: published as readonly Version[] }
}

/** Finds the entries that refer to a document through a relation, in the order of the document's inverse list. */
export async function findOwners(
  unit: UnitOfWork,
  { owner, attribute, locale }: OwningRelation,
  target: string,
): Promise<Readonly<{ drafts: Owners; published: Owners | undefined }>> {
  const { storedAs: field } = attribute
  const listed = attribute.type === 'relation' ? attribute.listed : undefined
  const pipeline = [
    { $match: { ...listing(listed, field, [target]), [`${field}.documentId`]: target, locale } },
    { $project: { documentId: 1, reference: `$${field}` } },
    { $unwind: '$reference' },
    { $match: { 'reference.documentId': target } },
    { $sort: { 'reference.order': 1, _id: 1 } },
    { $project: { _id: 0, documentId: 1, order: '$reference.order' } },
  ]
  const [drafts = [], published] = await Promise.all(
    collectionsOf(owner).map((name) =>
      unit.read((options) =>
        unit.db
          .collection(name)
          .aggregate<{ documentId: string; order: number }>(pipeline, options)
          .toArray(),
      ),
    ),
  )
  return { drafts, published }
}
