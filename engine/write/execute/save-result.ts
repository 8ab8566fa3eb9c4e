import type { AgreedDraft } from './take-off-marks.js'

/** Outcome of executing the steps of a save. */
export type SaveResult = Readonly<
  /** `stored` is the written version as it is stored now; undefined if it would have to be read. */
  | {
      kind: 'saved'
      id: number
      revision: number
      stored?: Uint8Array | undefined
      /** The draft, if its `_modified` mark can now be removed. */
      agreed?: AgreedDraft | undefined
    }
  /** Another write has changed the document since it was read. This write has changed nothing. */
  | { kind: 'stale' }
  /** A unique index rejected a value. The draft was restored. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while it was being published. */
  | { kind: 'gone' }
>

/**
 * Returns the result of a step that a unique index has rejected: either another write was faster, or the value of an
 * attribute is taken. `index` contains the fields of the unique index.
 */
export function refusalOf(index: readonly string[]): SaveResult {
  const [field = '_id'] = index
  const isOurs = ['_revision', '_id', 'documentId', 'locale'].includes(field)
  return isOurs || field.includes('.') ? { kind: 'stale' } : { kind: 'taken', field }
}
