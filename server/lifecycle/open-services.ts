import { prepareOwnCollections } from '../../engine/database/prepare-collections.js'
import { observeCommands } from '../../engine/database/sent-commands.js'
import { servedClock } from '../../engine/database/watch-servers.js'
import { summarizePlan } from '../../engine/explain/summarize-plan.js'
import type { ReadPlan } from '../../engine/read.js'
import { createQueryCache } from '../../engine/read/plan/known-queries.js'
import { createAdmission } from '../../workers/admission.js'
import { runInQueue } from '../../workers/run-in-queue.js'
import { sampleLoopDelay } from '../../workers/loop-delay.js'
import { createMeter } from '../../workers/meter.js'
import { adminRoutes } from '../accounts/admins/admin-routes.js'
import { adminSessionRoutes } from '../accounts/admins/admin-session-routes.js'
import { createAccess } from '../accounts/create-access.js'
import { roleRoutes } from '../accounts/roles/role-routes.js'
import { readSecrets } from '../accounts/secrets.js'
import { apiTokenRoutes } from '../accounts/tokens/api-token-routes.js'
import { userRoutes } from '../accounts/users/user-routes.js'
import { backupRoutes } from '../backup/backup-routes.js'
import { createExporting } from '../backup/exporting.js'
import { configurationRoutes } from '../configuration/configuration-routes.js'
import { differenceRoutes } from '../content-types/difference-routes.js'
import { contentTypeRoutes } from '../content-types/routes.js'
import { keepUniques } from '../content-types/keep-uniques.js'
import { removeMarks } from '../content/agreed-drafts.js'
import { createCollectionFacts } from '../content/collection-facts.js'
import { createDocuments } from '../content/create-documents.js'
import { contentDispatcher } from '../content/dispatcher.js'
import { sweepKeys } from '../content/idempotency/sweep-keys.js'
import { openAnswers } from '../content/answer-memory.js'
import { liveDefaultPopulate } from '../content/read-rules.js'
import { uidRoutes } from '../content/uid-routes.js'
import { lastStepsMs } from '../content/write-documents.js'
import { sweepTempFolders } from '../database/temp-folder.js'
import { OutputBuffers } from '../http/response/output-buffers.js'
import { writeQueues } from '../http/routes/write-queues.js'
import { indexRoutes } from '../indexes/index-routes.js'
import { startIndexer } from '../indexes/keep-indexed.js'
import { ensureLocale, localeRoutes } from '../locales/locale-routes.js'
import { logLevelRoutes } from '../logging/log-level-routes.js'
import { createMailer } from '../mail/create-mailer.js'
import { logProject } from '../project/log-project.js'
import { openPurging } from '../purging/open-purging.js'
import { prepareStoredCounts, storedCounts } from '../rate-limit/stored-counts.js'
import { startRepairer } from '../repair/keep-repaired.js'
import { openProcessJournal } from '../repair/process-journal.js'
import type { Config } from '../settings/config.js'
import { insecureSettings } from '../settings/insecure-settings.js'
import { publicUrl } from '../settings/public-url.js'
import { tableRoutes } from '../tables/table-routes.js'
import { typescriptRoutes } from '../typescript/routes.js'
import { settingsOfFolders } from '../upload/folders/folders.js'
import { withFolders } from '../upload/folders/folder-types.js'
import { openPrivateFiles } from '../upload/private-files.js'
import { countAtStart } from './count-at-start.js'
import { findLeftOut, remedyOf } from './left-out.js'
import { openConfiguration } from './open-configuration.js'
import { openDatabase } from './open-database.js'
import { openExecutor, openPatternPool } from './open-pools.js'
import { openShared } from './open-shared.js'
import { openProviders, openUploads } from './open-uploads.js'
import type { ServiceOptions } from './service-options.js'
import type { Services } from '../services.js'

/** All services that the HTTP server uses. */
export type OpenServices = Awaited<ReturnType<typeof openServices>>

/** How long, in milliseconds, stopping background work may take. The next start continues the work. */
const backgroundMs = 5000

/**
 * Opens all services that the HTTP server uses. Adds each of them to `closing`, so that the opened ones can be closed
 * even if a later step throws.
 */
export async function openServices(config: Config, options: ServiceOptions) {
  const { log, level, closing, stopping } = options
  const { settings, dataDir } = config

  const database = await openDatabase(config, options)
  const { db, uri, embedded, singleProcess, restarts, refusal } = database
  if (options.observe !== undefined) observeCommands(db.client, options.observe)
  stopping?.throwIfAborted()
  // Open this before anything is written, because purging must process every write.
  const purging = openPurging({ settings, db, log })
  if (purging !== undefined) closing.add('The purges', purging.stop, 2 * backgroundMs)
  await logProject(config, log)
  for (const one of findLeftOut())
    log.warn({ event: 'left-out', package: one.name }, `${one.consequence} ${remedyOf(one)}`)

  const shared = await openShared(config, options, { db, singleProcess, purging })
  const { exclusive, heartbeat, schema, locales, signals, keptLevel } = shared
  const { registry, registryOf } = schema
  await keepUniques({ db, log, registry: registry() })
  stopping?.throwIfAborted()

  const delay = sampleLoopDelay()
  closing.add('The sampling of the event loop', delay.stop)
  const admission = createAdmission({
    now: servedClock(db.client),
    maxQueued: settings['http.maxQueued'],
    maxQueuedBytes: settings['http.maxBodyMemory'] / 4,
    lateness: delay.ms,
  })
  const outputBuffers = new OutputBuffers(settings)
  const reads = await openExecutor(
    settings,
    { db, uri, singleProcess, admission, outputBuffers },
    options,
  )
  const indexer = await startIndexer({ db, log, registry, settings, singleProcess, refusal })
  const executor = indexer.counting(reads.executor)
  closing.add('The indexes', indexer.stop)
  await prepareOwnCollections(db)

  const lingerMs = lastStepsMs(settings)
  const writes = openProcessJournal(db, heartbeat.id, lingerMs)
  const repairer = startRepairer({
    db,
    log,
    registry,
    heartbeat,
    writes,
    lingerMs,
    singleProcess,
    pinRegistry: schema.begin,
    interrupted: purging?.everything,
  })
  // From now on, closing only stops the heartbeat, so this process counts as lost a few seconds later, and other
  // instances look for its interrupted writes. The repairer ends the heartbeat gracefully if nothing is left to repair.
  shared.leaveBy(() => Promise.resolve(heartbeat.stop()))
  closing.add('The repair', repairer.stop, backgroundMs)

  const secrets = await readSecrets(db, config)
  const signingKey = secrets.uploadSigningKey
  const providers = await openProviders(
    config,
    { db, registry: registry(), singleProcess },
    options,
  )

  const cache = createQueryCache()
  const answers = openAnswers(settings, { db, singleProcess, exclusive, signals })
  const patterns = openPatternPool(settings, options)
  const factsOf = createCollectionFacts(db, registry, indexer.made)
  const marks = removeMarks(db)
  closing.add('The removal of marks of modified drafts', marks.stop, backgroundMs)
  const explained = admission.queue({ name: 'explained', slots: 1 })
  const privateFiles = openPrivateFiles(settings, signingKey, providers)
  const common = {
    db,
    locales: locales.current,
    executor,
    links: privateFiles?.links,
    begun: writes.begin,
    meterOf: createMeter,
  }
  const documents = createDocuments({
    ...common,
    settings,
    registry,
    registryOf,
    cache,
    answers,
    checkPatterns: patterns.check,
    holdsLocale: locales.holds,
    pinRegistry: schema.begin,
    wrote: indexer.wrote,
    agreed: marks.agreed,
    factsOf,
    privateFilesOf: privateFiles?.filesOf,
    defaultPopulate: liveDefaultPopulate(settings, schema, locales.current),
    inTurn: (request, run) => runInQueue(explained, request, run),
    // After an unclean stop, only the embedded engine corrects the totals in the metadata.
    exactMetadata: embedded,
    singleProcess,
  })
  closing.add('The deletion of expired keys', await sweepKeys(db, log))
  const services: Services = Object.freeze({
    settings,
    log,
    db,
    registry,
    documents,
    locales: locales.current,
  })

  const codes = createMailer(settings, config.port)
  const access = createAccess(services, {
    secrets,
    deliver: codes?.deliver,
    publicUrl: publicUrl(settings, config.port),
    providers: options.providers,
    signals,
  })
  closing.add('The mail', () => access.settled().finally(() => codes?.close()))
  await ensureLocale(services, locales)
  if (reads.counts !== undefined) {
    const stop = new AbortController()
    closing.add('The first counts', () => stop.abort())
    const parts = { ...services, counts: reads.counts, exactMetadata: embedded }
    void countAtStart(parts, stop.signal)
  }
  await access.start(config.admin)
  if (config.production)
    for (const sentence of insecureSettings(config, await access.publicActions()))
      log.warn({ event: 'insecure-setting' }, sentence)

  const library = createDocuments({
    ...common,
    settings: settingsOfFolders(settings),
    registry: () => withFolders(registry()),
    exactMetadata: singleProcess,
  })
  const fileParts = { providers, key: signingKey, library, singleProcess }
  const uploads = await openUploads(dataDir, services, fileParts, options)
  const writeQueue = writeQueues(admission, settings['api.rest.maxInlineReads'])
  await sweepTempFolders(dataDir, singleProcess)
  const exporting = createExporting(config, { uri, singleProcess, refusal, writes: writeQueue })
  closing.add('The export', exporting.stop)

  const removal = { singleProcess, begun: writes.begin }
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
    ...logLevelRoutes({ db, level, kept: keptLevel }),
    ...indexRoutes(services, indexer),
    ...tableRoutes(services),
    ...backupRoutes({ db, registry, singleProcess, exporting }),
    ...contentTypeRoutes(services),
    ...differenceRoutes({ ...services, singleProcess }),
    ...uidRoutes(services),
    ...typescriptRoutes(services),
    ...uploads.routes,
  ]
  // If other instances may use the database, attempts are counted in the database, for all instances together.
  if (!singleProcess) await prepareStoredCounts(db)
  return {
    services,
    access,
    configuration,
    routes,
    http: {
      access,
      content: contentDispatcher(services),
      admission,
      writes: writeQueue,
      outputBuffers,
      refusal,
      counts: singleProcess ? undefined : storedCounts(db),
    },
    sketch: (plan: ReadPlan) => summarizePlan(plan, settings['pool.costThreshold'], factsOf),
    measured: {
      client: db.client,
      admission,
      outputBuffers,
      patterns,
      cache,
      answers,
      pool: reads.pool,
      pictures: uploads.pictures,
      purging,
      repairer,
      indexer,
      signals,
      restarts,
      registry,
    },
  }
}
