import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isOwned } from '../temp-folder.js'
import type { MongodFiles } from './mongod-files.js'

/** What is known of a server that runs over a folder. */
export type FoundServer = Readonly<{
  pid: number
  /** Whether the Quire that started it lives. */
  isOwned: boolean
}>

const stopWithinMs = 30_000

/** The name of the file in its owner's folder by which a server tells whose it is. */
export const pidFileName = 'mongod.pid'

/**
 * The server that runs over a folder; undefined where none is known to. Which process it is the server's own lock
 * says, and whose it is its command line: the file for its process id lies in the folder of who started it.
 */
export async function findServer(files: MongodFiles): Promise<FoundServer | undefined> {
  const lock = await readFile(join(files.directory, 'mongod.lock'), 'utf8').catch(() => '')
  const pid = Number(lock.trim())
  if (!Number.isInteger(pid) || pid < 2) return undefined
  const command = await commandOf(pid)
  // The number may be that of any other process by now.
  if (!command.includes(files.config)) return undefined
  const owner = /--pidfilepath (.+?)[\\/]mongod\.pid/.exec(command)?.[1]
  return { pid, isOwned: owner !== undefined && (await isOwned(owner)) }
}

/** Ends a server whose Quire was killed: it writes down what it holds, or is killed where it takes too long. */
export async function endServer(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  for (const deadline = performance.now() + stopWithinMs; performance.now() < deadline;) {
    if (!(await runs(pid))) return
    await sleep(50)
  }
  signal(pid, 'SIGKILL')
  for (; await runs(pid);) await sleep(50)
}

/** One that has ended and that nobody has asked about is still there, without arguments. */
const runs = async (pid: number): Promise<boolean> =>
  signal(pid, 0) && (await commandOf(pid)) !== ''

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** The arguments of a process, with spaces in between; empty where it is not there, or the system does not tell. */
async function commandOf(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  } catch {
    if (process.platform === 'win32' || process.platform === 'linux') return ''
    return promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
      ({ stdout }) => stdout,
      () => '',
    )
  }
}
