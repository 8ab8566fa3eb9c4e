import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tooFewForEngine, remedy } from './descriptors.js'
import { findDamage } from './find-damage.js'

/**
 * Finds what prevents the engine from running, because the engine exits without a message. Returns one sentence with
 * the cause and one with advice, or undefined.
 */
export async function findObstacle(directory: string): Promise<string | undefined> {
  return (
    (await refusalOf(directory)) ??
    (await tooFewForEngine(directory)) ??
    (await findDamage(directory))
  )
}

/** Returns why a folder cannot be written to; undefined if it can. */
export async function refusalOf(directory: string): Promise<string | undefined> {
  const path = join(directory, `.quire-${randomUUID()}`)
  try {
    await writeFile(path, probe, { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    return explain(error as NodeJS.ErrnoException, directory)
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Content of the file that is written as a test. It is as large as the engine's smallest file. */
const probe = Buffer.alloc(64 * 1024, 'quire ')

const explain = ({ code = '', message }: NodeJS.ErrnoException, directory: string): string =>
  sentences[code]?.(directory) ??
  `The folder ${directory} is not writable (${message}). Fix this, or set DATA_DIR to another folder.`

const diskFull = (directory: string): string =>
  `The disk of ${directory} is full. Free some space, or enlarge it.`
const notAllowed = (directory: string): string =>
  `This user has no permission to write to ${directory}. Make it the owner (chown), or set DATA_DIR to another folder.`
const noDescriptors = (directory: string): string =>
  `The process cannot open more files, such as those in ${directory}. ${remedy(4096)}`

const sentences: Readonly<Record<string, (directory: string) => string>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: (directory) =>
    `The folder ${directory} is read-only. Mount it writable, or set DATA_DIR to another folder.`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EIO: (directory) =>
    `The disk of ${directory} reports errors. Check it, and copy the readable files or restore a backup.`,
  ENOENT: (directory) =>
    `The folder ${directory} no longer exists. Mount or restore it, or set DATA_DIR to another folder.`,
  EMFILE: noDescriptors,
  ENFILE: noDescriptors,
}
