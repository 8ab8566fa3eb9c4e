import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { BSON, MongoServerError } from 'mongodb'
import type { WriteNotes } from './collection-versions.js'
import type { Observed } from './sent-commands.js'
import { tellOf } from './sent-commands.js'

type Command = Readonly<Record<string, unknown>>
type Options = Readonly<{ session?: Readonly<{ inTransaction: () => boolean }> }>
type ConnectionClass = new (
  socket: Socket,
  options: unknown,
) => {
  command(
    namespace: unknown,
    command: Command,
    options?: Options,
    responseType?: unknown,
  ): Promise<unknown>
}

/** The driver's class, which it does not export; its option `connectionType` takes another one. */
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: ConnectionClass
}

/**
 * The driver keeps the `topologyVersion` of an error, and compares it with that of the next. If an answer is wanted in
 * bytes (`raw`), it is left in bytes as well (as of driver 7.9), and comparing it ends in a TypeError.
 */
function throwDecoded(error: unknown): never {
  if (error instanceof MongoServerError) {
    const topologyVersion: unknown = error.topologyVersion
    if (topologyVersion instanceof Uint8Array)
      Object.assign(error, { topologyVersion: BSON.deserialize(topologyVersion) })
  }
  throw error
}

/**
 * The driver's connection, whose commands always settle.
 *
 * Node destroys a socket as soon as the other end has hung up and says so (`close`) a moment later. A
 * command that is written between the two waits for the socket's `drain` (as of driver 7.9), which never
 * comes: the command does not end, its connection's place in the pool stays taken, and where the command
 * was the monitor's the client never finds its server again. So what ends a socket also wakes who waits
 * for it; the driver then sees that the connection is closed, and does what it does with any other.
 * @param onLost called when the other end has hung up, with every connection when the server ends
 * @param parts who is told of each command, and where those that write are noted
 */
export function driverConnection(
  onLost: () => void,
  { observed, notes }: Readonly<{ observed: Observed; notes: Pick<WriteNotes, 'noting'> }>,
): ConnectionClass {
  return class extends Connection {
    constructor(socket: Socket, options: unknown) {
      super(socket, options)
      // After the driver's own listeners, which note why the connection is closed.
      const wake = (): void => void socket.emit('drain')
      socket.on('error', wake).on('close', wake)
      socket.on('error', onLost).on('end', onLost)
    }

    // The driver's own monitoring copies each command, and is a set of events for each.
    override command(
      namespace: unknown,
      command: Command,
      options?: Options,
      responseType?: unknown,
    ): Promise<unknown> {
      return notes.noting(command, options?.session, () =>
        tellOf(observed, command, options, () =>
          super.command(namespace, command, options, responseType).catch(throwDecoded),
        ),
      )
    }
  }
}
