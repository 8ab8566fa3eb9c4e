import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { FormatDocument } from '../../engine/database/storage-format.js'
import { completeOf, storageFormat } from '../../engine/database/storage-format.js'
import { withLease } from '../../engine/database/with-lease.js'
import type { Types } from '../../engine/schema/stored-places.js'
import { fillFormat } from './fill-format.js'
import { readFormat, raiseFormat, reopenFormat } from './format-state.js'
import type { Migration } from './migrations.js'
import { migrations as all } from './migrations.js'
import type { OlderProgram } from './older-programs.js'
import { findOlder, isStarting, knownBy } from './older-programs.js'

export type MigrationOptions = Readonly<{
  db: Db
  log: Logger
  /** Whether no other process can run over this database. */
  alone: boolean
  /** All content-types that there are and were. */
  types: () => Promise<Types>
  /** Told up to which format the database is carried over: first when this is known, then when it changes. */
  completed: (format: number) => void | Promise<void>
  /** Default: all there are. */
  migrations?: readonly Migration[]
  waits?: Waits
}>

export type Migrator = Readonly<{
  /** Resolves when the database is carried over to the newest format. */
  carriedOver: Promise<void>
  /** Ends after the batch that is being filled; what is left is done by whoever comes next. */
  stop: () => Promise<void>
}>

/** Milliseconds. */
export type Waits = Readonly<{
  /** Between two looks. */
  everyMs: number
  /**
   * A process of an older program that was not heard of for this long has ended. Longer than elsewhere: its
   * write would not be found by anybody, and nobody waits for the end of a migration.
   */
  silentMs: number
  /** How long none must have been seen, nor any process that starts, after the format was raised. */
  quietMs: number
}>

const usualWaits: Waits = { everyMs: 1_000, silentMs: 30_000, quietMs: 10_000 }

/**
 * Carries the database over to the newest format, in the background and beside requests (docs/storage.md,
 * "Formats"), and tells this process how far that has come, whichever process does it.
 */
export async function keepMigrated(options: MigrationOptions): Promise<Migrator> {
  const stopping = new AbortController()
  const migrating = new Migrating(options, stopping.signal)
  await migrating.learn()
  const running = migrating.run()
  return {
    carriedOver: migrating.carriedOver,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Thrown where another process has it, or the service stops. */
class NotNow extends Error {}

class Migrating {
  readonly #options: MigrationOptions
  readonly #waits: Waits
  readonly #migrations: readonly Migration[]
  readonly #signal: AbortSignal
  readonly carriedOver: Promise<void>
  #arrive: () => void = () => undefined
  #complete: number | undefined
  #told = ''

  constructor(options: MigrationOptions, signal: AbortSignal) {
    this.#options = options
    this.#waits = options.waits ?? usualWaits
    this.#migrations = options.migrations ?? all
    this.#signal = signal
    this.carriedOver = new Promise((resolve) => (this.#arrive = resolve))
  }

  get #newest(): number {
    return this.#migrations.at(-1)?.format ?? storageFormat
  }

  async run(): Promise<void> {
    const { alone, log } = this.#options
    while (!this.#signal.aborted) {
      try {
        const format = await this.learn()
        if (!alone) await this.#watch(format)
        if (completeOf(format) < this.#newest) await this.#migrate()
        else if (alone) return
      } catch (err) {
        if (this.#signal.aborted) return
        if (!(err instanceof NotNow)) log.warn({ err }, 'The migration is gone on with later')
      }
      await this.#rest(this.#waits.everyMs)
    }
  }

  /** Reads how far the database is carried over. */
  async learn(): Promise<FormatDocument> {
    const format = await readFormat(this.#options.db)
    const complete = completeOf(format)
    if (complete !== this.#complete) {
      await this.#options.completed(complete)
      this.#complete = complete
    }
    if (complete >= this.#newest) this.#arrive()
    return format
  }

  /** One that was thought to have ended, and writes: what it wrote is not carried over. */
  async #watch(format: FormatDocument): Promise<void> {
    const { db, log } = this.#options
    const older = await findOlder(db, format.version, {
      withinMs: 5 * this.#waits.everyMs,
      starting: false,
    })
    if (older.length === 0) return
    if (format.version === completeOf(format) || format.filling?.part !== undefined)
      log.warn({ older: older.map(shown) }, 'A process of an older version still writes: stop it')
    await reopenFormat(db, Math.min(...older.map(knownBy)))
    await this.learn()
  }

  /** All that is to be done, by one process at a time. */
  async #migrate(): Promise<void> {
    const { db, log, alone } = this.#options
    const lost = (err: unknown): void => log.warn({ err }, 'The migration is left to another')
    const lease = { db, collection: '_settings', _id: 'migrating', alone, lost }
    await withLease(
      lease,
      async (check) => {
        for (const migration of this.#migrations) await this.#migrateTo(migration, check)
      },
      () => {
        throw new NotNow()
      },
    )
    await this.learn()
  }

  async #migrateTo(migration: Migration, check: () => Promise<void>): Promise<void> {
    const { db, log, alone, types } = this.#options
    const from = await readFormat(db)
    if (completeOf(from) >= migration.format) return
    if (from.version < migration.format) {
      await this.#untilGone(migration.format, 0, check)
      await check()
      if (!(await raiseFormat(db, from, migration.format))) throw new NotNow()
      log.info(
        { format: migration.format },
        'Older versions cannot start on this database any more',
      )
    }
    // Who has begun to fill has waited.
    const hasBegun = from.filling?.part !== undefined || (from.filling?.done.length ?? 0) > 0
    if (from.version < migration.format || !hasBegun)
      await this.#untilGone(migration.format, this.#waits.quietMs, check)
    const parts = migration.parts(await types())
    const start = performance.now()
    let watched = performance.now()
    const watch = async (): Promise<void> => {
      watched = performance.now()
      if (!alone) await this.#watch(await readFormat(db))
    }
    const pause = async (worked: number): Promise<void> => {
      await this.#rest(worked)
      if (this.#signal.aborted) throw new NotNow()
      await check()
      if (performance.now() - watched > this.#waits.everyMs) await watch()
    }
    const filled = await fillFormat(db, migration.format, { parts, pause, watch })
    if (filled === undefined) throw new NotNow()
    const milliseconds = Math.round(performance.now() - start)
    log.info(
      { format: migration.format, ...filled, milliseconds },
      `Carried over: ${migration.name}`,
    )
  }

  /** Waits until no older program is there, and none may be about to be, for some time without a break. */
  async #untilGone(format: number, quietMs: number, check: () => Promise<void>): Promise<void> {
    const { db, alone } = this.#options
    if (alone) return
    let since = performance.now()
    for (;;) {
      const older = await findOlder(db, format, {
        withinMs: this.#waits.silentMs,
        starting: true,
      })
      this.#tell(format, older)
      const isBusy = older.length > 0 || (quietMs > 0 && (await isStarting(db)))
      if (isBusy) since = performance.now()
      if (!isBusy && performance.now() - since >= quietMs) return
      await this.#rest(this.#waits.everyMs)
      if (this.#signal.aborted) throw new NotNow()
      await check()
    }
  }

  #tell(format: number, older: readonly OlderProgram[]): void {
    const told = older.map(({ _id }) => _id).join()
    if (told === this.#told) return
    this.#told = told
    if (older.length > 0)
      this.#options.log.info(
        { format, older: older.map(shown) },
        'Processes of an older version run over this database; it is carried over when they have ended',
      )
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal, ref: false }).catch(() => undefined)
  }
}

const shown = ({ host, pid }: OlderProgram): string => `${pid} on ${host}`
