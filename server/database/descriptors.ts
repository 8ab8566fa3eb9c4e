import { readdir } from 'node:fs/promises'
import { processReport } from './process-report.js'

/**
 * How many files this process and its children may have open (`ulimit -n`); Node has raised what it may raise.
 * Infinity where the system has no bound, or does not tell.
 */
export function openFileLimit(): number {
  const limit = processReport().userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : Infinity
}

/** With fewer, Node cannot load the modules of the service, and the engine not open an empty database. */
const leastOpenFiles = 512
/** What the engine has open besides the files of the database. */
const ownFilesOfEngine = 64

/** What to say where too few files may be open to start at all; undefined where it is enough. */
export function tooFewDescriptors(limit = openFileLimit()): string | undefined {
  if (limit >= leastOpenFiles) return undefined
  return `Only ${limit} files may be open at a time, and ${leastOpenFiles} is the least. ${remedy(4096)}`
}

/** The same of the engine, which has every file of the database open: one for each collection and index. */
export async function tooFewForEngine(
  directory: string,
  limit = openFileLimit(),
): Promise<string | undefined> {
  const files = await readdir(directory).catch(() => [])
  const needed = files.length + ownFilesOfEngine
  if (limit >= needed) return undefined
  const least = `The database in ${directory} needs ${needed} files to be open at a time, and ${limit} may be`
  return `${least}. ${remedyAbove(needed)}`
}

/** The same where clients are refused, because more than `served` connections would leave too few files. */
export function tooFewForClients(served: number, limit = openFileLimit()): string {
  return (
    `${served} connections are open, as many as are served where ${limit} files may be open at a time; ` +
    `others are answered 503. ${remedyAbove(limit)}`
  )
}

/** The same for twice as many, as a power of two. */
const remedyAbove = (limit: number): string =>
  remedy(Math.max(4096, 2 ** Math.ceil(Math.log2(limit * 2))))

/** What to do about it. */
export const remedy = (limit: number): string =>
  `Raise the limit: \`ulimit -n ${limit}\`, LimitNOFILE=${limit} in systemd, --ulimit nofile=${limit} in Docker.`
