import { serialize } from './bson.js'
import { firstField } from './bson-peek.js'

/** The part of MongoDB's wire protocol that the host needs. */

/** The parts of a message that the host needs before it forwards the message. */
export type Request = Readonly<{
  requestId: number
  /** `find` for `{ find: 'articles', … }`. */
  command: string
  /** Offset of the command's document. */
  bodyAt: number
  /** False for an unacknowledged write. */
  expectsReply: boolean
  /**
   * Whether the message is an OP_QUERY, as the first message of a driver is. The reply must have the same old format.
   */
  legacy: boolean
  /** Whether the message has a checksum. If so, it must be forwarded unchanged. */
  checksum: boolean
}>

/** In bytes: the maximum that the engine announces in its reply to `hello`. */
export const maxMessageBytes = 48_000_000
export const headerBytes = 16

const opReply = 1
const opQuery = 2004
const opMsg = 2013
const checksumPresent = 1
const moreToCome = 2

/** Reads the parts of a message that the host needs. Throws a RangeError if the message is malformed. */
export function readRequest(message: Buffer): Request {
  const opCode = message.readInt32LE(12)
  if (opCode === opQuery) {
    const nameEnd = message.indexOf(0, headerBytes + 4)
    if (nameEnd < 0) throw new RangeError('an OP_QUERY names no collection')
    const form = { expectsReply: true, legacy: true, checksum: false }
    return requestAt(message, nameEnd + 9, form)
  }
  if (opCode !== opMsg) throw new RangeError(`wire messages of type ${opCode} are not supported`)
  const flags = message.readUInt32LE(headerBytes)
  const checksum = (flags & checksumPresent) !== 0
  const end = message.length - (checksum ? 4 : 0)
  for (let at = headerBytes + 4; at < end;) {
    const isBody = message.readUInt8(at) === 0
    const length = message.readInt32LE(at + 1)
    if (length < 5) throw new RangeError('a section of a message is too short')
    if (isBody) {
      const expectsReply = (flags & moreToCome) === 0
      return requestAt(message, at + 1, { expectsReply, legacy: false, checksum })
    }
    at += 1 + length
  }
  throw new RangeError('a message has no body')
}

/** Creates all bytes of a reply that precede its document. */
export function replyHeader(requestId: number, responseLength: number, legacy: boolean): Buffer {
  const length = headerBytes + (legacy ? 20 : 5)
  const header = Buffer.alloc(length)
  header.writeInt32LE(length + responseLength, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(legacy ? opReply : opMsg, 12)
  if (legacy) header.writeInt32LE(1, 32) // one document
  return header
}

/** Adds a string field at the end of the command. */
export function withTextField(message: Buffer, bodyAt: number, name: string, text: string): Buffer {
  const length = message.readInt32LE(bodyAt)
  // Only the new field, without the length prefix. Its last byte, the terminator, replaces that of the command.
  const field = Buffer.from(serialize({ [name]: text })).subarray(4)
  const end = bodyAt + length - 1
  const longer = Buffer.concat([message.subarray(0, end), field, message.subarray(end + 1)])
  longer.writeInt32LE(longer.length, 0)
  longer.writeInt32LE(length + field.length - 1, bodyAt)
  return longer
}

/** Creates an OP_MSG for a command of the host itself. */
export function commandMessage(command: Record<string, unknown>): Buffer {
  const body = serialize(command)
  return Buffer.concat([replyHeader(0, body.length, false), body])
}

/** Creates an error reply as the driver expects it. */
export function errorDocument(code: number, codeName: string, errmsg: string): Buffer {
  return Buffer.from(serialize({ ok: 0, errmsg, code, codeName }))
}

function requestAt(
  message: Buffer,
  bodyAt: number,
  form: Pick<Request, 'expectsReply' | 'legacy' | 'checksum'>,
): Request {
  const command = firstField(message, bodyAt)?.name ?? ''
  return { requestId: message.readInt32LE(4), command, bodyAt, ...form }
}
