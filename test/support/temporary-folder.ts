import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Creates a temporary folder. `files` maps paths to contents: strings, or values that are written as JSON. Remove the
 * folder with `removeFolder`.
 */
export async function makeFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-schema-'))
  await writeFiles(folder, files)
  return folder
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}

/** Returns a function like `makeFolder`. Its folders are removed after each test of the `describe` that calls this. */
export function folderForEach(): typeof makeFolder {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await removeFolder(folder)
  })
  return async (files) => {
    const folder = await makeFolder(files)
    folders.push(folder)
    return folder
  }
}
