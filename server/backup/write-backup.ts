import { BSON, type Db } from 'mongodb'
import { collectionOf, type ContentType, type Status } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { namesOf, type StoredFile } from '../upload/store-content.js'
import type { Providers } from '../upload/storage-provider.js'
import { lineOfDocument } from './document-lines.js'
import type { ChosenMoment } from './read-consistently.js'
import type { Counted, ArchiveSummary } from './manifest.js'
import { memberNames } from './members.js'
import { carriedSettings, ownCollections, secretsId, uidOfLegacyId, type OwnKind } from './parts.js'
import type { Selection } from './selection.js'
import type { ArchiveWriter } from './write-archive.js'
import type { FileNames } from './file-names.js'

export type BackupParts = Readonly<{
  db: Db
  /** Includes the content-type of media library folders. */
  registry: Registry
  selection: Selection
  secrets: boolean
  reading: ChosenMoment['reading']
  providers: Providers
  /** Stores names of files until their content is read. */
  names: FileNames
  progress: (what: string) => void
  /** Called when all documents have been read, before the content of files. */
  whenRead?: () => Promise<void>
}>

/** What was written, and which files were missing. */
export type Written = Pick<ArchiveSummary, 'entries' | 'tokens' | 'files' | 'missing'>

const shownNames = 10

/** Writes the documents, then the content of files. */
export async function writeBackup(parts: BackupParts, archive: ArchiveWriter): Promise<Written> {
  const { registry, selection, progress } = parts
  if (selection.hasWhole('schema'))
    await archive.lines(
      memberNames.definitions,
      // Leave out the lock of schema changes, which belongs to a running process.
      linesIn(parts, '_schemas', (id) => id !== 'lock'),
    )
  const entries: Record<string, Counted> = {}
  for (const type of registry.contentTypes.values()) {
    if (!selection.hasType(type.uid)) continue
    progress(`Exporting ${type.uid}`)
    entries[type.uid] = await writeEntries(parts, archive, type)
  }
  // Read internal documents after the entries: despite concurrent writes, sequences are then above the ids of the
  // entries, and `_singles` agrees with them.
  const own = (kind: OwnKind, chosen: (id: unknown) => boolean): Promise<number> =>
    archive.lines(memberNames.own(kind), linesIn(parts, ownCollections[kind], chosen))
  await own('singles', (id) => selection.hasType(String(id)))
  await own('legacyIds', (id) => selection.hasType(uidOfLegacyId(id)))
  const tokens = selection.hasWhole('tokens') ? await own('tokens', () => true) : 0
  if (selection.hasWhole('settings'))
    await own(
      'settings',
      (id) => carriedSettings.has(String(id)) || (parts.secrets && id === secretsId),
    )
  await own('sequences', (id) => selection.hasSequence(String(id)))
  await parts.whenRead?.()
  return { entries, tokens, ...(await writeFiles(parts, archive)) }
}

async function writeEntries(
  parts: BackupParts,
  archive: ArchiveWriter,
  type: ContentType,
): Promise<Counted> {
  const { names, progress } = parts
  let count = 0
  const lines = async function* (status: Status) {
    for await (const bytes of bytesIn(parts, collectionOf(type, status))) {
      if (type.uid === builtIn.file) await names.add(namesOf(BSON.deserialize(bytes) as StoredFile))
      count += 1
      if (count % 1000 === 0) progress(`Exporting ${type.uid}: ${count}`)
      yield lineOfDocument(bytes)
    }
  }
  const write = (status: Status) =>
    archive.lines(memberNames.entries(type.uid, status), lines(status))
  // Read published versions first. If an entry is published meanwhile, the archive then still contains its newest
  // draft.
  const published = await write('published')
  return { published, drafts: type.draftAndPublish ? await write('draft') : 0 }
}

async function* linesIn(
  parts: BackupParts,
  collection: string,
  chosen: (id: unknown) => boolean,
): AsyncGenerator<string> {
  for await (const bytes of bytesIn(parts, collection))
    if (chosen(BSON.deserialize(bytes)['_id'])) yield lineOfDocument(bytes)
}

async function writeFiles(
  { selection, providers, names, progress }: BackupParts,
  archive: ArchiveWriter,
): Promise<Pick<Written, 'files' | 'missing'>> {
  const files = { count: 0, bytes: 0 }
  const missing = { count: 0, names: [] as string[] }
  if (selection.hasType(builtIn.file))
    for await (const { provider, name } of names.all()) {
      const storage = providers.byName(provider)
      const there = await storage?.stat(name)
      const content = there && (await storage?.open(name))
      if (there === undefined || content === undefined) {
        missing.count += 1
        if (missing.names.length < shownNames) missing.names.push(name)
        continue
      }
      await archive.file(memberNames.file(name), there.size, content)
      files.count += 1
      files.bytes += there.size
      progress(`Exporting files: ${files.count}, ${Math.round(files.bytes / 1e6)} MB`)
    }
  return { files, missing }
}

/** Documents per batch. By default, MongoDB fills a batch up to 16 MB, and two or three batches are in memory. */
const batchSize = 500

/** Yields documents as stored bytes, in the order of their ids. */
async function* bytesIn(
  { db, reading }: BackupParts,
  collection: string,
): AsyncGenerator<Uint8Array> {
  const documents = db
    .collection(collection)
    .find({}, { raw: true, readPreference: 'primary', batchSize, ...reading })
    .sort({ _id: 1 })
    .hint({ _id: 1 })
  // With `raw`, the driver returns bytes.
  for await (const document of documents) yield document as unknown as Uint8Array
}
