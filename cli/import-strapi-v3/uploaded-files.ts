import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ArchiveFile } from '../../server/backup/archive/tar-files.js'

/**
 * The files in the folder of a Strapi 3's uploads, as those of an archive. Each is opened when it is read.
 * @throws Error where there is no such folder
 */
export async function* uploadedFiles(folder: string): AsyncGenerator<ArchiveFile> {
  for (const name of await namesIn(folder)) {
    const file = path.join(folder, name)
    const { size } = await stat(file)
    const content = Readable.from(contentOf(file), { objectMode: false })
    try {
      yield { name: `assets/uploads/${name}`, size, content }
    } finally {
      content.destroy()
    }
  }
}

/** Opened by whoever reads it, who so is told where that fails; nobody else would take the error. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Uint8Array>
}

/** How many there are, and how large they are together. */
export async function countUploads(
  folder: string,
): Promise<Readonly<{ files: number; bytes: number }>> {
  const counted = { files: 0, bytes: 0 }
  for (const name of await namesIn(folder)) {
    counted.files += 1
    counted.bytes += (await stat(path.join(folder, name))).size
  }
  return counted
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new Error(`The folder of uploads ${folder} cannot be read: ${(error as Error).message}`)
  })
  // What begins with a point keeps a folder in a repository (`.gitkeep`).
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  return files.map(({ name }) => name).sort()
}
