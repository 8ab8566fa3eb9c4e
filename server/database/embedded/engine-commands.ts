import type { Document, Long } from 'mongodb'
import { deserialize } from './bson.js'
import { commandMessage } from './wire.js'

/** Runs commands of the host itself, without the limit on concurrent commands of clients. */

type Runner = Readonly<{ runOwn(message: Buffer): Promise<Buffer> }>

/** Runs a command and returns its reply. Throws if the reply is an error. */
export async function runCommand(
  handler: Runner,
  database: string,
  command: Document,
): Promise<Document> {
  const response = await handler.runOwn(commandMessage({ ...command, $db: database }))
  const reply = deserialize(response, { promoteLongs: false })
  if (Number(reply.ok) !== 1) throw new Error(String(reply.errmsg))
  return reply
}

/** Runs a command and reads its cursor to the end. */
export async function readAll(
  handler: Runner,
  database: string,
  command: Document,
): Promise<Document[]> {
  const documents: Document[] = []
  let reply = await runCommand(handler, database, { ...command, cursor: {} })
  for (;;) {
    const cursor = reply.cursor as Cursor
    documents.push(...(cursor.firstBatch ?? cursor.nextBatch ?? []))
    if (cursor.id.isZero()) return documents
    const collection = cursor.ns.slice(cursor.ns.indexOf('.') + 1)
    reply = await runCommand(handler, database, { getMore: cursor.id, collection })
  }
}

/** Kills all running operations of clients. */
export async function killClientOperations(handler: Runner): Promise<void> {
  for (const operation of await currentOperations(handler, {})) {
    if (isOfClient(operation)) await killOperation(handler, operation)
  }
}

/** Kills the operations whose command has this comment. */
export async function killByComment(handler: Runner, comment: string): Promise<void> {
  for (const operation of await currentOperations(handler, { 'command.comment': comment })) {
    await killOperation(handler, operation)
  }
}

const currentOperations = (handler: Runner, match: Document): Promise<Document[]> =>
  readAll(handler, 'admin', {
    aggregate: 1,
    pipeline: [{ $currentOp: { allUsers: true } }, { $match: match }],
  })

async function killOperation(handler: Runner, { opid }: Document): Promise<void> {
  await runCommand(handler, 'admin', { killOp: 1, op: opid as number })
}

type Cursor = { id: Long; ns: string; firstBatch?: Document[]; nextBatch?: Document[] }

/** Excludes the engine's own operations (checkpoint, journal) and the `$currentOp` query itself. */
function isOfClient(operation: Document): boolean {
  return operation.op !== 'none' && operation.ns !== 'admin.$cmd.aggregate'
}
