import { findLockHolder, findProcess, type RunningProcess } from './lock-holder.js'

/** Another process uses the folder of a database. The message ends with advice that always helps. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/** Returns the error, which names the process that locks the folder, if it can be found. */
export async function databaseInUse(
  directory: string,
  options?: ErrorOptions,
): Promise<DatabaseInUse> {
  return new DatabaseInUse(
    `The database in ${directory} is in use by another process${await describeHolder(directory)}. ` +
      'Stop that process first.',
    options,
  )
}

async function describeHolder(directory: string): Promise<string> {
  const holder = await findLockHolder(directory)
  if (holder === undefined) return ''
  // A running service would restart its engine, so the service is the process to stop.
  const starter = holder.isOrphaned ? undefined : await findProcess(holder.parent)
  return `: ${nameOf(holder)}${starter === undefined ? '' : `, started by ${nameOf(starter)}`}`
}

/** Names the program and its script. Other arguments may hold passwords. */
function nameOf({ pid, command }: RunningProcess): string {
  const [program, ...args] = command.split(' ')
  const script = args.find((arg) => /^[^-=][^=]*\.[cm]?js$/.test(arg))
  return `${pid} (${program}${script === undefined ? '' : ` ${script}`})`
}
