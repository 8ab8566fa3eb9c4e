import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { EngineStartError } from '../engine-start-error.js'
import { folderWaitMs } from '../folder-wait.js'
import { findLockOwner, findProcess } from '../lock-owner.js'
import type { MongodFiles } from './mongod-files.js'

/** Milliseconds until a server that does not stop is killed. */
const stopWithinMs = 30_000
const pauseMs = 100

/**
 * Waits until no server uses the folder; returns false if one still does. Stops a server whose Quire was killed. A
 * server whose Quire is running gets a moment to end.
 */
export async function waitUntilFree(files: MongodFiles, log: Logger): Promise<boolean> {
  for (const deadline = performance.now() + folderWaitMs(); ;) {
    const found = await findLockOwner(files.directory)
    if (found === undefined) return true
    if (found.isOrphaned) {
      log.warn(
        { enginePid: found.pid },
        'Stopping a database engine whose service was killed, and starting another',
      )
      await endServer(found.pid)
      return true
    }
    if (performance.now() > deadline) return false
    await sleep(pauseMs)
  }
}

/**
 * Retries a start that failed because the folder or the port was in use. `waitUntilFree` cannot see a server that was
 * just started and has not locked the folder yet.
 */
export async function retryWhenFree<T>(
  files: MongodFiles,
  log: Logger,
  start: () => Promise<T>,
): Promise<T> {
  // The deadline counts from the first failure: on a busy machine, one attempt may take longer than the limit.
  let deadline: number | undefined
  for (;;) {
    try {
      return await start()
    } catch (error) {
      // Check again: an orphaned server may have occupied only the port when our start failed, and have locked the
      // folder since.
      const isTaken =
        (error instanceof EngineStartError && error.reason === 'in-use') ||
        (await findLockOwner(files.directory))?.isOrphaned === true
      deadline ??= performance.now() + folderWaitMs()
      if (!isTaken || performance.now() > deadline || !(await waitUntilFree(files, log)))
        throw error
      // Wait for the lock file: a server uses the folder before its lock file shows that.
      await sleep(pauseMs)
    }
  }
}

/** Stops a server so that it writes all data to disk. Kills it after a timeout. */
async function endServer(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  for (const deadline = performance.now() + stopWithinMs; performance.now() < deadline;) {
    if (!(await runs(pid))) return
    await sleep(50)
  }
  signal(pid, 'SIGKILL')
  for (; await runs(pid);) await sleep(50)
}

const runs = async (pid: number): Promise<boolean> =>
  signal(pid, 0) && (await findProcess(pid)) !== undefined

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}
