import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { versionsOf } from '../../engine/database/collection-versions.js'
import { lookAgain } from '../../engine/database/look-again.js'
import type { SchemaStore } from '../content-types/store.js'
import type { Locales } from '../locales/locales.js'
import type { Presence } from '../repair/presence.js'
import type { Config } from '../settings/config.js'
import { openSignals } from '../signals/open-signals.js'
import { noSignals, type Signals } from '../signals/signals.js'
import type { Closing } from './closing.js'
import { mayBeStale } from './open-answers.js'

type Parts = Readonly<{
  db: Db
  alone: boolean
  presence: Presence
  schema: SchemaStore
  locales: Locales
}>

/** Has locales and definitions follow what other instances write; whoever runs alone hears of nobody. */
export async function hearOthers(
  { settings }: Config,
  { db, alone, presence, schema, locales }: Parts,
  { log, closing }: Readonly<{ log: Logger; closing: Closing }>,
): Promise<Signals> {
  if (alone) return noSignals
  const signals = await openSignals({
    db,
    log,
    instance: presence.id,
    written: mayBeStale(settings) ? versionsOf(db.client)?.raise : undefined,
    patienceMs: Math.max(settings['api.rest.queryTimeoutMs'], settings['api.rest.writeTimeoutMs']),
  })
  closing.add('The change stream', signals.stop)
  const definitions = lookAgain(schema.refresh, (err) =>
    log.warn({ err }, 'The definitions could not be looked at'),
  )
  closing.add('The definitions', () => Promise.resolve(definitions.stop()))
  signals.follow('locales', 'others', locales.look)
  signals.follow('_settings', 'others', ({ id }) => {
    if (id === undefined || id === 'default-locale') locales.look()
  })
  signals.follow('_schemas', 'others', ({ id }) => {
    // The last that is written of a change.
    if (id === undefined || id === 'version') definitions.look()
  })
  return signals
}
