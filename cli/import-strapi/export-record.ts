import type { ImportRecord } from '../import-runner/import-record.js'
import type { Note } from './notes.js'

/** How many there are of a type. */
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

/** How far the import of an export has come; `_id` is the id of its overview. */
export type ExportRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'staging' | 'content' | 'media' | 'done'
    /** Whether what was there before is taken away; where that was not asked for, nothing was. */
    replace: boolean
    /** Of `content`: the last document that is there, of this type and of those before it. */
    at?: Readonly<{ uid: string; documentId: string }>
    /** The last id of a component that the database had given when it began. */
    componentsAfter: number
    /** What ids of components are raised by, by uid of the component: Strapi numbers each by itself. */
    componentsFrom: Readonly<Record<string, number>>
    mapped: Readonly<Record<string, Mapped>>
    media: Readonly<{ files: number; bytes: number }>
    notes: readonly Note[]
  }>
