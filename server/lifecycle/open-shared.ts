import type { Db } from 'mongodb'
import { versionsOf } from '../../engine/database/collection-versions.js'
import { startPolling } from '../../engine/database/start-polling.js'
import { whenKnown } from '../content-types/other-instances.js'
import { openSchemaStore, type SchemaStore } from '../content-types/store.js'
import { mayBeStale } from '../content/answer-memory.js'
import { openLocales } from '../locales/locales.js'
import { keepLevel } from '../logging/keep-level.js'
import type { openPurging } from '../purging/open-purging.js'
import { takeExclusive } from '../repair/exclusive.js'
import { startHeartbeat } from '../repair/heartbeat.js'
import type { Config } from '../settings/config.js'
import { openSignals } from '../signals/open-signals.js'
import { noSignals, type Signals } from '../signals/signals.js'
import type { ServiceOptions } from './service-options.js'

type Parts = Readonly<{
  db: Db
  /** Whether Quire itself started this database. If so, no other service uses it. */
  singleProcess: boolean
  purging: ReturnType<typeof openPurging>
}>

/**
 * Opens everything that is shared with other instances on the same database: the lease, heartbeats, definitions,
 * locales, the change stream, and the log level. Throws an error that explains why a definition or another instance
 * prevents the start.
 */
export async function openShared(
  config: Config,
  { log, level, closing, stopping }: ServiceOptions,
  { db, singleProcess, purging }: Parts,
) {
  const { settings } = config
  const versions = versionsOf(db.client)
  const exclusive =
    singleProcess || !settings['database.exclusive']
      ? undefined
      : await takeExclusive(db, { log, regained: () => versions.raise() })
  if (exclusive !== undefined) closing.add('The exclusive use of the database', exclusive.stop)
  let store: SchemaStore | undefined = undefined
  const heartbeat = await startHeartbeat(db, {
    log,
    singleProcess,
    notes: true,
    exclusive: exclusive !== undefined,
    schemaVersion: () => store?.registry().version ?? 0,
    knows: () => store?.known() ?? 0,
  })
  let leave = heartbeat.leave
  closing.add('The presence', () => leave())
  await exclusive?.begin(heartbeat.findOthers)
  const schema = await openSchemaStore({
    db,
    log,
    schemaDir: config.schemaDir,
    singleProcess,
    customFields: settings['schema.customFields'],
    hidden: settings['api.responses.privateAttributes'],
    onOlder: settings['schema.onOlder'],
    risen: () => void heartbeat.beat().catch(() => undefined),
  })
  closing.add('The schema', schema.stop)
  stopping?.throwIfAborted()
  await purging?.start(schema.registry)
  store = schema
  const locales = await openLocales(db, log)
  closing.add('The locales', locales.stop)
  const signals = singleProcess ? noSignals : await followOthers()
  const keptLevel = await keepLevel({ db, log, signals, singleProcess, level })
  closing.add('The log level', keptLevel.stop)
  if (!singleProcess) {
    // Before this instance writes values of new attributes, the other instances must know these attributes.
    await schema.refresh()
    await heartbeat.beat()
    if (await whenKnown(db, schema.registry().version, stopping)) await schema.finishRenames()
    else log.warn('Other instances do not serve the definitions of this one yet')
  }
  return {
    exclusive,
    heartbeat,
    schema,
    locales,
    signals,
    keptLevel,
    /**
     * Replaces the function that ends the heartbeat when the service closes. Default: `heartbeat.leave`, after which
     * this process does not count as lost.
     */
    leaveBy: (run: typeof leave): void => void (leave = run),
  }

  /** Opens the change stream. Reads the definitions or locales again when another instance has changed them. */
  async function followOthers(): Promise<Signals> {
    const signals = await openSignals({
      db,
      log,
      instance: heartbeat.id,
      written: mayBeStale(settings) ? versions.raise : undefined,
      waitTimeoutMs: Math.max(
        settings['api.rest.queryTimeoutMs'],
        settings['api.rest.writeTimeoutMs'],
      ),
    })
    closing.add('The change stream', signals.stop)
    const definitions = startPolling(schema.refresh, (err) =>
      log.warn({ err }, 'The definitions could not be checked'),
    )
    closing.add('The definitions', definitions.stop)
    // When definitions change, the document `version` is written last, so wait for that one.
    signals.follow('_schemas', 'others', ({ id = 'version' }) => {
      if (id === 'version') definitions.poll()
    })
    signals.follow('locales', 'others', locales.poll)
    signals.follow('_settings', 'others', ({ id = 'default-locale' }) => {
      if (id === 'default-locale') locales.poll()
    })
    return signals
  }
}
