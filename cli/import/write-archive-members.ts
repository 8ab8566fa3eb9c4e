import type { Db, Document } from 'mongodb'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import mime from 'mime-types'
import { textLinesOf } from '../../server/backup/archive/read-lines.js'
import { ArchiveError, type ArchiveFile } from '../../server/backup/archive/tar-files.js'
import {
  documentOfLine,
  maxDocumentLine,
  plainDocumentOf,
} from '../../server/backup/document-lines.js'
import {
  carriedSettings,
  ownCollections,
  secretsId,
  uidOfLegacyId,
  type OwnKind,
} from '../../server/backup/parts.js'
import { readArchive } from '../../server/backup/read-archive.js'
import type { Member } from '../../server/backup/members.js'
import type { Selection } from '../../server/backup/selection.js'
import type { OpenDatabase } from '../with-database.js'
import { saveProgress } from '../import-runner/import-record.js'
import type { ArchiveRecord } from './archive-record.js'
import type { Overview } from './archive-overview.js'
import { writeEntries } from './write-entries.js'

type Parts = Pick<OpenDatabase, 'db'> &
  Readonly<{
    overview: Overview
    registry: Registry
    selection: Selection
    providers: Providers
    record: ArchiveRecord
    progress: (what: string) => void
  }>

/** So many members may be written again after a kill: each is looked for then. */
const savedEvery = 20

/**
 * Writes what is chosen of an archive, member by member, behind those that are there.
 * @throws ArchiveError where it is not the archive any more that was looked at
 */
export async function writeMembers(parts: Parts): Promise<void> {
  const { db, overview, record, progress } = parts
  let written = 0
  const { end } = await readArchive(overview.file, async ({ member, file, number }) => {
    if (number <= record.at) return
    progress(`Importing: ${number} of ${overview.end.members}, ${file.name}`)
    await writeMember(parts, member, file)
    written += 1
    if (member.kind === 'entries' || written % savedEvery === 0)
      await saveProgress(db, record, { at: number })
  })
  if (end.checksum !== overview.end.checksum)
    throw new ArchiveError(`${overview.file} was changed while it was read`)
}

async function writeMember(parts: Parts, member: Member, file: ArchiveFile): Promise<void> {
  const { db, registry, selection, providers } = parts
  if (member.kind === 'file' && selection.hasType(builtIn.file))
    await writeFile(providers, member.name, file)
  if (member.kind === 'own')
    for await (const line of textLinesOf(file, maxDocumentLine)) {
      const options = { selection, place: line.place }
      await writeOwn(db, member.of, documentOfLine(line), options)
    }
  if (member.kind !== 'entries' || !selection.hasType(member.uid)) return
  const { uid, status } = member
  const type = registry.contentTypes.get(uid)
  if (type === undefined) throw new ArchiveError(`There is no content-type ${uid} here`)
  if (status === 'draft' && !type.draftAndPublish)
    throw new ArchiveError(`${uid} has drafts in the archive, and none here`)
  await writeEntries(db, { type, status, place: providers.chosen }, file)
}

/** Puts content where new content goes. What is there in the right size was put there before. */
async function writeFile(
  { chosen }: Providers,
  name: string,
  { size, content }: ArchiveFile,
): Promise<void> {
  const there = await chosen.stat(name)
  if (there?.size === size) return
  if (there !== undefined) await chosen.remove(name)
  await chosen.put(name, content, { mime: mime.lookup(name) || 'application/octet-stream' })
}

/** Writes a document of the service's own if it is chosen. Can be repeated. */
async function writeOwn(
  db: Db,
  kind: OwnKind,
  document: Document,
  { selection, place }: Readonly<{ selection: Selection; place: string }>,
): Promise<void> {
  const collection = db.collection<{ _id: string | number }>(ownCollections[kind])
  const { _id: stored, ...rest } = document as Readonly<Record<string, unknown>>
  const _id = idOf(stored, place)
  if (kind === 'sequences') {
    const value: unknown = plainDocumentOf({ value: rest['value'] })['value']
    if (!Number.isSafeInteger(value)) throw new ArchiveError(`${place} is no number`)
    // New numbers must be above those of the archive and above those already given here.
    if (selection.hasSequence(String(_id)))
      await collection.updateOne({ _id }, { $max: { value } }, { upsert: true })
    return
  }
  if (!isChosen[kind](_id, selection)) return
  await collection.replaceOne({ _id }, rest, { upsert: true, ignoreUndefined: false })
}

function idOf(stored: unknown, place: string): string | number {
  const id: unknown = plainDocumentOf({ _id: stored })['_id']
  if (typeof id !== 'string' && typeof id !== 'number') throw new ArchiveError(`${place} has no id`)
  return id
}

const isChosen: Readonly<
  Record<Exclude<OwnKind, 'sequences'>, (id: unknown, selection: Selection) => boolean>
> = {
  singles: (id, { hasType }) => hasType(String(id)),
  legacyIds: (id, { hasType }) => hasType(uidOfLegacyId(id)),
  tokens: (id, { hasWhole }) => typeof id === 'number' && hasWhole('tokens'),
  settings: (id, { hasWhole }) =>
    hasWhole('settings') && (carriedSettings.has(String(id)) || id === secretsId),
}
