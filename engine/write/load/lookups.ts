import type { Document } from 'mongodb'
import { findAtOnce } from './find-at-once.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { combine } from './combine.js'
import { listing, oneOf } from './expressions.js'
import { groupBy } from './group-by.js'

type Stored = Document & { _id: number }

/** Finds all versions of a document: one per locale. */
export async function findVersions(
  unit: UnitOfWork,
  collection: string,
  documentId: string,
  localized = true,
): Promise<readonly Document[]> {
  const find = combine<string, readonly Document[]>(
    unit,
    `${localized ? 'versions' : 'only versions'} in ${collection}`,
    async (documentIds, { db, read }) => {
      const isOne = documentIds.length === 1 && !localized
      const found = await read((options) =>
        findAtOnce(
          db,
          { collection, filter: { documentId: oneOf(documentIds) }, isOne, exact: true },
          options,
        ),
      )
      const versions = groupBy(found, 'documentId')
      return documentIds.map((id) => versions.get(id) ?? [])
    },
    // Fewer keys than the default, because the query reads whole documents for each key.
    { maxKeys: 100 },
  )
  return find(documentId)
}

/** Returns the revision at which a draft was last unpublished; 0 = never, undefined if the draft does not exist. */
export async function findUnpublished(
  unit: UnitOfWork,
  collection: string,
  id: number,
): Promise<number | undefined> {
  const find = combine<number, number | undefined>(
    unit,
    `unpublished in ${collection}`,
    async (ids, { db, read }) => {
      const drafts = await read((options) =>
        findAtOnce<Stored>(
          db,
          { collection, filter: { _id: oneOf(ids) }, projection: { _unpublishedFrom: 1 } },
          options,
        ),
      )
      const known = new Map(
        drafts.map(({ _id, _unpublishedFrom }) => [_id, Number(_unpublishedFrom ?? 0)]),
      )
      return ids.map((id) => known.get(id))
    },
  )
  return find(id)
}

/** Finds the entries that refer to a document through a relation, in the order of the document's inverse list. */
export async function findOwners(
  unit: UnitOfWork,
  collection: string,
  { storedAs: field, listed }: Readonly<{ storedAs: string; listed?: true }>,
  locale: string | null,
  target: string,
): Promise<readonly Readonly<{ documentId: string; order: number }>[]> {
  const pipeline = [
    { $match: { ...listing(listed, field, [target]), [`${field}.documentId`]: target, locale } },
    { $project: { documentId: 1, reference: `$${field}` } },
    { $unwind: '$reference' },
    { $match: { 'reference.documentId': target } },
    { $sort: { 'reference.order': 1, _id: 1 } },
    { $project: { _id: 0, documentId: 1, order: '$reference.order' } },
  ]
  return unit.read((options) =>
    unit.db
      .collection(collection)
      .aggregate<{ documentId: string; order: number }>(pipeline, options)
      .toArray(),
  )
}
