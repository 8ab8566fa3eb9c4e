import { readdir } from 'node:fs/promises'
import { processReport } from './process-report.js'

/**
 * Returns how many files this process and each of its children may open (`ulimit -n`); Infinity if the system reports
 * no limit. Node has already raised the soft limit.
 */
export function openFileLimit(): number {
  const limit = processReport().userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : Infinity
}

/** With a lower limit, Node cannot load the modules, and the engine cannot open even an empty database. */
const leastOpenFiles = 512
/** Number of files that the engine opens besides those of the database. */
const ownFilesOfEngine = 64

/** Returns a message if the limit of open files is too low to start; undefined otherwise. */
export function tooFewDescriptors(limit = openFileLimit()): string | undefined {
  if (limit >= leastOpenFiles) return undefined
  return `The process can open only ${limit} files at a time, but needs at least ${leastOpenFiles}. ${remedy(4096)}`
}

/**
 * Returns a message if the limit of open files is too low for the engine, which opens one file per collection and
 * index.
 */
export async function tooFewForEngine(
  directory: string,
  limit = openFileLimit(),
): Promise<string | undefined> {
  const files = await readdir(directory).catch(() => [])
  const needed = files.length + ownFilesOfEngine
  if (limit >= needed) return undefined
  const least = `The database in ${directory} needs ${needed} open files, but the process can open only ${limit}`
  return `${least}. ${remedyAbove(needed)}`
}

/**
 * Returns the message for the log when clients are rejected: with more than `served` connections, the process would
 * lack open files.
 */
export function tooFewForClients(served: number, limit = openFileLimit()): string {
  return (
    `${served} connections are open, the maximum for a limit of ${limit} open files. ` +
    `Further ones get 503. ${remedyAbove(limit)}`
  )
}

/** Advises to raise the limit to at least twice `limit`, rounded up to a power of two. */
const remedyAbove = (limit: number): string =>
  remedy(Math.max(4096, 2 ** Math.ceil(Math.log2(limit * 2))))

/** Advises to raise the limit of open files to `limit`. */
export const remedy = (limit: number): string =>
  `Raise the limit: \`ulimit -n ${limit}\`, LimitNOFILE=${limit} in systemd, --ulimit nofile=${limit} in Docker.`
