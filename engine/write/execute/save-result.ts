import type { AgreedDraft } from './take-off-marks.js'

/** Outcome of a save. */
export type SaveResult = Readonly<
  /** `stored` is the written version; undefined if it would have to be read. */
  | {
      kind: 'saved'
      id: number
      revision: number
      stored?: Uint8Array | undefined
      /** The draft, if its `_modified` mark can be removed. */
      agreed?: AgreedDraft | undefined
    }
  /** Another write has changed the document since it was read. Nothing was written. */
  | { kind: 'stale' }
  /** A unique index rejected a value. The draft was restored. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while it was published. */
  | { kind: 'gone' }
>

/**
 * Interprets a rejection by the unique index on the given fields: either another write was faster, or a value is taken.
 */
export function refusalOf(index: readonly string[]): SaveResult {
  const [field = '_id'] = index
  const isOurs = ['_revision', '_id', 'documentId', 'locale'].includes(field)
  return isOurs || field.includes('.') ? { kind: 'stale' } : { kind: 'taken', field }
}
