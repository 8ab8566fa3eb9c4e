import type { ImportRecord } from '../import-runner/import-record.js'
import type { Note } from './notes.js'

/** The numbers of a type that were imported. */
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

/** The progress of the import of an export. `_id` is the id of its overview. */
export type ExportRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'staging' | 'content' | 'media' | 'done'
    /** Whether existing content is removed. Otherwise there was none. */
    replace: boolean
    /** In stage `content`: the last written document, and its type. */
    at?: Readonly<{ uid: string; documentId: string }>
    /** The last id that the database assigned to a component before the import. */
    componentsAfter: number
    /** The offset of component ids, by uid of the component. Strapi numbers the components of each uid separately. */
    componentsFrom: Readonly<Record<string, number>>
    mapped: Readonly<Record<string, Mapped>>
    media: Readonly<{ files: number; bytes: number }>
    notes: readonly Note[]
  }>
