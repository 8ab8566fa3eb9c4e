import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { BSON, MongoServerError } from 'mongodb'
import type { WriteTracker } from './collection-versions.js'
import type { Observed } from './sent-commands.js'
import { observeCommand } from './sent-commands.js'

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

/** The driver's connection class. The driver does not export it, but its option `connectionType` accepts a subclass. */
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: ConnectionClass
}

/**
 * Rethrows an error after decoding its `topologyVersion`. The driver compares this value with that of the next error.
 * With the option `raw`, the driver leaves it as bytes (as of driver 7.9), and the comparison throws a TypeError.
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
 * Returns the driver's connection class, changed so that every command settles.
 *
 * When the other end hangs up, Node destroys the socket, and emits `close` a moment later. A command that is written in
 * that moment waits for the socket's `drain` event (as of driver 7.9), which is never emitted. The command never ends,
 * and its connection stays checked out. If it was a command of the driver's monitor, the client never finds its server
 * again. So this class also emits `drain` when a socket closes. The driver then sees that the connection is closed, and
 * handles it like any closed connection.
 * @param onLost called when the other end has hung up. If the server process ends, this happens for every connection
 * @param parts the observer of each command, and the write tracker
 */
export function driverConnection(
  onLost: () => void,
  { observed, notes }: Readonly<{ observed: Observed; notes: Pick<WriteTracker, 'trackCommand'> }>,
): ConnectionClass {
  return class extends Connection {
    constructor(socket: Socket, options: unknown) {
      super(socket, options)
      // Registered after the driver's own listeners, which record why the connection was closed.
      const wake = (): void => void socket.emit('drain')
      socket.on('error', wake).on('close', wake)
      socket.on('error', onLost).on('end', onLost)
    }

    // Observe commands here, because the driver's own command monitoring copies each command and emits several events
    // for it.
    override command(
      namespace: unknown,
      command: Command,
      options?: Options,
      responseType?: unknown,
    ): Promise<unknown> {
      return notes.trackCommand(command, options?.session, () =>
        observeCommand(observed, command, options, () =>
          super.command(namespace, command, options, responseType).catch(throwDecoded),
        ),
      )
    }
  }
}
