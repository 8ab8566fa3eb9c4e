import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { TarWriter, WrittenFile } from './archive/write-tar.js'
import { writtenManifest, type End, type Manifest } from './manifest.js'
import { memberNames } from './members.js'

/** An archive that is being written. */
export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>

/** So much of a list of lines is in memory at a time, and in one member. */
const memberBytes = 1024 * 1024
/** So many checksums are in one member, and so many members are between two of those at most. */
export const checksumsAtOnce = 1000

/** Begins an archive in a tar, with its manifest. Who made the tar finishes it after the archive's end. */
export async function createArchive({ add: write }: Pick<TarWriter, 'add'>, manifest: Manifest) {
  const chain = createHash('sha256')
  let pending: WrittenFile[] = []
  let checksumMembers = 0
  let members = 0
  const add = async (name: string, size: number, content: Buffer | Readable) => {
    const written = await write(name, size, content)
    chain.update(chainLine(written))
    members += 1
    pending.push(written)
    if (pending.length === checksumsAtOnce) await addChecksums()
  }
  const addText = async (name: string, text: string, to: typeof write | typeof add = add) => {
    const bytes = Buffer.from(text)
    await to(name, bytes.byteLength, bytes)
  }
  const addChecksums = async () => {
    if (pending.length === 0) return
    const text = pending.map((one) => `${JSON.stringify(one)}\n`).join('')
    pending = []
    checksumMembers += 1
    await addText(memberNames.checksums(checksumMembers), text, write)
  }
  await addText(memberNames.manifest, `${JSON.stringify(writtenManifest(manifest), null, 2)}\n`)
  return {
    /** Writes lines as members of about a megabyte; answers how many lines there were. */
    lines: (nameOf: (number: number) => string, lines: AsyncIterable<string>): Promise<number> =>
      addLines(nameOf, lines, addText),
    file: add,
    /** Writes what is at the end, but for that of the tar itself; answers what identifies its content. */
    end: async (counts: Omit<End, 'members' | 'checksum'>): Promise<string> => {
      await addChecksums()
      const checksum = chain.digest('hex')
      const end = `${JSON.stringify({ members, checksum, ...counts }, null, 2)}\n`
      await addText(memberNames.end, end, write)
      return checksum
    },
  }
}

/** What a member adds to the checksum of the whole. */
export const chainLine = ({ name, sha256 }: WrittenFile): string => `${sha256}  ${name}\n`

async function addLines(
  nameOf: (number: number) => string,
  lines: AsyncIterable<string>,
  addText: (name: string, text: string) => Promise<void>,
): Promise<number> {
  let pieces: string[] = []
  let [size, number, count] = [0, 0, 0]
  const flush = async () => {
    if (pieces.length === 0) return
    const text = pieces.join('')
    pieces = []
    size = 0
    number += 1
    await addText(nameOf(number), text)
  }
  for await (const line of lines) {
    pieces.push(`${line}\n`)
    size += line.length
    count += 1
    if (size >= memberBytes) await flush()
  }
  await flush()
  return count
}
