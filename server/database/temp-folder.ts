import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDataFolder } from '../project/make-folder.js'

/** A private folder for temporary files. */
export type TempFolder = Readonly<{ path: string; remove: () => Promise<void> }>

/**
 * Creates a private folder (mode 0700), and removes those of killed processes. The folder is in the system's temporary
 * folder or, if that is read-only, as in some containers, below `dataDir`.
 *
 * The process that creates a folder listens on a socket in it. The system closes the socket when that process ends,
 * even if it is killed or in another container, so a socket on which nobody listens marks a folder to remove. A folder
 * whose path is too long for a socket is not removed.
 */
export async function makeTempFolder(dataDir: string): Promise<TempFolder> {
  const path = await makeIn(tmpdir()).catch(async (error: NodeJS.ErrnoException) => {
    if (!unwritable.has(error.code ?? '')) throw error
    return makeBelow(dataDir)
  })
  return owned(path)
}

/** Creates a private folder below `dataDir`, for content that may be too large for the system's temporary folder. */
export const makeTempFolderBelow = async (dataDir: string): Promise<TempFolder> =>
  owned(await makeBelow(dataDir))

/**
 * Creates the folder `quire-export-…` in `place`, which the user chose. Complete files are renamed from the folder into
 * `place`. First removes such folders that killed processes left, but only of processes that ran on this machine since
 * its last boot, because other machines may use `place` too. Removes none if `place` does not support sockets.
 */
export async function makeTempFolderIn(place: string): Promise<TempFolder> {
  const path = await makeIn(place, `quire-export-${await thisStart()}-`)
  return owned(path).catch(() => ({ path, remove: () => removeFolder(path) }))
}

/**
 * Removes temporary folders below `dataDir` that killed processes of this machine left.
 *
 * @param singleProcess whether no other process uses `dataDir`. If so, folders whose path is too long for a socket are
 * removed too
 */
export async function sweepTempFolders(dataDir: string, singleProcess: boolean): Promise<void> {
  await removeOrphans(ownPlace(dataDir), { singleProcess })
}

async function makeBelow(dataDir: string): Promise<string> {
  const own = ownPlace(dataDir)
  await makeDataFolder(own, 0o700)
  return makeIn(own)
}

async function owned(path: string): Promise<TempFolder> {
  if (!canHoldSocket(path)) return { path, remove: () => removeFolder(path) }
  const owner = createServer((socket) => socket.destroy())
  // Give the socket its final name only when this process listens on it. Otherwise another process could remove the
  // folder.
  const unfinished = join(path, 'owner')
  await once(owner.listen(unfinished), 'listening')
  owner.unref()
  await rename(unfinished, join(path, ownerName))
  return {
    path,
    remove: async () => {
      owner.close()
      await removeFolder(path)
    },
  }
}

const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** Maximum length of a socket's path in bytes. The system's limit is 104 on macOS and 108 on Linux. */
export const maxSocketPath = 100

/**
 * Returns whether a folder's path leaves room for a socket. Node would truncate a longer path, perhaps to the path of
 * another socket. On Windows, sockets are not files in folders.
 */
const canHoldSocket = (path: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(join(path, ownerName)) <= maxSocketPath

const usualPrefix = 'quire-'
/** The socket on which the owner of a folder listens. */
export const ownerName = 'owner.sock'
const ending = /^[A-Za-z0-9]{6}$/

const unwritable = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT'])

/**
 * Returns where to create this machine's temporary folders. Machines that share `dataDir` need separate places: they
 * cannot connect to each other's sockets, and would mistake running processes for dead ones. The name is short, because
 * the length of a socket's path is limited.
 */
const ownPlace = (dataDir: string): string => join(dataDir, 'tmp', shortHash(hostname()))

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * Returns an id that on Linux changes with every boot, is the same in all containers of a machine, and differs between
 * machines of the same name. Elsewhere it is a hash of the host name.
 */
const thisStart = async (): Promise<string> =>
  shortHash(await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname()))

async function makeIn(place: string, prefix = usualPrefix): Promise<string> {
  await removeOrphans(place, { prefix })
  return mkdtemp(join(place, prefix))
}

async function removeOrphans(
  place: string,
  {
    singleProcess = false,
    prefix = usualPrefix,
  }: Readonly<{ singleProcess?: boolean; prefix?: string }>,
): Promise<void> {
  if (!(await isKeptByUs(place))) return
  const names = await readdir(place).catch((): string[] => [])
  const isOurs = (name: string): boolean =>
    name.startsWith(prefix) && ending.test(name.slice(prefix.length))
  for (const name of names.filter(isOurs)) {
    const path = join(place, name)
    // Ignore errors, because another process may be removing the same folder.
    const isLeft = canHoldSocket(path) ? await isOrphaned(path) : singleProcess
    if (isLeft && (await isOwn(path))) await removeFolder(path).catch(() => undefined)
  }
}

/**
 * Returns whether other users cannot replace our folders in `place`: they cannot write to it, or it has the sticky bit.
 */
async function isKeptByUs(place: string): Promise<boolean> {
  const facts = await stat(place).catch(() => undefined)
  if (facts === undefined) return false
  const { uid, mode } = facts
  const isOurs = uid === process.getuid?.() || uid === 0
  return (mode & 0o1000) !== 0 || (isOurs && (mode & 0o022) === 0)
}

/** Whether a folder belongs to this user and is inaccessible to others. Does not follow links. */
async function isOwn(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined)
  if (facts?.isDirectory() !== true) return false
  return facts.uid === process.getuid?.() && (facts.mode & 0o077) === 0
}

/**
 * Returns whether the creator of a folder has ended. False if the folder contains no socket: it is not ours, or its
 * creator is not ready yet.
 */
const isOrphaned = async (path: string): Promise<boolean> =>
  (await callOwner(path)) === 'ECONNREFUSED'

/** Returns whether the creator of a folder still runs. False if the folder or its socket does not exist. */
export async function isOwned(path: string): Promise<boolean> {
  const answer = await callOwner(path)
  return answer !== 'ECONNREFUSED' && answer !== 'ENOENT'
}

/** Connects to the folder's owner. Returns undefined if that succeeds, otherwise the system's error code. */
async function callOwner(path: string): Promise<string | undefined> {
  const socket = connect(join(path, ownerName))
  try {
    await once(socket, 'connect')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  } finally {
    socket.destroy()
  }
}
