import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isOwned } from './temp-folder.js'

/** A running process. `command`: its command line, with arguments separated by spaces. */
export type RunningProcess = Readonly<{ pid: number; command: string; parent: number }>

type LockOwner = RunningProcess &
  Readonly<{
    /** Whether the Quire service that started this process has ended. */
    isOrphaned: boolean
  }>

/**
 * Finds the process that locks a database's files: its id is in the lock file. Returns undefined if that process has
 * ended or does not use this folder, because the lock file may be from another container or from before a reboot.
 */
export async function findLockOwner(directory: string): Promise<LockOwner | undefined> {
  const lock = await readFile(join(directory, 'mongod.lock'), 'utf8').catch(() => '')
  const pid = Number(lock.trim())
  if (!Number.isInteger(pid) || pid < 2) return undefined
  const found = await findProcess(pid)
  // The command line of `mongod` contains its configuration file, which is next to the database's folder.
  if (found?.command.includes(dirname(directory)) !== true) return undefined
  const owner = ownerFolder.exec(found.command)?.[1]
  return { ...found, isOrphaned: owner !== undefined && !(await isOwned(owner)) }
}

/**
 * Files in a service's private folder. Their path in an engine's command line shows which service started the engine.
 */
export const pidFileName = 'mongod.pid'
export const socketName = 'db.sock'

const ownerFolder = /(?:--pidfilepath |"socketPath":")(.+?)[\\/](?:mongod\.pid|db\.sock)/

/**
 * Returns a process by its id. Returns undefined if it has ended (even if it is still a zombie), or the system does not
 * report it.
 */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  const [parent, command] =
    process.platform === 'linux' ? await readProc(pid) : await runPs(pid).catch(() => ['', ''])
  return command === '' ? undefined : { pid, command, parent: Number(parent) }
}

async function readProc(pid: number): Promise<readonly [parent: string, command: string]> {
  const read = (name: string): Promise<string> =>
    readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const parent = /^PPid:\s*(\d+)$/m.exec(await read('status'))?.[1] ?? ''
  return [parent, (await read('cmdline')).replaceAll('\0', ' ').trim()]
}

async function runPs(pid: number): Promise<readonly [parent: string, command: string]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,args=', '-p', `${pid}`])
  const [, parent = '', command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? []
  return [parent, command]
}
