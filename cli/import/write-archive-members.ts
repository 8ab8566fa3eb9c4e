import type { Db } from 'mongodb'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { textLinesOf, type TextLine } from '../../server/backup/archive/read-lines.js'
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
import { putContent } from '../media/put-content.js'
import { onProgress } from '../progress.js'
import type { VersionCheck } from '../import-runner/check-versions.js'
import { saveProgress } from '../import-runner/import-record.js'
import type { ArchiveRecord } from './archive-record.js'
import type { Overview } from './archive-overview.js'
import type { Renaming } from './rename-archive.js'
import { writeEntries } from './write-entries.js'

type Parts = Readonly<{
  db: Db
  overview: Overview
  registry: Registry
  selection: Selection
  providers: Providers
  record: ArchiveRecord
  check: VersionCheck
  renaming: Renaming
}>

/** The progress is saved after this number of members. After a crash, up to this many are written again. */
const savedEvery = 20

/**
 * Writes the selected members of an archive that no earlier run has written.
 * @throws ArchiveError if the archive has changed since it was verified
 */
export async function writeMembers(parts: Parts): Promise<void> {
  const { db, overview, record } = parts
  let written = 0
  const { end } = await readArchive(overview.file, async ({ member, file, number }) => {
    if (number <= record.at) return
    onProgress(`Importing: ${number} of ${overview.end.members}, ${file.name}`)
    await writeMember(parts, parts.renaming.member(member), file)
    written += 1
    if (member.kind === 'entries' || written % savedEvery === 0)
      await saveProgress(db, record, { at: number })
  })
  if (end.checksum !== overview.end.checksum)
    throw new ArchiveError(`${overview.file} changed while it was read`)
}

async function writeMember(parts: Parts, member: Member, file: ArchiveFile): Promise<void> {
  const { db, registry, selection, providers, check, renaming } = parts
  if (member.kind === 'file' && selection.hasType(builtIn.file))
    await putContent(providers.chosen, member.name, file.size, () => Promise.resolve(file.content))
  if (member.kind === 'own')
    for await (const line of textLinesOf(file, maxDocumentLine))
      await writeOwn(parts, member.of, line)
  if (member.kind !== 'entries' || !selection.hasType(member.uid)) return
  const { uid, status } = member
  const type = registry.contentTypes.get(uid)
  if (type === undefined) throw new ArchiveError(`There is no content-type ${uid} in this project`)
  if (status === 'draft' && !type.draftAndPublish)
    throw new ArchiveError(
      `${uid} has drafts in the archive, but no draft & publish in this project`,
    )
  await writeEntries(db, { type, status, place: providers.chosen, renaming, check }, file)
}

/** Writes a document that is not an entry, if it is selected. Safe to repeat. */
async function writeOwn(
  { db, selection, renaming }: Parts,
  kind: OwnKind,
  line: TextLine,
): Promise<void> {
  const { place } = line
  const collection = db.collection<{ _id: string | number }>(ownCollections[kind])
  const { _id: stored, ...rest } = renaming.own(kind, documentOfLine(line)) as Readonly<
    Record<string, unknown>
  >
  const _id: unknown = plainDocumentOf({ _id: stored })._id
  if (typeof _id !== 'string' && typeof _id !== 'number')
    throw new ArchiveError(`${place} has no id`)
  if (kind === 'sequences') {
    const value: unknown = plainDocumentOf({ value: rest.value }).value
    if (!Number.isSafeInteger(value)) throw new ArchiveError(`${place} is not a number`)
    // The next numbers must exceed those in the archive and those already assigned in this database.
    if (selection.hasSequence(String(_id)))
      await collection.updateOne({ _id }, { $max: { value } }, { upsert: true })
    return
  }
  if (!isChosen[kind](_id, selection)) return
  await collection.replaceOne({ _id }, rest, { upsert: true, ignoreUndefined: false })
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
