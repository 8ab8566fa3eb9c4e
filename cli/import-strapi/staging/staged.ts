import type { Collection, Db } from 'mongodb'

/** A row as it is in the export, stored so that all versions of a document are found together. `_id` is `keyOf`. */
type StagedRow = Readonly<{
  _id: string
  type: string
  documentId: string
  /** Its line as text, because MongoDB does not allow all JSON keys as field names. */
  line: string
}>

/** A reference, from the end that stores it. */
export type StagedLink = Readonly<{
  /** The place of its line in the export, so that staging can be repeated. */
  _id: string
  /** `keyOf` the row or component that is the source. */
  owner: string
  /** Name of its attribute. */
  field: string
  /** `keyOf` the target. */
  target: string
  /** Its positions in the source's list (`at`) and in the inverse list (`order`). */
  at: number
  order: number
}>

/** The content of a file, or of a resized version. `_id` is its new name. */
export type StagedAsset = Readonly<{
  _id: string
  /** Its name in the archive, which two files may share. */
  from: string
  /** Where its provider stored it, unless in a folder of Strapi, and the field of the file with that URL. */
  keptAt?:
    Readonly<{ provider: string; url: string; documentId: string; field: string }> | undefined
  /** Whether the archive has it. */
  isThere?: true
}>

/** Temporary collections of a running import. */
export const stagedRows = (db: Db): Collection<StagedRow> => db.collection('_import.rows')
export const stagedLinks = (db: Db): Collection<StagedLink> => db.collection('_import.links')
export const stagedAssets = (db: Db): Collection<StagedAsset> => db.collection('_import.assets')

/** Creates empty staging collections. */
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
