import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { finished } from 'node:stream/promises'
import { objectOf } from '../../engine/values/is-object.js'
import { decompressionOf } from './archive/compression.js'
import { archiveOfStrapi, isNamedByStrapi } from './archive/other-archives.js'
import { jsonOf, linesOf } from './archive/read-lines.js'
import { ArchiveError, hashing, tarFilesOf, type ArchiveFile } from './archive/tar-files.js'
import type { WrittenFile } from './archive/write-tar.js'
import { readSummary, readManifest, type ArchiveSummary, type Manifest } from './manifest.js'
import { readMemberName, type Member } from './members.js'
import { chainLine, checksumsAtOnce } from './write-archive.js'

type ReadMember = Readonly<{
  member: Member
  file: ArchiveFile
  /** Position among the members with a checksum, starting at 1. */
  number: number
}>

/**
 * Reads an archive to its end and checks all checksums. Checksums come after their members, so members are verified
 * only when this function resolves. Throws ArchiveError if the archive is damaged, truncated, or not from `quire
 * export`.
 *
 * @param visit called for all members except checksums and the end; may leave content unread
 */
export async function readArchive(
  file: string,
  visit: (read: ReadMember) => Promise<void> = () => Promise.resolve(),
) {
  const unpack = await decompressionOf(file)
  const check = createCheck()
  let manifest: Manifest | undefined
  let end: ArchiveSummary | undefined
  for await (const found of tarFilesOf(file, { unpack: unpack() })) {
    const member = readMemberName(found.name)
    if (manifest === undefined && isNamedByStrapi(found.name)) throw archiveOfStrapi()
    if (member === undefined || end !== undefined)
      throw new ArchiveError(
        `${file} contains an unknown file: ${JSON.stringify(found.name.slice(0, 200))}`,
      )
    if ((manifest === undefined) !== (member.kind === 'manifest'))
      throw new ArchiveError(
        `${file} is not an archive of quire export: it does not begin with a manifest`,
      )
    if (member.kind === 'checksums') await check.compare(found)
    else if (member.kind === 'end') end = readSummary(await jsonOf(found))
    else {
      const hash = createHash('sha256')
      const content = pipeline(found.content, hashing(hash), () => undefined)
      const read: ArchiveFile = { ...found, content }
      if (member.kind === 'manifest') manifest = readManifest(await jsonOf(read))
      else await visit({ member, file: read, number: check.count() + 1 })
      // Unread content is hashed too.
      await finished(content.resume())
      check.add({ name: found.name, size: found.size, sha256: hash.digest('hex') })
    }
  }
  if (manifest === undefined || end === undefined)
    throw new ArchiveError(`${file} is cut off: its end is missing`)
  check.finish(end)
  return { manifest, end }
}

function createCheck() {
  const chain = createHash('sha256')
  let pending: WrittenFile[] = []
  let count = 0
  return {
    count: () => count,
    add: (read: WrittenFile) => {
      chain.update(chainLine(read))
      pending.push(read)
      count += 1
      // Limit memory use in case the archive has no checksums.
      if (pending.length > checksumsAtOnce)
        throw new ArchiveError('The archive is damaged: checksums are missing')
    },
    compare: async (file: ArchiveFile) => {
      let at = 0
      for await (const { value, place } of linesOf(file)) {
        const read = pending[at]
        at += 1
        const { name, sha256 } = objectOf(value)
        if (read === undefined || name !== read.name)
          throw new ArchiveError(
            `${place} is not the checksum of the file that the archive has at this place`,
          )
        if (sha256 !== read.sha256)
          throw new ArchiveError(`${read.name} is damaged: it differs from its checksum`)
      }
      if (at < pending.length)
        throw new ArchiveError(`${pending[at]?.name ?? ''} has no checksum in ${file.name}`)
      pending = []
    },
    finish: ({ members, checksum }: ArchiveSummary) => {
      if (pending.length > 0 || members !== count || checksum !== chain.digest('hex'))
        throw new ArchiveError(
          'The archive is damaged: its content does not match the count and checksum at its end',
        )
    },
  }
}
