import type { Db } from 'mongodb'
import { repairModified } from '../../engine/repair.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { ownCollections, parts, partOf, type Part } from '../../server/backup/parts.js'
import { selectionOf, type Asked, type Selection } from '../../server/backup/selection.js'
import { clearTypes } from '../import-runner/clear-types.js'
import { findMade } from '../import-runner/find-made.js'
import type { Brings } from '../import-runner/import-record.js'
import { openRegistry } from '../import-runner/place-definitions.js'
import type { ImportOptions, ImportSource, ImportStage } from '../import-runner/run-import.js'
import type { OpenDatabase } from '../with-database.js'
import type { Overview } from './archive-overview.js'
import type { ArchiveRecord } from './archive-record.js'
import { placeSchema, planSchema, type SchemaPlan } from './place-schema.js'
import { writeMembers } from './write-archive-members.js'
import { ImportRefused } from '../import-runner/import-refused.js'

type Options = ImportOptions & Readonly<{ asked: Asked }>

/**
 * An archive of `quire export` as the source of an import.
 * @throws ImportRefused, or Error for an unknown name
 */
export async function archiveSource(
  database: OpenDatabase,
  overview: Overview,
  options: Options,
): Promise<ImportSource<ArchiveRecord>> {
  const { asked } = options
  const there = await registryOf(database)
  const selection = narrowToArchive(asked, overview, there.contentTypes.keys())
  return {
    id: overview.end.checksum,
    isSame: (record) => JSON.stringify(record.asked) === JSON.stringify(asked),
    plan: async () => {
      const schema = await planSchema(database, overview, selection, options.keepDefinitions)
      return {
        covers: (half) => covers(selection, half),
        findContent: () => findChosen(database.db, [there, schema.planned], selection),
        start: (begun) =>
          Promise.resolve({
            record: begun ?? begin(overview, selection, schema),
            registry: there,
            stages: stagesOf({ database, overview, selection, schema, there, options }),
          }),
      }
    },
  }
}

const begin = (
  { end }: Overview,
  { asked, hasWhole, hasType }: Selection,
  { missing }: SchemaPlan,
): ArchiveRecord => ({
  _id: end.checksum,
  command: 'import',
  startedAt: new Date(),
  stage: 'clearing',
  asked,
  at: 0,
  definitions: missing.map(({ uid }) => uid),
  brings: { parts: parts.filter(hasWhole), types: Object.keys(end.entries).filter(hasType) },
})

const covers = ({ hasWhole, hasType }: Selection, half: Brings | undefined): boolean =>
  half === undefined
    ? parts.every(hasWhole)
    : parts.every((part) => !half.parts.includes(part) || hasWhole(part)) &&
      half.types.every(hasType)

/** Names the content made by somebody that the import would replace. */
async function findChosen(
  db: Db,
  registries: readonly [Registry, Registry],
  selection: Selection,
): Promise<readonly string[]> {
  const isReplaced = (uid: string): boolean => uid !== builtIn.adminUser && selection.hasType(uid)
  const made = await findMade(db, registries, isReplaced)
  // A start makes the first admin.
  const { collectionName: admins } = typeOf(registries[0], builtIn.adminUser)
  const hasAdmins = selection.hasType(builtIn.adminUser) && (await countUpTo(db, admins, 2)) > 1
  const { tokens } = ownCollections
  const hasTokens = selection.hasWhole('tokens') && (await countUpTo(db, tokens, 1)) > 0
  return [...made, ...(hasAdmins ? ['several admins'] : []), ...(hasTokens ? ['API tokens'] : [])]
}

const countUpTo = (db: Db, name: string, limit: number): Promise<number> =>
  db.collection(name).countDocuments({}, { limit })

type Parts = Readonly<{
  database: OpenDatabase
  overview: Overview
  selection: Selection
  schema: SchemaPlan
  /** The types before the import. */
  there: Registry
  options: Options
}>

const stagesOf = (given: Parts): readonly ImportStage<ArchiveRecord>[] => [
  {
    from: 'clearing',
    run: async (_, providers) => {
      given.options.progress('Taking away what is there')
      await clear(given, providers)
      return { stage: 'writing', at: 0 }
    },
  },
  {
    from: 'writing',
    run: async (record, providers) => {
      const { database, overview, selection, options } = given
      const { db } = database
      const { progress } = options
      const registry = await registryOf(database)
      await writeMembers({ db, overview, registry, selection, providers, record, progress })
      return { stage: 'finishing', at: overview.end.members }
    },
  },
  {
    from: 'finishing',
    run: async () => {
      await finish(given)
      return { stage: 'done', finishedAt: new Date() }
    },
  },
]

/** Removes what the archive replaces, and places its definitions. */
async function clear(
  { database, overview, selection, schema, there }: Parts,
  providers: Providers,
): Promise<void> {
  // By the old definitions first: with the new ones some collections would not be found.
  await clearTypes(database, there, providers, selection.hasType)
  await placeSchema(database, overview, schema)
  await clearTypes(database, await openRegistry(database), providers, selection.hasType)
  const { tokens } = ownCollections
  if (selection.hasWhole('tokens')) await database.db.collection(tokens).deleteMany({})
}

/** Makes the indexes, and repairs writes that were in flight when the archive was written. */
async function finish({ database, overview, selection, options }: Parts): Promise<void> {
  const { db } = database
  const { manifest } = overview
  options.progress('Making indexes')
  const registry = await openRegistry(database)
  const isLive = manifest.moment === 'live'
  const isWhole = selection.hasWhole('content') && selection.hasWhole('media')
  if (!isLive && !(isWhole && manifest.unfinished)) return
  options.progress('Looking for what was cut off')
  if (isWhole) await runRepair({ db, registry, mends: true })
  // A draft is modified by comparison with its published version, which a live export read at another moment.
  else await repairModified({ db, registry, mends: true, found: () => undefined })
}

/** The registry of the definitions in the database. */
async function registryOf({ db }: Pick<OpenDatabase, 'db'>): Promise<Registry> {
  const { definitions, version } = await readDefinitions(db)
  return withFolders(createRegistryFrom(definitions.map(sourced), version))
}

/**
 * Returns the part of an archive that is asked for. An archive that was written with `--only` or `--exclude` replaces
 * what it has and nothing else. Types that were defined later stay as they are.
 * @param there uids of the types that are defined here
 * @throws ImportRefused if the archive lacks what is asked for, Error for an unknown name
 */
function narrowToArchive(
  asked: Asked,
  { manifest, end, definitions, uids }: Overview,
  there: Iterable<string>,
): Selection {
  const entries = Object.keys(end.entries)
  const defined = definitions.map(({ _id }) => _id)
  const chosen = selectionOf(asked, [...there, ...uids, ...entries, ...defined])
  const named = [...manifest.asked.only, ...manifest.asked.exclude].filter(isUid)
  const archived = selectionOf(manifest.asked, [...entries, ...named, ...defined])
  // An export notes every type that it was to have, those without entries as well.
  const hasEntries = (uid: string): boolean => Object.hasOwn(end.entries, uid)
  for (const name of asked.only) {
    const has = isUid(name)
      ? hasEntries(name)
      : archived.hasWhole(name as Part) || entries.some((uid) => partOf(uid) === name)
    if (!has)
      throw new ImportRefused(
        `The archive has nothing of ${name}: it has ${[...parts.filter(archived.hasWhole), ...entries.filter((uid) => !archived.hasWhole(partOf(uid)))].join(', ')}`,
      )
  }
  return {
    asked,
    hasWhole: (part) => chosen.hasWhole(part) && archived.hasWhole(part),
    hasType: (uid) => chosen.hasType(uid) && hasEntries(uid),
    hasSequence: (id) => chosen.hasSequence(id) && archived.hasSequence(id),
  }
}

const isUid = (name: string): boolean => name.includes('::')
