import type { Collection, Db } from 'mongodb'

/** A row of the export. `_id` is `keyOf(type, id)`. */
type StagedRow = Readonly<{
  _id: string
  type: string
  documentId: string
  /** Stored as text, because MongoDB does not allow all JSON keys as field names. */
  line: string
}>

/** A reference from one row or component to another. */
export type StagedLink = Readonly<{
  /** The position of the link in the export, so that a repeated staging assigns the same `_id`. */
  _id: string
  /** `keyOf` the row or component that contains the reference. */
  owner: string
  field: string
  /** `keyOf` the row or component that the reference points to. */
  target: string
  /** `at` is the position in the owner's list, `order` that in the target's inverse list. */
  at: number
  order: number
}>

/** The content of a file or of a resized version. `_id` is the new name of the content. */
export type StagedAsset = Readonly<{
  _id: string
  /** The name in the archive, which two files may share. */
  from: string
  /**
   * The URL of the content at the previous provider, and the field of the file's row that stores it. Absent for content
   * in Strapi's local folder.
   */
  keptAt?:
    Readonly<{ provider: string; url: string; documentId: string; field: string }> | undefined
  /** Whether the archive contains this content. */
  isThere?: true
}>

/** Temporary collections that only exist while an import runs. */
export const stagedRows = (db: Db): Collection<StagedRow> => db.collection('_import.rows')
export const stagedLinks = (db: Db): Collection<StagedLink> => db.collection('_import.links')
export const stagedAssets = (db: Db): Collection<StagedAsset> => db.collection('_import.assets')

/** Empties the staging collections and creates their indexes. */
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
