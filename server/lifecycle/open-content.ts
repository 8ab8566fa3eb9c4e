import { openLiveCounts } from '../../engine/database/open-live-counts.js'
import { prepareOwnCollections } from '../../engine/database/prepare-collections.js'
import type { Executor } from '../../engine/read.js'
import type { FactsOf } from '../../engine/read/cost/collection-facts.js'
import { createQueryCache } from '../../engine/read/query/known-queries.js'
import type { Admission } from '../../workers/admission.js'
import { inLine } from '../../workers/in-line.js'
import { createMeter } from '../../workers/meter.js'
import { readSecrets, type Secrets } from '../accounts/secrets.js'
import { removeMarks } from '../content/agreed-drafts.js'
import { createCollectionFacts } from '../content/collection-facts.js'
import { createDocuments } from '../content/create-documents.js'
import { sweepKeys } from '../content/idempotency/sweep-keys.js'
import { lastStepsMs } from '../content/write-contexts.js'
import { Unsent } from '../http/unsent.js'
import type { Indexer } from '../indexes/keep-indexed.js'
import { keepRepaired } from '../repair/keep-repaired.js'
import { openUnderwayWrites, type UnderwayWrites } from '../repair/underway-writes.js'
import type { Config } from '../settings/config.js'
import { privateFilesOf, privateLinks, type Links } from '../upload/private-links.js'
import type { Providers } from '../upload/storage-provider.js'
import { liveDefaultPopulate } from './live-default-populate.js'
import type { Measured } from './metric-sources.js'
import { openAnswers } from './open-answers.js'
import type { Ground } from './open-ground.js'
import { openIndexing } from './open-indexing.js'
import { openAdmission, openExecutor, openPatternPool, openPool } from './open-lanes.js'
import { openProviders } from './open-providers.js'
import type { Services } from './services.js'
import { backgroundMs, type Surroundings } from './surroundings.js'

/** Content as it is read and written, and what that needs. */
export type OpenedContent = Readonly<{
  services: Services
  executor: Executor
  /** Notes the writes that are under way. */
  begun: UnderwayWrites['begin']
  admission: Admission
  unsent: Unsent
  secrets: Secrets
  providers: Providers
  links: (() => Links) | undefined
  factsOf: FactsOf
  indexer: Indexer
  /** What can say how it does. */
  measured: Omit<Measured, 'pictures'>
}>

/** Builds what reads and writes content. What it opens is added to `closing`, also where it throws. */
export async function openContent(
  config: Config,
  ground: Ground,
  around: Surroundings,
): Promise<OpenedContent> {
  const { log, closing } = around
  const { settings } = config
  const { db, uri, embedded, alone, refusal, restarts } = ground
  const { purging, exclusive, presence, schema, locales, signals } = ground
  const { registry, registryOf } = schema
  const admission = openAdmission(config, closing)
  const unsent = new Unsent(settings)
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
    db,
    log,
    registry,
    presence,
    writes,
    lingerMs,
    alone,
    changed: executor.changed,
    interrupted: purging?.everything,
  })
  // It says goodbye when nothing is left to be repaired. Where it was cut off, others have to look.
  ground.leaveBy(() => Promise.resolve(presence.stop()))
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
    db,
    settings,
    registry,
    registryOf,
    locales: locales.current,
    executor,
    cache,
    answers,
    checkPatterns: patterns.check,
    holdsLocale: locales.holds,
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
    settings,
    log,
    db,
    registry,
    documents,
    locales: locales.current,
  })
  return {
    services,
    executor,
    begun: writes.begin,
    admission,
    unsent,
    secrets,
    providers,
    links,
    factsOf,
    indexer,
    measured: {
      client: db.client,
      admission,
      unsent,
      pool,
      patterns,
      cache,
      answers,
      purging,
      repairer,
      indexer,
      signals,
      restarts,
      registry,
    },
  }
}
