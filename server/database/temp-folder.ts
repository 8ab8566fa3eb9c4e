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
 * Creates a private folder (mode 0700), and removes private folders that killed processes left behind. The new folder
 * is in the system's folder for temporary files or, if that is not writable, as in a container with a read-only root,
 * below `dataDir`.
 *
 * The process that creates a private folder, its owner, listens on a socket in it. The system closes the socket
 * whenever the owner ends, even if the owner is killed or runs in another container. So a socket on which nobody
 * listens marks a folder to remove. If the folder's path is too long for a socket, the folder is not removed when its
 * owner is killed.
 */
export async function makeTempFolder(dataDir: string): Promise<TempFolder> {
  const path = await makeIn(tmpdir()).catch(async (error: NodeJS.ErrnoException) => {
    if (!unwritable.has(error.code ?? '')) throw error
    return makeBelow(dataDir)
  })
  return owned(path)
}

/**
 * Creates a private temporary folder below `dataDir`, for content that may be too large for the system's temporary
 * folder.
 */
export const makeTempFolderBelow = async (dataDir: string): Promise<TempFolder> =>
  owned(await makeBelow(dataDir))

/**
 * Creates a private temporary folder `quire-export-…` in `place`, a folder that the user chose. Files are written to
 * the temporary folder and renamed into `place` when complete. Other machines may write to `place` too, so only
 * leftover folders of processes that ran on this machine since its last boot are removed. If the file system does not
 * support sockets, a folder whose owner was killed is not removed.
 */
export async function makeTempFolderIn(place: string): Promise<TempFolder> {
  const path = await makeIn(place, `quire-export-${await thisStart()}-`)
  return owned(path).catch(() => ({ path, remove: () => removeFolder(path) }))
}

/**
 * Removes temporary folders below `dataDir` that killed processes on this machine left behind.
 * @param alone whether no other process uses `dataDir`; then folders whose path is too long for a socket are removed
 *   too
 */
export async function sweepTempFolders(dataDir: string, alone: boolean): Promise<void> {
  await removeOrphans(ownPlace(dataDir), { alone })
}

async function makeBelow(dataDir: string): Promise<string> {
  const own = ownPlace(dataDir)
  await makeDataFolder(own, 0o700)
  return makeIn(own)
}

async function owned(path: string): Promise<TempFolder> {
  if (!canHoldSocket(path)) return { path, remove: () => removeFolder(path) }
  const owner = createServer((socket) => socket.destroy())
  // Rename the socket only after listening has begun. Otherwise another process could find the socket while nobody
  // listens on it, and remove the folder.
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

/** The longest path of a Unix socket that every system accepts (104 bytes on macOS, 108 on Linux). */
export const maxSocketPath = 100

/**
 * Whether a socket in the folder has a short enough path. Node would truncate a longer path, and the truncated path may
 * belong to someone else. On Windows, sockets are not files in folders.
 */
const canHoldSocket = (path: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(join(path, ownerName)) <= maxSocketPath

const usualPrefix = 'quire-'
/** The socket on which the owner of a folder listens. */
export const ownerName = 'owner.sock'
/** The random part of a folder's name, after the prefix. */
const ending = /^[A-Za-z0-9]{6}$/

const unwritable = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT'])

/**
 * Returns the folder for this machine's temporary folders below `dataDir`. Machines that share `dataDir` need separate
 * folders: a machine sees the sockets of the others but cannot connect to them, so it would mistake running processes
 * for dead ones. The name is short, because the folder's path is part of a socket's path, whose length is limited.
 */
const ownPlace = (dataDir: string): string => join(dataDir, 'tmp', shortHash(hostname()))

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * Returns a short id of this machine. On Linux the id changes with every boot, is the same in all containers of the
 * machine, and differs between machines with the same name. Elsewhere it is a hash of the host name.
 */
const thisStart = async (): Promise<string> =>
  shortHash(await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname()))

async function makeIn(place: string, prefix = usualPrefix): Promise<string> {
  await removeOrphans(place, { prefix })
  return mkdtemp(join(place, prefix))
}

async function removeOrphans(
  place: string,
  { alone = false, prefix = usualPrefix }: Readonly<{ alone?: boolean; prefix?: string }>,
): Promise<void> {
  if (!(await isKeptByUs(place))) return
  const names = await readdir(place).catch((): string[] => [])
  const isOurs = (name: string): boolean =>
    name.startsWith(prefix) && ending.test(name.slice(prefix.length))
  for (const name of names.filter(isOurs)) {
    const path = join(place, name)
    // Ignore errors, because another process may be removing the same folder at this moment.
    const isLeft = canHoldSocket(path) ? await isOrphaned(path) : alone
    if (isLeft && (await isOwn(path))) await removeFolder(path).catch(() => undefined)
  }
}

/**
 * Whether other users cannot replace our folder in `place`. Either they may not write in `place`, or they may not
 * remove files of others there (sticky bit).
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
 * Whether nobody listens on the folder's socket. Returns false for a folder without a socket, which is not ours or is
 * just being created.
 */
const isOrphaned = async (path: string): Promise<boolean> =>
  (await callOwner(path)) === 'ECONNREFUSED'

/** Whether the process that created a folder still runs. Returns false if the folder or its socket no longer exists. */
export async function isOwned(path: string): Promise<boolean> {
  const answer = await callOwner(path)
  return answer !== 'ECONNREFUSED' && answer !== 'ENOENT'
}

/**
 * Tries to connect to the folder's owner. Returns undefined if the owner accepts the connection, otherwise the system's
 * error code.
 */
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
