import type { Collection, Db, Document } from 'mongodb'
import { pino } from 'pino'
import type { MigrationOptions, Migrator } from '../../../server/migrations/keep-migrated.js'
import { keepMigrated } from '../../../server/migrations/keep-migrated.js'
import type { Migration } from '../../../server/migrations/migrations.js'
import type { Writing } from '../../engine/write/start-writing.js'

type Named = { _id: string } & Document

/** Processes that carry a database over, and what they wait for. */
export type Migrating = Readonly<{
  settings: () => Collection<Named>
  instances: () => Collection<Named>
  format: () => Promise<Document>
  /** Starts a process; `completed`: what it was told of. */
  start: (
    more?: Partial<MigrationOptions>,
  ) => Promise<Migrator & Readonly<{ completed: readonly number[] }>>
  until: (isSo: () => boolean | Promise<boolean>) => Promise<void>
  /** Lines of the log since `forget` whose message has a text in it. */
  told: (msg: string) => readonly Document[]
  /** A heartbeat of a process of an older program. */
  olderProgram: (_id: string, more?: Document) => Promise<unknown>
  /** Forgets formats, processes and what was logged. */
  forget: () => Promise<void>
  /** Stops every process that was started. */
  stop: () => Promise<void>
}>

/** @param writing the database, once it is open */
export function migratingOf(writing: () => Writing, migrations: readonly Migration[]): Migrating {
  const waits = { everyMs: 5, silentMs: 30_000, quietMs: 30 }
  const open: Migrator[] = []
  let lines: Document[] = []
  const named = (name: string) => writing().db.collection<Named>(name)
  const settings = () => named('_settings')
  const instances = () => named('_instances')
  const format = async (): Promise<Document> => (await settings().findOne({ _id: 'format' })) ?? {}
  return {
    ...{ settings, instances, format },
    start: async (more = {}) => {
      const log = pino(
        {},
        { write: (line: string) => void lines.push(JSON.parse(line) as Document) },
      )
      const { db, registry } = writing()
      const completed: number[] = []
      const migrator = await keepMigrated({
        ...{ db, log, alone: false, types: () => Promise.resolve(registry), waits, migrations },
        completed: (now) => void completed.push(now),
        ...more,
      })
      open.push(migrator)
      return { ...migrator, completed }
    },
    until: async (isSo) => {
      const deadline = Date.now() + 60_000
      while (!(await isSo())) {
        if (Date.now() > deadline) throw new Error(`Still: ${JSON.stringify(await format())}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    told: (msg) => lines.filter((line) => String(line['msg']).includes(msg)),
    olderProgram: (_id, more = {}) =>
      instances().insertOne({ _id, pid: 1, host: 'old', seenAt: new Date(), ...more }),
    forget: async () => {
      lines = []
      await settings().deleteMany({})
      await instances().deleteMany({})
    },
    stop: async () => {
      for (const one of open.splice(0)) await one.stop()
    },
  }
}

export class Killed extends Error {}

/** A database on which every write fails from one on, or waits before it. */
export function tapped(db: Db, before: (write: string) => void | Promise<void>): Db {
  const writes = new Set(['updateOne', 'updateMany', 'bulkWrite', 'deleteOne', 'findOneAndUpdate'])
  const collection = (name: string) =>
    new Proxy(db.collection(name), {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        return (...given: unknown[]): unknown => {
          const run = () => Reflect.apply(member, target, given) as unknown
          return writes.has(String(key))
            ? Promise.resolve(before(`${name} ${String(key)}`)).then(run)
            : run()
        }
      },
    })
  return Object.create(db, { collection: { value: collection } }) as Db
}
