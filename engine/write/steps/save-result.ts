import type { AgreedDraft } from './take-off-marks.js'

/** How the steps of a write ended. */
export type SaveResult = Readonly<
  /** `stored`: the version that was addressed, as it is stored now; absent where it has to be read. */
  | {
      kind: 'saved'
      id: number
      revision: number
      stored?: Uint8Array | undefined
      /** The draft whose mark can go. */
      agreed?: AgreedDraft | undefined
    }
  /** Somebody else wrote the document since it was read: nothing was changed. */
  | { kind: 'stale' }
  /** A unique index refused, and the draft is as it was. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while it was being published. */
  | { kind: 'gone' }
>

/** What an index says: another writer was faster, or a value is taken. */
export function refusalOf(index: readonly string[]): SaveResult {
  const [field = '_id'] = index
  const isOurs = ['_revision', '_id', 'documentId', 'locale'].includes(field)
  return isOurs || field.includes('.') ? { kind: 'stale' } : { kind: 'taken', field }
}
