import { bsonType, fields, findField, stringValue } from './bson-peek.js'

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
    const cursor = findField(response, 0, 'cursor')
    if (cursor?.type !== bsonType.document) return
    const idField = findField(response, cursor.offset, 'id')
    if (idField?.type !== bsonType.int64) return
    const id = response.readBigInt64LE(idField.offset)
    if (id === 0n) return
    const [database = '', ...collection] = (
      stringValue(response, findField(response, cursor.offset, 'ns')) ?? ''
    ).split('.')
    this.#cursors.set(id, { id, database, collection: collection.join('.'), usedAt: now })
  }

  /**
   * Learns from a command which cursors it uses or ends. The one of a `getMore` is known again
   * when the reply tells that it stays open, so it cannot be closed in between.
   */
  forgetNamedBy(command: string, message: Buffer, bodyAt: number): void {
    if (command === 'getMore') {
      const id = findField(message, bodyAt, 'getMore')
      if (id?.type === bsonType.int64) this.#cursors.delete(message.readBigInt64LE(id.offset))
    }
    if (command === 'killCursors') {
      const list = findField(message, bodyAt, 'cursors')
      if (list?.type !== bsonType.array) return
      for (const id of fields(message, list.offset)) {
        if (id.type === bsonType.int64) this.#cursors.delete(message.readBigInt64LE(id.offset))
      }
    }
  }

  /** Takes out the cursors that were not used since `before`. */
  takeIdle(before: number): OpenCursor[] {
    const idle = [...this.#cursors.values()].filter((cursor) => cursor.usedAt < before)
    for (const { id } of idle) this.#cursors.delete(id)
    return idle
  }
}
