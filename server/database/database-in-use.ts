import { findLockOwner, findProcess, type RunningProcess } from './lock-owner.js'

/** Another process uses the database's folder. The message advises stopping it. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/** Returns an error that names the process that locks the folder, if that process can be found. */
export async function databaseInUse(
  directory: string,
  options?: ErrorOptions,
): Promise<DatabaseInUse> {
  const lockOwner = await findLockOwner(directory)
  const inUse = `The database in ${directory} is in use by another process`
  if (lockOwner === undefined)
    return new DatabaseInUse(`${inUse}. Stop that process first.`, options)
  // If the process was started by a service that is still running, name that service: it would restart a stopped
  // engine.
  const starter = lockOwner.isOrphaned ? undefined : await findProcess(lockOwner.parent)
  const startedBy = starter === undefined ? '' : `, started by ${nameOf(starter)}`
  return new DatabaseInUse(
    `${inUse}: ${nameOf(lockOwner)}${startedBy}. Stop process ${(starter ?? lockOwner).pid} first.`,
    options,
  )
}

/** Names a process by id, program and script. Omits other arguments, which may contain passwords. */
function nameOf({ pid, command }: RunningProcess): string {
  const [program, ...args] = command.split(' ')
  const script = args.find((arg) => /^[^-=][^=]*\.[cm]?js$/.test(arg))
  return `${pid} (${program}${script === undefined ? '' : ` ${script}`})`
}
