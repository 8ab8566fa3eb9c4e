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

/**
 * A subclass of this class can be passed to the driver in its option `connectionType`, but the driver does not export
 * the class.
 */
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: ConnectionClass
}

/**
 * Rethrows an error with a decoded `topologyVersion`. With the option `raw`, driver 7.9 keeps this member as bytes, and
 * throws a TypeError when it compares the bytes with the `topologyVersion` of the next error.
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
 * Returns the driver's connection class, changed so that it also emits `drain` when a socket closes. Otherwise, a
 * command that is written just before the socket's `close` waits for `drain` forever (as of driver 7.9), and its
 * connection stays checked out.
 * @param onLost called for each connection that the other end has closed, so for every connection if the server process
 * ends
 */
export function driverConnection(
  onLost: () => void,
  { observed, notes }: Readonly<{ observed: Observed; notes: Pick<WriteTracker, 'trackCommand'> }>,
): ConnectionClass {
  return class extends Connection {
    constructor(socket: Socket, options: unknown) {
      super(socket, options)
      // Register these after the driver's own listeners, which record why the connection was closed.
      const wake = (): void => void socket.emit('drain')
      socket.on('error', wake).on('close', wake)
      socket.on('error', onLost).on('end', onLost)
    }

    // Observe commands here, because the driver's own monitoring copies each command and emits several events for it.
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
