import type { ImportRecord } from '../import-runner/import-record.js'
import type { Note } from './notes.js'

/** The numbers of rows read and entries written for a type. */
export type Mapped = Readonly<{
  rows: number
  documents: number
  drafts: number
  published: number
}>

const noRows: Mapped = { rows: 0, documents: 0, drafts: 0, published: 0 }

export const addMapped = (one: Mapped, other: Mapped = noRows): Mapped => ({
  rows: one.rows + other.rows,
  documents: one.documents + other.documents,
  drafts: one.drafts + other.drafts,
  published: one.published + other.published,
})

/** The progress of importing an export. `_id` is the id in the export's overview. */
export type ExportRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'staging' | 'content' | 'media' | 'done'
    /** Whether the import removes existing content. If false, there was none when the import began. */
    replace: boolean
    /** In stage `content`: the last written document. */
    at?: Readonly<{ uid: string; documentId: string }>
    /** The last component id that this database had assigned before the import began. */
    componentsAfter: number
    /**
     * The number to add to component ids, by uid. Strapi's component ids are unique per uid, Quire's in the whole
     * database.
     */
    componentsFrom: Readonly<Record<string, number>>
    mapped: Readonly<Record<string, Mapped>>
    media: Readonly<{ files: number; bytes: number }>
    notes: readonly Note[]
  }>
