import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataFolder } from '../../project/make-folder.js'

/** Paths of a managed MongoDB's files, in the folder `mongod` below `DATA_DIR`. */
export type MongodFiles = Readonly<{
  /** Folder of the database's own files. */
  directory: string
  config: string
  /** The replica set's secret, with which Quire authenticates to its server. */
  keyFile: string
  passwordFile: string
  log: string
}>

/** Creates folders for this user only. Throws an error with one line that says what to do. */
export async function makeMongodFolders(dataDir: string): Promise<MongodFiles> {
  const folder = join(dataDir, 'mongod')
  const directory = join(folder, 'data')
  await makeDataFolder(folder, 0o700)
  await makeDataFolder(directory, 0o700)
  return {
    directory,
    config: join(folder, 'mongod.conf'),
    keyFile: join(folder, 'key'),
    passwordFile: join(folder, 'password'),
    log: join(folder, 'mongod.log'),
  }
}

/** Credentials for the server. */
export type MongodSecrets = Readonly<{ key: string; password: string }>

/** Reads the stored secrets, and creates missing ones. */
export async function readMongodSecrets(files: MongodFiles): Promise<MongodSecrets> {
  return {
    // MongoDB accepts 6 to 1024 base64 characters.
    key: await keptSecret(files.keyFile, () => randomBytes(192).toString('base64')),
    password: await keptSecret(files.passwordFile, () => randomBytes(32).toString('hex')),
  }
}

async function keptSecret(path: string, make: () => string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept.trim() !== '') return kept.trim()
  const secret = make()
  await writePrivately(path, `${secret}\n`)
  return secret
}

/** Writes a file for this user only. After a failure, an existing file is unchanged. */
export async function writePrivately(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
