import { pino } from 'pino'
import { startDatabaseHost, type DatabaseHostOptions } from '../server/database/host.js'
import type { Closers } from './closers.js'
import { childrenOf } from './process-table.js'

/** Starts a database. Returns its URI, and the ids of its processes if the system reports them. */
export async function startDatabase(options: Omit<DatabaseHostOptions, 'log'>, closers: Closers) {
  const before = await childrenOf(process.pid)
  const host = await startDatabaseHost({ ...options, log: pino({ level: 'error' }) })
  closers.add(() => host.stop())
  const pids = (await childrenOf(process.pid)).filter((pid) => !before.includes(pid))
  return { uri: host.uri, pids }
}
