import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { createId } from '../../engine/values/create-id.js'
import type { ContentNames } from '../upload/pending-contents.js'

type FileName = Readonly<{ provider: string; name: string }>

/** A list of file names on disk. */
export type FileNames = Awaited<ReturnType<typeof createFileNames>>

const linesAtOnce = 500

/**
 * Keeps file names in a temporary file, so that memory use does not grow with their number. The caller removes the
 * file.
 *
 * @param prefix beginning of the file's path, such as `monday.tar.gz.`
 */
export async function createFileNames(prefix: string) {
  const file = `${prefix}${createId()}.names`
  const handle = await open(file, 'wx', 0o600)
  let lines: string[] = []
  const flush = async () => {
    const text = lines.join('')
    lines = []
    if (text !== '') await handle.appendFile(text)
  }
  return {
    add: async ({ provider, names }: ContentNames): Promise<void> => {
      for (const name of names) lines.push(`${JSON.stringify({ provider, name })}\n`)
      if (lines.length >= linesAtOnce) await flush()
    },
    all: async function* (): AsyncGenerator<FileName> {
      await flush()
      const input = createReadStream(file)
      for await (const line of createInterface({ input })) yield JSON.parse(line) as FileName
    },
    remove: async (): Promise<void> => {
      await handle.close()
      await rm(file, { force: true })
    },
  }
}
