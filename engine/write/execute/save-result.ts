import type { AgreedDraft } from './take-off-marks.js'

/** Outcome of the steps of a write. */
export type SaveResult = Readonly<
  /** `stored`: the addressed version as stored now; absent if it has to be read. */
  | {
      kind: 'saved'
      id: number
      revision: number
      stored?: Uint8Array | undefined
      /** The draft whose mark can be removed. */
      agreed?: AgreedDraft | undefined
    }
  /** The document was written since it was read. This write changed nothing. */
  | { kind: 'stale' }
  /** A unique index refused the write, and the draft was restored. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while it was being published. */
  | { kind: 'gone' }
>

/** Interprets a refusing index: another writer was faster, or a value is taken. */
export function refusalOf(index: readonly string[]): SaveResult {
  const [field = '_id'] = index
  const isOurs = ['_revision', '_id', 'documentId', 'locale'].includes(field)
  return isOurs || field.includes('.') ? { kind: 'stale' } : { kind: 'taken', field }
}
