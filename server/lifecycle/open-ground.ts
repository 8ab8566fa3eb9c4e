import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { observeCommands } from '../../engine/database/sent-commands.js'
import { whenKnown } from '../content-types/other-instances.js'
import { openSchemaStore, type SchemaStore } from '../content-types/store.js'
import { openLocales, type Locales } from '../locales/locales.js'
import { keepLevel, type KeptLevel } from '../logging/keep-level.js'
import { openPurging, type Purging } from '../purging/open-purging.js'
import type { Exclusive } from '../repair/exclusive.js'
import { openPresence, type Presence } from '../repair/presence.js'
import type { Config } from '../settings/config.js'
import type { Signals } from '../signals/signals.js'
import { hearOthers } from './hear-others.js'
import { findLeftOut, remedyOf } from './left-out.js'
import { openExclusive } from './open-answers.js'
import { openDatabase, type OpenedDatabase } from './open-database.js'
import { backgroundMs, type Surroundings } from './surroundings.js'
import { tellProject } from './tell-project.js'

/** What content stands on: the database, its definitions and locales, and what is known of others over it. */
export type Ground = OpenedDatabase &
  Readonly<{
    purging: Purging | undefined
    exclusive: Exclusive | undefined
    presence: Presence
    /** Says how the presence ends; default: at once. */
    leaveBy: (leave: () => Promise<void>) => void
    schema: SchemaStore
    locales: Locales
    signals: Signals
    level: KeptLevel
  }>

/**
 * Opens the database, and adopts the definitions. What it opens is added to `closing`, also where it throws.
 */
export async function openGround(config: Config, around: Surroundings): Promise<Ground> {
  const { log, closing, stopping } = around
  const { settings } = config
  const database = await openDatabase(config, around)
  const { db, alone } = database
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
    log,
    alone,
    notes: true,
    exclusive: exclusive !== undefined,
    schemaVersion: () => schemaVersion(),
    knows: () => known(),
  })
  let leave = presence.leave
  closing.add('The presence', () => leave())
  await exclusive?.begin(presence.findOthers)
  const schema = await openSchemaStore({
    db,
    log,
    schemaDir: config.schemaDir,
    alone,
    customFields: settings['schema.customFields'],
    hidden: settings['api.responses.privateAttributes'],
    onOlder: settings['schema.onOlder'],
    risen: () => void presence.tell().catch(() => undefined),
  })
  closing.add('The schema', schema.stop)
  stopping?.throwIfAborted()
  const { registry } = schema
  await purging?.start(registry)
  schemaVersion = () => registry().version
  known = schema.known
  const locales = await openLocales(db, log)
  closing.add('The locales', () => Promise.resolve(locales.stop()))
  const signals = await hearOthers(config, { db, alone, presence, schema, locales }, around)
  const level = await keepLevel({ db, log, signals, alone, level: around.level })
  closing.add('The log level', () => Promise.resolve(level.stop()))
  if (!alone) await waitForOthers(db, { schema, presence, log, stopping })
  stopping?.throwIfAborted()
  return {
    ...database,
    purging,
    exclusive,
    presence,
    schema,
    locales,
    signals,
    level,
    leaveBy: (by) => {
      leave = by
    },
  }
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
