import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ArchiveFile } from '../../server/backup/archive/tar-files.js'

/**
 * Yields the files in the uploads folder of Strapi 3, in the form of files in an archive. Throws if there is no folder.
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

/** Opens the file only when it is read, so that the reader receives the error if it cannot be opened. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Uint8Array>
}

/** Returns the number of files and their total size. */
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
    throw new Error(`The upload folder ${folder} cannot be read: ${(error as Error).message}`)
  })
  // Skip hidden files such as `.gitkeep`.
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  return files.map(({ name }) => name).sort()
}
