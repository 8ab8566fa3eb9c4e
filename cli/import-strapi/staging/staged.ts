import type { Collection, Db } from 'mongodb'

/** A row as it stands in the export, so that all versions of a document are found together. `_id` is `keyOf`. */
type StagedRow = Readonly<{
  _id: string
  type: string
  documentId: string
  /** Its line: a field of MongoDB's may not be called everything that a key of JSON may. */
  line: string
}>

/** One reference, from the end that keeps it. */
export type StagedLink = Readonly<{
  /** The place of its line, so that staging twice is staging once. */
  _id: string
  /** `keyOf` the row or component that has it. */
  owner: string
  /** Name of its attribute. */
  field: string
  /** `keyOf` what it leads to. */
  target: string
  /** Its place in the owner's list, and in the list of the other side. */
  at: number
  order: number
}>

/** The content of a file, or of a smaller version of one. `_id` is how it is to be called. */
export type StagedAsset = Readonly<{
  _id: string
  /** What it is called in the archive, where two files may have one. */
  from: string
  /** Where its provider kept it, if that was no folder of Strapi's, and which field of which file says so. */
  keptAt?:
    Readonly<{ provider: string; url: string; documentId: string; field: string }> | undefined
  /** Whether the archive has it. */
  isThere?: true
}>

/** What an import keeps for itself while it runs. */
export const stagedRows = (db: Db): Collection<StagedRow> => db.collection('_import.rows')
export const stagedLinks = (db: Db): Collection<StagedLink> => db.collection('_import.links')
export const stagedAssets = (db: Db): Collection<StagedAsset> => db.collection('_import.assets')

/** Begins with nothing staged. */
export async function openStaging(db: Db): Promise<void> {
  await dropStaging(db)
  await stagedRows(db).createIndex({ type: 1, documentId: 1, _id: 1 })
  await stagedLinks(db).createIndex({ owner: 1 })
  await stagedAssets(db).createIndex({ from: 1 })
}

export async function dropStaging(db: Db): Promise<void> {
  for (const name of ['_import.rows', '_import.links', '_import.assets'])
    await db.dropCollection(name)
}
