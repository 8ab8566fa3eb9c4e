import type { Collection, Db } from 'mongodb'

/** A row of the export, stored so that all rows of a document can be found together. `_id` is `keyOf(type, id)`. */
type StagedRow = Readonly<{
  _id: string
  type: string
  documentId: string
  /** The row's line as text, because MongoDB does not allow all JSON keys as field names. */
  line: string
}>

/** A reference, stored at its source. */
export type StagedLink = Readonly<{
  /** The position of the link's line in the export. It makes staging repeatable. */
  _id: string
  /** `keyOf` the row or component that is the source of the reference. */
  owner: string
  /** Name of the relation attribute in the source. */
  field: string
  /** `keyOf` the target. */
  target: string
  /** `at` is the position in the source's list. `order` is the position in the inverse list. */
  at: number
  order: number
}>

/** The content of a file, or of a resized version. `_id` is its new name. */
export type StagedAsset = Readonly<{
  _id: string
  /** The name in the archive. Two files may share it. */
  from: string
  /**
   * Where the previous provider stores the content, and the field of the file's row that contains this URL. Absent if
   * Strapi stored the content in a local folder.
   */
  keptAt?:
    Readonly<{ provider: string; url: string; documentId: string; field: string }> | undefined
  /** Whether the archive contains this content. */
  isThere?: true
}>

/** Temporary collections. They only exist while an import runs. */
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
