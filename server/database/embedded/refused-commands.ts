import { findField } from './bson-peek.js'
import type { Request } from './wire.js'
import { errorDocument } from './wire.js'
import { serialize } from './bson.js'

/** Commands on sessions, which the engine lacks. Each of them crashes it with a segmentation fault. */
const sessionCommands = new Set([
  'startSession',
  'refreshSessions',
  'killSessions',
  'killAllSessions',
  'killAllSessionsByPattern',
])

/** The commands that may be sent as OP_QUERY, as in MongoDB itself since version 6. */
const legacyCommands = new Set(['hello', 'isMaster', 'ismaster'])

/** Returns the host's own reply to a command that the engine must not see; undefined to let it through. */
export function answerWithoutEngine(request: Request, message: Buffer): Buffer | undefined {
  if (request.legacy && !legacyCommands.has(request.command)) {
    return errorDocument(352, 'UnsupportedOpQueryCommand', `${request.command} must come as OP_MSG`)
  }
  // Drivers send it when they close, and expect it to succeed.
  if (request.command === 'endSessions') return Buffer.from(serialize({ ok: 1 }))
  if (sessionCommands.has(request.command)) {
    return errorDocument(115, 'CommandNotSupported', 'the embedded engine has no sessions')
  }
  // A lock that is never released keeps the engine from closing.
  if (request.command === 'fsync' && findField(message, request.bodyAt, 'lock')) {
    return errorDocument(115, 'CommandNotSupported', 'the embedded engine cannot be locked')
  }
  return undefined
}
