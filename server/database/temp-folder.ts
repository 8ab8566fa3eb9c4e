import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDataFolder } from '../project/make-folder.js'

/** A private folder for what need not last, and how it is removed. */
export type TempFolder = Readonly<{ path: string; remove: () => Promise<void> }>

/**
 * Makes a folder of mode 0700, and removes those whose process was killed. It is in the system's folder for temporary
 * files, or, where nothing can be written there (a container whose root is read-only), below `dataDir`. A folder
 * belongs to who listens on its socket: the system ends that with the process, however it ends, and in whatever
 * container it ran. Where the path is too long for a socket nobody is known to own it, and it stays when the process
 * is killed.
 */
export async function makeTempFolder(dataDir: string): Promise<TempFolder> {
  const path = await makeIn(tmpdir()).catch(async (error: NodeJS.ErrnoException) => {
    if (!unwritable.has(error.code ?? '')) throw error
    return makeBelow(dataDir)
  })
  return owned(path)
}

/** The same below `dataDir`, for what may be larger than the system's place has room for. */
export const makeTempFolderBelow = async (dataDir: string): Promise<TempFolder> =>
  owned(await makeBelow(dataDir))

/**
 * The same in a folder of somebody's, `quire-export-…`, for what is to get a name there when it is whole. Others may
 * write there too, from other machines as well; those folders alone are removed whose process ran on this one since it
 * was started. Where the place takes no socket, nobody is known to own it.
 */
export async function makeTempFolderIn(place: string): Promise<TempFolder> {
  const path = await makeIn(place, `quire-export-${await thisStart()}-`)
  return owned(path).catch(() => ({ path, remove: () => removeFolder(path) }))
}

/**
 * Removes what such folders of this machine a process that was killed has left below `dataDir`.
 * @param alone nobody else has `dataDir`: then of folders whose owner is not known, too
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
  // Under its name only when somebody listens there.
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

/** The longest path of a Unix socket that every system takes (104 bytes on macOS, 108 on Linux). */
export const maxSocketPath = 100

/** Of a longer path, Node takes the beginning, which is somebody else's; Windows has no sockets in folders. */
const canHoldSocket = (path: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(join(path, ownerName)) <= maxSocketPath

const usualPrefix = 'quire-'
/** The socket on which the owner of a folder answers. */
export const ownerName = 'owner.sock'
/** What follows the prefix of a folder's name. */
const ending = /^[A-Za-z0-9]{6}$/

const unwritable = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT'])

/**
 * The place of this machine below `dataDir`. Others have theirs, because a folder that several machines share shows
 * their sockets, and nobody answers on those from here. Short, as a socket's path has to be.
 */
const ownPlace = (dataDir: string): string => join(dataDir, 'tmp', shortHash(hostname()))

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * This machine since it was started, all its containers included, where the system tells (Linux); elsewhere its name.
 * Another machine with the same name has another one.
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
    // Another start may be doing the same.
    const isLeft = canHoldSocket(path) ? await isOrphaned(path) : alone
    if (isLeft && (await isOwn(path))) await removeFolder(path).catch(() => undefined)
  }
}

/**
 * Whether nobody else can put something else in the place of a folder of ours: they may not write there, or not take
 * away what is not theirs (the sticky bit).
 */
async function isKeptByUs(place: string): Promise<boolean> {
  const facts = await stat(place).catch(() => undefined)
  if (facts === undefined) return false
  const { uid, mode } = facts
  const isOurs = uid === process.getuid?.() || uid === 0
  return (mode & 0o1000) !== 0 || (isOurs && (mode & 0o022) === 0)
}

/** A folder of this user, to which nobody else may write; links are not followed. */
async function isOwn(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined)
  if (facts?.isDirectory() !== true) return false
  return facts.uid === process.getuid?.() && (facts.mode & 0o077) === 0
}

/** Nobody listens on the folder's socket. One without a socket is somebody else's, or being made. */
const isOrphaned = async (path: string): Promise<boolean> =>
  (await callOwner(path)) === 'ECONNREFUSED'

/** Whether the process lives that made a folder; of one that is gone with its socket, it does not. */
export async function isOwned(path: string): Promise<boolean> {
  const answer = await callOwner(path)
  return answer !== 'ECONNREFUSED' && answer !== 'ENOENT'
}

/** Undefined where somebody answers, else the code of what the system says. */
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
