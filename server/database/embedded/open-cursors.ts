import {
  bsonType,
  fields,
  findDocument,
  findField,
  int64Value,
  stringValue,
  type Field,
} from './bson-peek.js'

/** An open cursor, and when it was last used. */
export type OpenCursor = Readonly<{
  id: bigint
  database: string
  collection: string
  usedAt: number
}>

/** Tracks open cursors. The engine does not close idle ones, so those of vanished clients would keep their memory. */
export class OpenCursors {
  readonly #cursors = new Map<bigint, OpenCursor>()

  get size(): number {
    return this.#cursors.size
  }

  /** Tracks the cursor in a reply, if the cursor is still open. */
  note(response: Buffer, now: number): void {
    const cursor = findDocument(response, 0, 'cursor')
    if (cursor === undefined) return
    const id = int64Value(response, findField(response, cursor, 'id'))
    if (id === undefined || id === 0n) return
    const [database = '', ...collection] = (
      stringValue(response, findField(response, cursor, 'ns')) ?? ''
    ).split('.')
    this.#cursors.set(id, { id, database, collection: collection.join('.'), usedAt: now })
  }

  /**
   * Stops tracking cursors named by a `getMore` or `killCursors`, so that none is closed as idle during the command.
   * After a `getMore`, `note` tracks the cursor again.
   */
  forgetNamedBy(command: string, message: Buffer, bodyAt: number): void {
    if (command === 'getMore') this.#forget(message, findField(message, bodyAt, 'getMore'))
    if (command !== 'killCursors') return
    const list = findField(message, bodyAt, 'cursors')
    if (list?.type !== bsonType.array) return
    for (const id of fields(message, list.offset)) this.#forget(message, id)
  }

  #forget(message: Buffer, field: Field | undefined): void {
    const id = int64Value(message, field)
    if (id !== undefined) this.#cursors.delete(id)
  }

  /** Stops tracking cursors last used before `before`, and returns them. */
  takeIdle(before: number): OpenCursor[] {
    const idle = [...this.#cursors.values()].filter((cursor) => cursor.usedAt < before)
    for (const { id } of idle) this.#cursors.delete(id)
    return idle
  }
}
