import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { TarWriter, WrittenFile } from './archive/write-tar.js'
import { writtenManifest, type ArchiveSummary, type Manifest } from './manifest.js'
import { memberNames } from './members.js'

/** An archive that is being written. */
export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>

/** In bytes. Lines are collected in memory, and written as a member when they reach this size. */
const memberBytes = 1024 * 1024
/** Number of members after which a member with their checksums follows. */
export const checksumsAtOnce = 1000

/** Begins an archive in a tar by writing its manifest. Call `end` before finishing the tar. */
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
    /** Writes members of about a megabyte. Returns the number of lines. */
    lines: (nameOf: (number: number) => string, lines: AsyncIterable<string>): Promise<number> =>
      addLines(nameOf, lines, addText),
    file: add,
    /** Ends the archive, but not the tar. Returns the checksum of the content. */
    end: async (counts: Omit<ArchiveSummary, 'members' | 'checksum'>): Promise<string> => {
      await addChecksums()
      const checksum = chain.digest('hex')
      const end = `${JSON.stringify({ members, checksum, ...counts }, null, 2)}\n`
      await addText(memberNames.end, end, write)
      return checksum
    },
  }
}

/** Returns a line for a member. The archive's checksum is the hash of these lines. */
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
