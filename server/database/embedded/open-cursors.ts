import {
  bsonType,
  fields,
  findDocument,
  findField,
  int64Value,
  stringValue,
  type Field,
} from './bson-peek.js'

/** An open cursor: which it is, and when it was last used. */
export type OpenCursor = Readonly<{
  id: bigint
  database: string
  collection: string
  usedAt: number
}>

/**
 * Remembers the engine's open cursors, because the engine has no reaper of idle ones: without it
 * a client that goes away keeps its cursors, and what they hold in memory, until the next start.
 */
export class OpenCursors {
  readonly #cursors = new Map<bigint, OpenCursor>()

  get size(): number {
    return this.#cursors.size
  }

  /** Learns from a reply whether it opened or kept a cursor. */
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
   * Learns from a command which cursors it uses or ends. The one of a `getMore` is known again
   * when the reply tells that it stays open, so it cannot be closed in between.
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

  /** Takes out the cursors that were not used since `before`. */
  takeIdle(before: number): OpenCursor[] {
    const idle = [...this.#cursors.values()].filter((cursor) => cursor.usedAt < before)
    for (const { id } of idle) this.#cursors.delete(id)
    return idle
  }
}
