import type { Db } from 'mongodb'
import type { PatternChecker } from '../../engine/patterns/pattern-check.js'
import { repairModified } from '../../engine/repair.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { ownCollections, parts, partOf, type Part } from '../../server/backup/parts.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import {
  selectionOf,
  type SelectionRequest,
  type Selection,
} from '../../server/backup/selection.js'
import { createCheck, type VersionCheck } from '../import-runner/check-versions.js'
import { clearTypes } from '../import-runner/clear-types.js'
import { findMade } from '../import-runner/find-made.js'
import { importRecords, type ReplacedData } from '../import-runner/import-record.js'
import {
  openRegistry,
  projectDefinitions,
  storedRegistry,
} from '../import-runner/place-definitions.js'
import type { ImportOptions, ImportSource, ImportStage } from '../import-runner/run-import.js'
import { onProgress } from '../progress.js'
import type { OpenDatabase } from '../with-database.js'
import type { Overview } from './archive-overview.js'
import { findRenames, uidsBy, type Renames } from './archive-renames.js'
import type { ArchiveRecord } from './archive-record.js'
import { findLeftOut, type LeftOut } from './left-out.js'
import { placeSchema, planSchema, type SchemaPlan } from './place-schema.js'
import { createRenaming, renameOverview, type Renaming } from './rename-archive.js'
import { writeMembers } from './write-archive-members.js'

type Options = ImportOptions &
  Readonly<{
    requested: SelectionRequest
    checkPatterns: PatternChecker
    /** Receives the versions that are not imported, because they are not valid by the project's definitions. */
    leftOut: LeftOut[]
  }>

/** The maximum number of omitted versions to store in the import's record, and to print. */
export const maxShown = 20

/**
 * Returns an archive of `quire export` as the source of an import. Throws if the user requested a part or type that
 * does not exist, or a type by its previous uid.
 */
export async function archiveSource(
  database: OpenDatabase,
  archived: Overview,
  options: Options,
): Promise<ImportSource<ArchiveRecord>> {
  const { db, config } = database
  const { requested, keepDefinitions } = options
  const there = await storedRegistry(db)
  const definitions = archived.definitions.map(sourced)
  const own = await projectDefinitions(config, db, definitions)
  // Reuse the renames of an interrupted run, which may have overwritten the previous names in the database.
  const earlier = await importRecords(db).findOne({ _id: archived.end.checksum })
  const begun = earlier?.stage === 'done' ? null : (earlier as ArchiveRecord | null)
  const renames = begun?.renames ?? findRenames(archived, own)
  refusePreviousUids(requested, own, renames)
  const overview = renameOverview(archived, renames, own)
  const selection = narrowToArchive(requested, overview, uidsOf(there, own))
  return {
    id: overview.end.checksum,
    isSame: (record) => JSON.stringify(record.asked) === JSON.stringify(requested),
    plan: async () => {
      const schema = await planSchema(database, overview, selection, keepDefinitions, renames)
      const given = { ...options, database, overview, archived, renames, selection, schema, there }
      return {
        covers: (half) => covers(selection, half),
        findContent: () => findChosen(given),
        start: (begun) => ({
          record: begun ?? begin(given),
          registry: there,
          stages: stagesOf(given),
        }),
      }
    },
  }
}

/** Throws an error with the present uid if the user selected a type by its previous uid. */
function refusePreviousUids(
  { only, exclude }: SelectionRequest,
  own: readonly SourcedDefinition[],
  { types }: Renames,
): void {
  const uids = new Set(own.map(({ uid }) => uid))
  const uidHere = new Map([
    ...own.map(({ uid, definition }) => [definition.renamedFrom, uid] as const),
    ...types.map(({ from, to }) => [from, to] as const),
  ])
  for (const name of [...only, ...exclude]) {
    const uid = uids.has(name) ? undefined : uidHere.get(name)
    if (uid !== undefined)
      throw new Error(`The content-type ${name} is now called ${uid}. Use this name`)
  }
}

/**
 * Returns the uids of all types. Leaves out the previous uids of renamed types, which the database may still contain.
 */
function uidsOf(there: Registry, own: readonly SourcedDefinition[]): readonly string[] {
  const uids = own.flatMap(({ kind, uid }) => (kind === 'content-type' ? [uid] : []))
  const previous = new Set(own.map(({ definition }) => definition.renamedFrom))
  return [...uids, ...[...there.contentTypes.keys()].filter((uid) => !previous.has(uid))]
}

const begin = ({ overview: { end }, selection, schema, renames }: Parts): ArchiveRecord => ({
  _id: end.checksum,
  command: 'import',
  startedAt: new Date(),
  stage: 'clearing',
  asked: selection.asked,
  renames,
  at: 0,
  definitions: schema.missing.map(({ uid }) => uid),
  brings: {
    parts: parts.filter(selection.hasWhole),
    types: Object.keys(end.entries).filter(selection.hasType),
  },
})

const covers = (
  { hasWhole, hasType }: Selection,
  half: ReplacedData = { parts, types: [] },
): boolean => half.parts.every((part) => hasWhole(part as Part)) && half.types.every(hasType)

/** Lists the content that people created and that the import would replace. */
async function findChosen(given: Parts): Promise<readonly string[]> {
  const { there, schema, selection, renames } = given
  const { db } = given.database
  const uidHere = uidsBy(renames.types)
  const isReplaced = (uid: string): boolean =>
    uid !== builtIn.adminUser && selection.hasType(uidHere(uid))
  const made = await findMade(db, [there, schema.planned], isReplaced)
  // Ignore the admin if there is only one, because the service creates one when it starts.
  const { collectionName } = typeOf(there, builtIn.adminUser)
  const hasAdmins =
    selection.hasType(builtIn.adminUser) && (await hasMoreThan(db, collectionName, 1))
  const hasTokens =
    selection.hasWhole('tokens') && (await hasMoreThan(db, ownCollections.tokens, 0))
  return [...made, ...(hasAdmins ? ['several admins'] : []), ...(hasTokens ? ['API tokens'] : [])]
}

const hasMoreThan = async (db: Db, name: string, count: number): Promise<boolean> =>
  (await db.collection(name).countDocuments({}, { limit: count + 1 })) > count

type Parts = Pick<Options, 'checkPatterns' | 'leftOut'> &
  Readonly<{
    database: OpenDatabase
    /** The archive's overview, with the names of this project. */
    overview: Overview
    /** The archive's overview, with the names of the archive. */
    archived: Overview
    renames: Renames
    selection: Selection
    schema: SchemaPlan
    /** The types in the database before the import. */
    there: Registry
  }>

function stagesOf(given: Parts): readonly ImportStage<ArchiveRecord>[] {
  const { database, overview, renames, selection, schema, there } = given
  const { db } = database
  const uidHere = uidsBy(renames.types)
  return [
    {
      from: 'clearing',
      run: async (_, providers) => {
        onProgress('Removing the existing content')
        // Clear twice, because the previous and the new definitions of a type may use different collections.
        await clearTypes(database, there, providers, (uid) => selection.hasType(uidHere(uid)))
        await placeSchema(database, overview, schema)
        const registry = await openRegistry(database, schema.exported)
        await clearTypes(database, registry, providers, selection.hasType)
        // Create the unique indexes before writing, so that the database rejects versions with duplicate values.
        if (schema.checked.length > 0) await openRegistry(database, schema.exported)
        if (selection.hasWhole('tokens')) await db.collection(ownCollections.tokens).deleteMany({})
        return { stage: 'writing', at: 0 }
      },
    },
    {
      from: 'writing',
      run: async (record, providers) => {
        const registry = await storedRegistry(db)
        const tools = toolsFor(given, registry)
        await writeMembers({ db, overview, registry, selection, providers, record, ...tools })
        return { stage: 'finishing', at: overview.end.members }
      },
    },
    {
      from: 'finishing',
      run: async () => {
        const all = await finish(given)
        given.leftOut.push(...all)
        const done = { stage: 'done', finishedAt: new Date() } as const
        if (all.length === 0) return done
        const byType: Record<string, number> = {}
        for (const { uid } of all) byType[uid] = (byType[uid] ?? 0) + 1
        const drafts = all.filter(({ isDraft }) => isDraft).length
        return { ...done, leftOut: { byType, drafts, first: all.slice(0, maxShown) } }
      },
    },
  ]
}

/** Returns functions that validate and rename the archive's versions. */
const toolsFor = (
  { database, schema, checkPatterns, renames, archived }: Parts,
  registry: Registry,
): Readonly<{ check: VersionCheck; renaming: Renaming }> => ({
  check: createCheck(schema.checked, {
    registry,
    checkPatterns,
    requiredRelations: database.config.settings['validation.requiredRelations'],
  }),
  renaming: createRenaming(renames, archived.definitions, registry),
})

/**
 * Creates the indexes, and repairs versions that were written during the export. Returns the versions that were not
 * imported.
 */
async function finish(given: Parts): Promise<readonly LeftOut[]> {
  const { database, overview, selection, schema } = given
  const { db } = database
  const { manifest } = overview
  onProgress('Creating indexes')
  const registry = await openRegistry(database, schema.exported)
  const types = schema.checked
  const leftOut = await findLeftOut({ db, overview, types, ...toolsFor(given, registry) })
  const isLive = manifest.moment === 'live'
  const isWhole = selection.hasWhole('content') && selection.hasWhole('media')
  if (!isLive && !(isWhole && manifest.unfinished)) return leftOut
  onProgress('Checking and repairing entries that were being written during the export')
  if (isWhole) await runRepair({ db, registry, repairs: true })
  // A live export may contain a draft and its published version from different moments.
  else await repairModified({ db, registry, repairs: true, found: () => undefined })
  return leftOut
}

/**
 * Returns the part of the user's selection that the archive contains. Other types and parts stay unchanged.
 * @param there uids of the types that are defined in this project
 * @throws Error if the archive lacks a requested part, or if a requested name is unknown
 */
function narrowToArchive(
  requested: SelectionRequest,
  { manifest, end, definitions, uids }: Overview,
  there: Iterable<string>,
): Selection {
  const entries = Object.keys(end.entries)
  const defined = definitions.map(({ _id }) => _id)
  const chosen = selectionOf(requested, [...there, ...uids, ...entries, ...defined])
  const named = [...manifest.asked.only, ...manifest.asked.exclude].filter(isUid)
  const archived = selectionOf(manifest.asked, [...entries, ...named, ...defined])
  // An export lists every exported type in `entries`, even types without entries.
  const hasEntries = (uid: string): boolean => Object.hasOwn(end.entries, uid)
  for (const name of requested.only) {
    const has = isUid(name)
      ? hasEntries(name)
      : archived.hasWhole(name as Part) || entries.some((uid) => partOf(uid) === name)
    if (!has)
      throw new Error(
        `The archive does not contain ${name}. It contains ${[...parts.filter(archived.hasWhole), ...entries.filter((uid) => !archived.hasWhole(partOf(uid)))].join(', ')}`,
      )
  }
  return {
    asked: requested,
    hasWhole: (part) => chosen.hasWhole(part) && archived.hasWhole(part),
    hasType: (uid) => chosen.hasType(uid) && hasEntries(uid),
    hasSequence: (id) => chosen.hasSequence(id) && archived.hasSequence(id),
  }
}

const isUid = (name: string): boolean => name.includes('::')
