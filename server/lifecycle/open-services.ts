import { sketchPlan } from '../../engine/explain/sketch-plan.js'
import type { ReadPlan } from '../../engine/read.js'
import type { Admission, Line } from '../../workers/admission.js'
import { adminRoutes } from '../accounts/admins/admin-routes.js'
import { adminSessionRoutes } from '../accounts/admins/admin-session-routes.js'
import { createAccess, type AccessFeature } from '../accounts/create-access.js'
import { roleRoutes } from '../accounts/roles/role-routes.js'
import { apiTokenRoutes } from '../accounts/tokens/api-token-routes.js'
import { userRoutes } from '../accounts/users/user-routes.js'
import { backupRoutes } from '../backup/backup-routes.js'
import type { Application } from '../configuration/apply-configuration.js'
import { configurationRoutes } from '../configuration/configuration-routes.js'
import { contentTypeRoutes } from '../content-types/routes.js'
import { contentDispatcher } from '../content/dispatcher.js'
import type { RoomWatch } from '../database/room-watch.js'
import type { Dispatcher } from '../http/dispatcher.js'
import type { SharedCounts } from '../http/rate-limit.js'
import type { Route } from '../http/route.js'
import type { Unsent } from '../http/unsent.js'
import { writeLines } from '../http/write-lines.js'
import { indexRoutes } from '../indexes/index-routes.js'
import { ensureLocale, localeRoutes } from '../locales/locale-routes.js'
import { logLevelRoutes } from '../logging/log-level-routes.js'
import { createDeliverCode } from '../mail/deliver-codes.js'
import { prepareStoredCounts, storedCounts } from '../rate-limit/stored-counts.js'
import type { Config } from '../settings/config.js'
import { insecureSettings } from '../settings/insecure-settings.js'
import { publicUrl } from '../settings/public-url.js'
import { tableRoutes } from '../tables/table-routes.js'
import { typescriptRoutes } from '../typescript/routes.js'
import { createFileAccess, serveAllowed } from '../upload/file-access.js'
import { uploadRoutes } from '../upload/routes.js'
import { serveByLink } from '../upload/serve-by-link.js'
import { serveRoute } from '../upload/serve-route.js'
import { sweepContents } from '../upload/sweep-contents.js'
import { sweepUnfinished } from '../upload/sweep-unfinished.js'
import { openUnsettledContents } from '../upload/unsettled-contents.js'
import { adminUploads } from './admin-uploads.js'
import type { Measured } from './metric-sources.js'
import { openConfiguration } from './open-configuration.js'
import { openContent } from './open-content.js'
import { openExporting } from './open-exporting.js'
import { openGround } from './open-ground.js'
import { openPictures } from './open-pictures.js'
import { openVariants } from './open-variants.js'
import type { Services } from './services.js'
import type { Surroundings } from './surroundings.js'

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

/**
 * The composition root: opens the database, builds every feature on it, and makes what a fresh service needs.
 * What it opens is added to `closing`, also where it throws.
 */
export async function openServices(config: Config, around: Surroundings): Promise<OpenServices> {
  const { log, closing } = around
  const { settings } = config
  const ground = await openGround(config, around)
  const { db, uri, alone, refusal, schema, locales, signals, level } = ground
  const { registry } = schema
  const content = await openContent(config, ground, around)
  const { services, executor, begun, admission, unsent } = content
  const { secrets, providers, links, factsOf, indexer } = content

  const codes = createDeliverCode(settings, config.port)
  const access = createAccess(services, {
    secrets,
    deliver: codes?.deliver,
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
  const removal = { alone, begun }
  const lineOfWrites = writeLines(admission, settings['api.rest.maxInlineReads'])
  const exporting = await openExporting(
    config,
    { uri, alone, refusal, writes: lineOfWrites },
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
      executor,
      links,
      alone,
      begun,
    }),
    serveRoute(providers, [
      serveAllowed(accessTo),
      // Before what answers with a link to the picture itself.
      serveVariants,
      serveByLink(providers, accessTo),
    ]),
  ]
  const opened = {
    services,
    access,
    configuration,
    routes,
    content: contentDispatcher(services),
    admission,
    unsent,
    refusal,
    writes: lineOfWrites,
    sketch: (plan: ReadPlan) => sketchPlan(plan, settings['pool.costThreshold'], factsOf),
    measured: { ...content.measured, pictures },
  }
  if (alone) return opened
  await prepareStoredCounts(db)
  return { ...opened, counts: storedCounts(db) }
}
