import type { Db, Document } from 'mongodb'
import { ArchiveError } from '../../server/backup/archive/tar-files.js'
import { plainDocumentOf } from '../../server/backup/document-lines.js'
import {
  carriedSettings,
  ownCollections,
  secretsId,
  uidOfLegacyId,
  type OwnKind,
} from '../../server/backup/parts.js'
import type { Selection } from '../../server/backup/selection.js'

/** Writes a document of the service's own, where it is chosen. It may be repeated. */
export async function writeOwn(
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
    // What is given from now on is above what the archive has, and what was given here.
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
