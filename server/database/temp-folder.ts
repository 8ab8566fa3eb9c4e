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
 * Creates a folder of mode 0700, and removes folders that killed processes left behind. The folder is in the system's
 * folder for temporary files or, if that is not writable (a container with a read-only root), below `dataDir`. The
 * owner of a folder listens on a socket in it. The system closes that socket when the process ends, however it ends and
 * in whatever container. If the path is too long for a socket, the owner is unknown, and the folder remains if the
 * process is killed.
 */
export async function makeTempFolder(dataDir: string): Promise<TempFolder> {
  const path = await makeIn(tmpdir()).catch(async (error: NodeJS.ErrnoException) => {
    if (!unwritable.has(error.code ?? '')) throw error
    return makeBelow(dataDir)
  })
  return owned(path)
}

/** Creates such a folder below `dataDir`, for content that may be too large for the system's folder. */
export const makeTempFolderBelow = async (dataDir: string): Promise<TempFolder> =>
  owned(await makeBelow(dataDir))

/**
 * Creates such a folder in a folder of the user, as `quire-export-…`, for files that are renamed there when complete.
 * Other machines may write to the user's folder too. So this removes only folders of processes that ran on this machine
 * since its last boot. If the file system does not support sockets, the owner is unknown.
 */
export async function makeTempFolderIn(place: string): Promise<TempFolder> {
  const path = await makeIn(place, `quire-export-${await thisStart()}-`)
  return owned(path).catch(() => ({ path, remove: () => removeFolder(path) }))
}

/**
 * Removes this machine's temporary folders below `dataDir` that killed processes left behind.
 * @param alone whether nobody else uses `dataDir`; then folders with an unknown owner are removed too
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
  // Rename the socket only after listening has begun.
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
 * Whether a folder's path is short enough for its socket. Node would truncate a longer path, and the truncated path may
 * belong to someone else. Windows has no sockets in folders.
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
 * Returns this machine's folder below `dataDir`. Machines that share `dataDir` have separate folders, because they see
 * each other's sockets, but cannot connect to them. The path is short, because it is part of a socket's path.
 */
const ownPlace = (dataDir: string): string => join(dataDir, 'tmp', shortHash(hostname()))

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * Returns an id of this machine that is valid until its next boot, and the same in all its containers, if the system
 * reports one (Linux). Elsewhere returns a hash of the machine's name. On Linux, machines with the same name have
 * different ids.
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
    // Another start may remove the same folder.
    const isLeft = canHoldSocket(path) ? await isOrphaned(path) : alone
    if (isLeft && (await isOwn(path))) await removeFolder(path).catch(() => undefined)
  }
}

/**
 * Whether nobody else can replace our folder in this place. Either others may not write in the place, or they may not
 * remove files of other users there (sticky bit).
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

/** Whether nobody listens on the folder's socket. A folder without a socket is foreign, or being created. */
const isOrphaned = async (path: string): Promise<boolean> =>
  (await callOwner(path)) === 'ECONNREFUSED'

/** Whether the process that created a folder lives. If the folder or its socket is gone, the process does not live. */
export async function isOwned(path: string): Promise<boolean> {
  const answer = await callOwner(path)
  return answer !== 'ECONNREFUSED' && answer !== 'ENOENT'
}

/** Connects to the owner. Resolves with undefined if it accepts, else with the system's error code. */
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
