import { checkParent, endWithParent } from '../../processes/end-with-parent.js'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../engine/errors/message-of.js'
import type { EngineFailureReason } from '../engine-start-error.js'
import { folderWaitMs } from '../folder-wait.js'
import { findLockOwner } from '../lock-owner.js'
import type { EngineOrder, EngineReport, EngineSettings } from './engine-messages.js'
import { openEngineServer, type EngineServer, type EngineServerOptions } from './engine-server.js'
import { loadEngine, UnsupportedSystemError } from './native-engine.js'

/**
 * Entry point of the engine's process. A crash of the engine does not stop the service. The process ends when its
 * parent ends.
 */

/** How long stopping may take, in milliseconds. Afterwards the process kills itself with SIGKILL. */
const stopWithinMs = 9_000
/** How long, in ms, a new process waits for an orphaned predecessor to close the folder. */
const waitForOrphanMs = stopWithinMs + 3_000

const settings = JSON.parse(process.argv[2] ?? '{}') as EngineSettings
let server: EngineServer | undefined
const stopping = new AbortController()
/** Whether database files may be open, which must be closed before the process ends. */
let isOpening = false

endWithParent(() => void stop())
// Ctrl-C and process managers signal the whole process group, but only the parent may stop the database, after its last
// response.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('message', (order: EngineOrder) => {
  if (order.kind === 'stop') void stop()
  else report({ kind: 'alive' })
})

try {
  const engine = await loadEngine(settings.cacheDirectory)
  await checkParent()
  isOpening = true
  server = await openWhenFree({
    engine,
    directory: settings.directory,
    memory: settings.memory,
    listen: { path: settings.socketPath },
    onRecovery: () => report({ kind: 'recovering' }),
    signal: stopping.signal,
  })
  report({ kind: 'ready', recovery: server.recovery })
  if (stopping.signal.aborted) await stop()
} catch (error) {
  fail(error)
}

async function openWhenFree(options: EngineServerOptions): Promise<EngineServer> {
  const start = performance.now()
  // Once an orphan was seen, keep the longer wait. If the orphan ends right after an attempt has failed because of it,
  // no owner is found, but the next attempt can succeed.
  let waitMs = folderWaitMs()
  for (;;) {
    try {
      return await openEngineServer(options)
    } catch (error) {
      if (reasonOf(error) !== 'in-use') throw error
      const lockOwner = await findLockOwner(options.directory)
      if (lockOwner?.isOrphaned === true) waitMs = waitForOrphanMs
      if (performance.now() - start > waitMs) throw error
      await sleep(100, undefined, { signal: stopping.signal })
    }
  }
}

async function stop(): Promise<void> {
  if (!isOpening) exit(0)
  if (!stopping.signal.aborted) setTimeout(killSelf, stopWithinMs)
  stopping.abort()
  if (!server) return
  const toClose = server
  server = undefined
  await toClose.close()
  exit(0)
}

function fail(error: unknown): void {
  const message = messageOf(error)
  // Exit without closing the engine, so that the next start retries a failed recovery.
  report({ kind: 'failed', reason: reasonOf(error), message }, () => exit(1))
}

function exit(code: number): never {
  removeOrphanedSocket()
  process.exit(code)
}

function killSelf(): void {
  removeOrphanedSocket()
  process.kill(process.pid, 'SIGKILL')
}

/** Removes the socket's folder if the parent has ended. A living parent removes it itself. */
function removeOrphanedSocket(): void {
  if (process.connected) return
  rmSync(dirname(settings.socketPath), { recursive: true, force: true })
}

function report(message: EngineReport, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, sent)
  else sent()
}

function reasonOf(error: unknown): EngineFailureReason {
  if (error instanceof UnsupportedSystemError) return 'unsupported'
  return error instanceof Error && error.message.includes('DBPathInUse') ? 'in-use' : 'other'
}
