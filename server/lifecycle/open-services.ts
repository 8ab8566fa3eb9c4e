import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { CommandObserver } from '../../engine/database/sent-commands.js'
import { observeCommands } from '../../engine/database/sent-commands.js'
import { sketchPlan } from '../../engine/explain/sketch-plan.js'
import type { ReadPlan } from '../../engine/read.js'
import { createQueryCache } from '../../engine/read/query/known-queries.js'
import type { Admission, Line } from '../../workers/admission.js'
import { inLine } from '../../workers/in-line.js'
import { createMeter } from '../../workers/meter.js'
import { createAccess, type AccessFeature } from '../accounts/create-access.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import { readSecrets } from '../accounts/secrets.js'
import { adminUploads } from './admin-uploads.js'
import type { Closing } from './closing.js'
import type { Config } from '../settings/config.js'
import { createCollectionFacts } from '../content/collection-facts.js'
import { removeMarks } from '../content/agreed-drafts.js'
import { createDocuments } from '../content/create-documents.js'
import { lastStepsMs } from '../content/write-contexts.js'
import { contentDispatcher } from '../content/dispatcher.js'
import { liveDefaultPopulate } from './live-default-populate.js'
import { sweepKeys } from '../content/idempotency/sweep-keys.js'
import { prepareOwnCollections } from '../../engine/database/prepare-collections.js'
import type { Application } from '../configuration/apply-configuration.js'
import { backupRoutes } from '../backup/backup-routes.js'
import { configurationRoutes } from '../configuration/configuration-routes.js'
import { openConfiguration } from './open-configuration.js'
import { contentTypeRoutes } from '../content-types/routes.js'
import { tableRoutes } from '../tables/table-routes.js'
import { typescriptRoutes } from '../typescript/routes.js'
import { checkFormat } from '../content-types/check-format.js'
import { whenKnown } from '../content-types/other-instances.js'
import { openSchemaStore, type SchemaStore } from '../content-types/store.js'
import { storedTypes } from '../content-types/stored-types.js'
import type { RoomWatch } from '../database/room-watch.js'
import type { Dispatcher } from '../http/dispatcher.js'
import type { SharedCounts } from '../http/rate-limit.js'
import type { Route } from '../http/route.js'
import { writeLines } from '../http/write-lines.js'
import { createUnsent, unsentOptions, type Unsent } from '../http/unsent.js'
import { ensureLocale, localeRoutes } from '../locales/locale-routes.js'
import { indexRoutes } from '../indexes/index-routes.js'
import type { ReportFault } from '../reporting/fault.js'
import { keepLevel } from '../logging/keep-level.js'
import type { LiveLevel } from '../logging/live-level.js'
import { logLevelRoutes } from '../logging/log-level-routes.js'
import { openLocales } from '../locales/locales.js'
import { publicUrl } from '../settings/public-url.js'
import { insecureSettings } from '../settings/insecure-settings.js'
import { adminRoutes } from '../accounts/admins/admin-routes.js'
import { adminSessionRoutes } from '../accounts/admins/admin-session-routes.js'
import { apiTokenRoutes } from '../accounts/tokens/api-token-routes.js'
import { createDeliverCode } from '../mail/deliver-codes.js'
import { prepareStoredCounts, storedCounts } from '../rate-limit/stored-counts.js'
import { keepMigrated } from '../migrations/keep-migrated.js'
import { keepRepaired } from '../repair/keep-repaired.js'
import { openLiveCounts } from '../../engine/database/open-live-counts.js'
import { openUnderwayWrites } from '../repair/underway-writes.js'
import { openPurging } from '../purging/open-purging.js'
import { openPresence, type Presence } from '../repair/presence.js'
import { hearOthers } from './hear-others.js'
import type { Measured } from './metric-sources.js'
import type { Services } from './services.js'
import { findLeftOut, remedyOf } from './left-out.js'
import { tellProject } from './tell-project.js'
import { createFileAccess, serveAllowed } from '../upload/file-access.js'
import { privateFilesOf, privateLinks } from '../upload/private-links.js'
import { uploadRoutes } from '../upload/routes.js'
import { serveByLink } from '../upload/serve-by-link.js'
import { serveRoute } from '../upload/serve-route.js'
import { sweepContents } from '../upload/sweep-contents.js'
import { openAnswers, openExclusive } from './open-answers.js'
import { openExporting } from './open-exporting.js'
import { openIndexing } from './open-indexing.js'
import { openAdmission, openExecutor, openPatternPool, openPool } from './open-lanes.js'
import { openPictures } from './open-pictures.js'
import { openProviders } from './open-providers.js'
import { openVariants } from './open-variants.js'
import { sweepUnfinished } from '../upload/sweep-unfinished.js'
import { openUnsettledContents } from '../upload/unsettled-contents.js'
import { roleRoutes } from '../accounts/roles/role-routes.js'
import { userRoutes } from '../accounts/users/user-routes.js'
import { openDatabase } from './open-database.js'

/** Everything that stands behind the HTTP server. */
export type OpenServices = Readonly<{
  services: Services
  access: AccessFeature
  /** What admins set, for whoever carries it over. */
  configuration: Application
  routes: readonly Route[]
  content: Dispatcher
  admission: Admission
  /** In which writes wait for their turn. */
  writes: Line
  /** What clients have not taken yet. */
  unsent: Unsent
  /** What may be told in the log of a read's plan. */
  sketch: (plan: ReadPlan) => object
  /** What can say how it does. */
  measured: Measured
  /** Where several instances may serve the database: how they count attempts together. */
  counts?: SharedCounts
  /** What writes are refused with at present, because there is no room for them. */
  refusal?: RoomWatch['refusal'] | undefined
}>

/** How long work in the background may take to stop; whoever comes next goes on with it. In milliseconds. */
const backgroundMs = 5000

type Surroundings = Readonly<{
  log: Logger
  level: LiveLevel
  /** To be told of what died beside requests. */
  report: ReportFault
  closing: Closing
  /** Default: all that there are. */
  providers?: ProviderTable | undefined
  /** Told of every command that is sent to the database. */
  observe?: CommandObserver | undefined
  /** Ends the opening between two of its steps. */
  stopping?: AbortSignal | undefined
}>

/**
 * The composition root: opens the database, builds every feature on it, and makes what a fresh service needs.
 * What it opens is added to `closing`, also where it throws.
 */
export async function openServices(config: Config, around: Surroundings): Promise<OpenServices> {
  const { log, closing, stopping } = around
  const { settings } = config
  const { db, uri, embedded, alone, refusal, restarts } = await openDatabase(config, around)
  if (around.observe !== undefined) observeCommands(db.client, around.observe)
  stopping?.throwIfAborted()
  const purging = openPurging({ settings, db, log })
  if (purging !== undefined) closing.add('The purges', purging.stop, 2 * backgroundMs)
  await tellProject(config, log)
  for (const one of findLeftOut())
    log.warn({ event: 'left-out', package: one.name }, `${one.consequence} ${remedyOf(one)}`)
  let schemaVersion = (): number => 0
  let known = (): number => 0
  const exclusive = await openExclusive(settings, { db, alone }, around)
  const presence = await openPresence(db, {
    ...{ log, alone, notes: true, exclusive: exclusive !== undefined },
    schemaVersion: () => schemaVersion(),
    knows: () => known(),
  })
  let leave = presence.leave
  closing.add('The presence', () => leave())
  await exclusive?.begin(presence.findOthers)
  let format = await checkFormat(db)
  presence.started()
  const migrator = await keepMigrated({
    ...{ db, log, alone },
    types: () => storedTypes(db),
    completed: (now) => {
      format = now
    },
  })
  closing.add('The migration', migrator.stop, backgroundMs)
  const schema = await openSchemaStore({
    ...{ db, log, schemaDir: config.schemaDir, alone },
    customFields: settings['schema.customFields'],
    hidden: settings['api.responses.privateAttributes'],
    onOlder: settings['schema.onOlder'],
    carriedOver: () => migrator.carriedOver,
    risen: () => void presence.tell().catch(() => undefined),
  })
  closing.add('The schema', schema.stop)
  stopping?.throwIfAborted()
  const { registry, registryOf } = schema
  await purging?.start(registry)
  schemaVersion = () => registry().version
  known = schema.known
  const locales = await openLocales(db, log)
  closing.add('The locales', () => Promise.resolve(locales.stop()))
  const signals = await hearOthers(config, { db, alone, presence, schema, locales }, around)
  const level = await keepLevel({ ...{ db, log, signals, alone }, level: around.level })
  closing.add('The log level', () => Promise.resolve(level.stop()))
  if (!alone) await waitForOthers(db, { schema, presence, log, stopping })
  stopping?.throwIfAborted()
  const admission = openAdmission(config, closing)
  const unsent = createUnsent(unsentOptions(settings))
  const pool = openPool(config, { uri, admission }, around)
  const counts = await openLiveCounts(db, { alone })
  if (counts !== undefined) closing.add('The counts of collections', counts.stop)
  const lanes = openExecutor(config, { db, pool, admission, unsent, counts })
  const indexing = await openIndexing(
    config,
    { db, registry, alone, refusal, executor: lanes },
    around,
  )
  const { executor, indexer } = indexing
  await prepareOwnCollections(db)
  const lingerMs = lastStepsMs(settings)
  const writes = openUnderwayWrites(db, presence.id, lingerMs)
  const repairer = keepRepaired({
    ...{ db, log, registry, presence, writes, lingerMs, alone, format: () => format },
    changed: executor.changed,
    interrupted: purging?.everything,
  })
  // It says goodbye when nothing is left to be repaired. Where it was cut off, others have to look.
  leave = () => Promise.resolve(presence.stop())
  closing.add('The repair', repairer.stop, backgroundMs)
  const explained = admission.line({ name: 'explained', places: 1 })
  const secrets = await readSecrets(db, config)
  const providers = await openProviders(config, { ...around, db, registry: registry(), alone })
  const links = privateLinks(settings, secrets.uploadSigningKey, providers)
  const cache = createQueryCache()
  const answers = openAnswers(settings, { db, alone, exclusive, signals })
  const patterns = openPatternPool(config, around)
  const factsOf = createCollectionFacts(db, registry, indexer.made)
  const marks = removeMarks(db)
  closing.add('The marks of drafts', marks.stop, backgroundMs)
  const documents = createDocuments({
    ...{ db, settings, registry, registryOf, locales: locales.current, executor, cache, answers },
    checkPatterns: patterns.check,
    holdsLocale: locales.holds,
    format: () => format,
    begun: writes.begin,
    knowing: schema.begin,
    wrote: indexing.wrote,
    agreed: marks.agreed,
    factsOf,
    links,
    privateFilesOf: privateFilesOf(settings, secrets.uploadSigningKey, providers),
    defaultPopulate: liveDefaultPopulate(settings, schema, locales.current),
    meterOf: createMeter,
    inTurn: (asked, run) => inLine(explained, asked, run),
    // The embedded engine's host checks them after an unclean stop; of others nobody knows.
    exactMetadata: embedded,
    alone,
  })
  const stopSweeping = await sweepKeys(db, log)
  closing.add('The sweep of keys', () => Promise.resolve(stopSweeping()))
  const services: Services = Object.freeze({
    ...{ settings, log, db, registry, documents },
    locales: locales.current,
  })

  const codes = createDeliverCode(settings, config.port)
  const access = createAccess(services, {
    ...{ secrets, deliver: codes?.deliver },
    publicUrl: publicUrl(settings, config.port),
    providers: around.providers,
    signals,
  })
  closing.add('The mail', () => access.settled().finally(() => codes?.close()))
  await ensureLocale(services, locales)
  await access.start(config.admin)
  if (config.production)
    for (const sentence of insecureSettings(config, await access.publicActions()))
      log.warn({ event: 'insecure-setting' }, sentence)

  const accessTo = createFileAccess(settings, secrets.uploadSigningKey)
  const stopSweepingFiles = sweepUnfinished(providers.all, log)
  closing.add('The sweep of unfinished files', () => Promise.resolve(stopSweepingFiles()))
  const contents = openUnsettledContents(services, { providers, alone })
  closing.add('The sweep of content', sweepContents(contents, log))
  const pictures = openPictures(settings, around)
  const makePictures = pictures.make
  const uploads = uploadRoutes(services, { providers, contents, makePictures })
  const key = secrets.uploadSigningKey
  const { dataDir } = config
  const drawing = { dataDir, key, providers, makePictures, closing }
  const serveVariants = await openVariants(services, drawing)
  const removal = { alone, begun: writes.begin }
  const lineOfWrites = writeLines(admission, settings['api.rest.maxInlineReads'])
  const exporting = await openExporting(
    config,
    { uri, alone, refusal, writes: lineOfWrites, format: () => format },
    closing,
  )
  const configuration = openConfiguration(services, access, locales, removal)
  const routes = [
    ...access.routes,
    ...userRoutes(services, access),
    ...roleRoutes(services, access),
    ...adminSessionRoutes(access),
    ...adminRoutes(access),
    ...apiTokenRoutes(access),
    ...localeRoutes(services, locales, removal),
    ...configurationRoutes(configuration, access.report),
    ...logLevelRoutes({ db, level: around.level, kept: level }),
    ...indexRoutes(services, indexer),
    ...tableRoutes(services),
    ...backupRoutes({ db, registry, alone, exporting }),
    ...contentTypeRoutes(services),
    ...typescriptRoutes(services),
    ...uploads,
    ...adminUploads(services, uploads, {
      ...{ executor, links, alone, format: () => format, begun: writes.begin },
    }),
    serveRoute(providers, [
      serveAllowed(accessTo),
      // Before what answers with a link to the picture itself.
      serveVariants,
      serveByLink(providers, accessTo),
    ]),
  ]
  const opened = {
    ...{ services, access, configuration },
    routes,
    content: contentDispatcher(services),
    admission,
    ...{ unsent, refusal, writes: lineOfWrites },
    sketch: (plan: ReadPlan) => sketchPlan(plan, settings['pool.costThreshold'], factsOf),
    measured: {
      ...{ client: db.client, admission, unsent, pool, patterns, pictures, cache, answers },
      ...{ purging, repairer, indexer, signals, restarts, registry },
    },
  }
  if (alone) return opened
  await prepareStoredCounts(db)
  return { ...opened, counts: storedCounts(db) }
}

/** No write of another instance meets values of attributes that it does not know. */
async function waitForOthers(
  db: Db,
  {
    schema,
    presence,
    log,
    stopping,
  }: Readonly<{
    schema: SchemaStore
    presence: Presence
    log: Logger
    stopping: AbortSignal | undefined
  }>,
): Promise<void> {
  await schema.refresh()
  await presence.tell()
  if (!(await whenKnown(db, schema.registry().version, stopping)))
    log.warn('Other instances have not seen the definitions of this one yet')
}
