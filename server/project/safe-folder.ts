import { readFileSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { isObject, type PlainObject } from '../../engine/values/is-object.js'

/** Maximum size of a file in bytes: far more than any definition has. */
const maxBytes = 1_048_576

export async function isFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  return found?.isDirectory() === true
}

export async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() === true
}

/** Returns the folders in a folder, sorted, without hidden ones. Returns none if `folder` is missing. */
export async function listFolders(folder: string): Promise<readonly string[]> {
  const names = await listNames(folder)
  const folders = await Promise.all(names.map((name) => isFolder(path.join(folder, name))))
  return names.filter((_, at) => folders[at])
}

/** Returns the sorted names, without extension, of files with this extension. None if the folder is missing. */
export async function listFiles(folder: string, extension: string): Promise<readonly string[]> {
  const names = (await listNames(folder)).filter((name) => name.endsWith(extension))
  const files = await Promise.all(names.map((name) => isFile(path.join(folder, name))))
  return names.filter((_, at) => files[at]).map((name) => name.slice(0, -extension.length))
}

/** Appends each extension in turn to `stem`, and returns the path of the first file that exists. */
export async function findFile(
  stem: string,
  extensions: readonly string[],
): Promise<string | undefined> {
  for (const extension of extensions)
    if (await isFile(`${stem}${extension}`)) return `${stem}${extension}`
  return undefined
}

/** Reads a text file. Returns a fault if a link leads out of `root`, or the file is larger than any definition. */
export function readInside(
  root: string,
  file: string,
): Readonly<{ text: string }> | Readonly<{ fault: string }> {
  try {
    // Allow links within `root`: Kubernetes, for example, mounts configuration files as links.
    if (!isInside(root, file)) return { fault: `is a link to a place outside of "${root}"` }
    const real = realpathSync(file)
    const { size } = statSync(real)
    if (size > maxBytes) return { fault: `has ${size} bytes; a definition has at most ${maxBytes}` }
    return { text: readFileSync(real, 'utf8') }
  } catch (error) {
    return { fault: `cannot be read: ${(error as Error).message}` }
  }
}

/** Reads the object in a JSON file. Returns undefined for an unreadable file or other content. */
export function readJsonInside(root: string, file: string): PlainObject | undefined {
  const read = readInside(root, file)
  if ('fault' in read) return undefined
  try {
    const value: unknown = JSON.parse(read.text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a path is below `root` when links are resolved. Throws if the path does not exist. */
export function isInside(root: string, file: string): boolean {
  return realpathSync(file).startsWith(realpathSync(root) + path.sep)
}

async function listNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(missing)
  return entries
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .sort()
}

function missing(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}
