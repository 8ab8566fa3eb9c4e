import { BSON, type ClientSession, type Db, type Document, type Filter } from 'mongodb'
import { underway } from '../../engine/database/underway.js'
import { collectionOf, type ContentType, type Status } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { namesOf, type StoredFile } from '../upload/store-content.js'
import type { Providers } from '../upload/storage-provider.js'
import { lineOfDocument } from './document-lines.js'
import type { Counted } from './manifest.js'
import { memberNames } from './members.js'
import { carriedSettings, ownCollections, secretsId, uidOfLegacyId, type OwnKind } from './parts.js'
import { hasFiles, type Selection } from './selection.js'
import type { ArchiveWriter } from './write-archive.js'
import type { FileName, FileNames } from './file-names.js'

export type BackupParts = Readonly<{
  db: Db
  /** With the folders of the media library. */
  registry: Registry
  selection: Selection
  secrets: boolean
  session: ClientSession | undefined
  providers: Providers
  /** Where names of files are until their content is read. */
  names: FileNames
  progress: (what: string) => void
  /** Called when all documents were read, before the content of files is. */
  whenRead?: () => Promise<void>
}>

/** What was written. */
export type Written = Readonly<{
  entries: Readonly<Record<string, Counted>>
  tokens: number
  files: Readonly<{ count: number; bytes: number }>
  /** Content that entries of files name and that is not there: how much, and the first names. */
  missing: Readonly<{ count: number; names: readonly string[] }>
}>

const shownNames = 10

/** Writes all that is chosen, first what the database holds, then the content of files. */
export async function writeBackup(parts: BackupParts, archive: ArchiveWriter): Promise<Written> {
  const { registry, selection, progress } = parts
  if (selection.hasWhole('schema')) await writeDefinitions(parts, archive)
  const entries: Record<string, Counted> = {}
  for (const type of registry.contentTypes.values()) {
    if (!selection.hasType(type.uid)) continue
    progress(`Exporting ${type.uid}`)
    entries[type.uid] = await writeEntries(parts, archive, type)
  }
  // After entries, so that numbers are above theirs and single types are agreed on where others write meanwhile.
  const own = (kind: OwnKind, chosen: (id: unknown) => boolean): Promise<number> =>
    archive.lines(memberNames.own(kind), ownLines(parts, kind, chosen))
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

async function writeDefinitions(
  { db, session }: BackupParts,
  archive: ArchiveWriter,
): Promise<void> {
  const lines = async function* () {
    // The lock of a change belongs to who changes it.
    for await (const bytes of bytesIn(db, '_schemas', session, { _id: { $ne: 'lock' as never } }))
      yield lineOfDocument(bytes)
  }
  await archive.lines(memberNames.definitions, lines())
}

async function writeEntries(
  { db, session, names, progress }: BackupParts,
  archive: ArchiveWriter,
  type: ContentType,
): Promise<Counted> {
  let count = 0
  const lines = async function* (status: Status) {
    for await (const bytes of bytesIn(db, collectionOf(type, status), session)) {
      if (type.uid === builtIn.file) await names.add(namesOf(BSON.deserialize(bytes) as StoredFile))
      count += 1
      if (count % 1000 === 0) progress(`Exporting ${type.uid}: ${count}`)
      yield lineOfDocument(bytes)
    }
  }
  const write = (status: Status) =>
    archive.lines(memberNames.entries(type.uid, status), lines(status))
  // What is published meanwhile has its newest draft all the same.
  const published = await write('published')
  return { published, drafts: type.draftAndPublish ? await write('draft') : 0 }
}

async function* ownLines(
  { db, session }: BackupParts,
  kind: OwnKind,
  chosen: (id: unknown) => boolean,
): AsyncGenerator<string> {
  for await (const bytes of bytesIn(db, ownCollections[kind], session))
    if (chosen(BSON.deserialize(bytes)['_id'])) yield lineOfDocument(bytes)
}

async function writeFiles(
  { selection, providers, names, progress }: BackupParts,
  archive: ArchiveWriter,
): Promise<Pick<Written, 'files' | 'missing'>> {
  let [count, bytes, gone] = [0, 0, 0]
  const missing: string[] = []
  if (hasFiles(selection))
    for await (const named of names.all()) {
      const size = await writeFile(named, providers, archive)
      if (size === undefined) {
        gone += 1
        if (missing.length < shownNames) missing.push(named.name)
      } else {
        count += 1
        bytes += size
        progress(`Exporting files: ${count}, ${Math.round(bytes / 1e6)} MB`)
      }
    }
  return { files: { count, bytes }, missing: { count: gone, names: missing } }
}

/** Answers its size; undefined where it is not there. */
async function writeFile(
  { provider, name }: FileName,
  providers: Providers,
  archive: ArchiveWriter,
): Promise<number | undefined> {
  const storage = providers.byName(provider)
  const there = await storage?.stat(name)
  const content = there === undefined ? undefined : await storage?.open(name)
  if (there === undefined || content === undefined) return undefined
  await archive.file(memberNames.file(name), there.size, content)
  return there.size
}

/** Whether writes are under way, or were cut off and nobody has looked after them. */
export async function isUnfinished({
  db,
  session,
}: Pick<BackupParts, 'db' | 'session'>): Promise<boolean> {
  const options = session === undefined ? {} : { session }
  const noted = await db
    .collection<Document>(underway)
    .findOne({}, { ...options, projection: { _id: 1 } })
  return noted !== null
}

/** The database fills a batch up to 16 MB where nothing is said, and two or three are in memory. */
const batchSize = 500

/** Reads the documents of a collection as the bytes that are stored, in the order of their ids. */
async function* bytesIn(
  db: Db,
  collection: string,
  session: ClientSession | undefined,
  filter: Filter<Document> = {},
): AsyncGenerator<Uint8Array> {
  const documents = db
    .collection(collection)
    .find(filter, {
      raw: true,
      readPreference: 'primary' as const,
      batchSize,
      ...(session === undefined ? {} : { session }),
    })
    .sort({ _id: 1 })
    .hint({ _id: 1 })
  // With `raw`, the driver hands out bytes.
  for await (const document of documents) yield document as unknown as Uint8Array
}
