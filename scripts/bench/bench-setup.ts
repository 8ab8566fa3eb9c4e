import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { onProgress } from '../../cli/progress.js'
import { connectDatabase, withDatabase } from '../../server/database/connect.js'
import { user } from '../../server/database/mongod/open-set.js'
import type { Run } from './options.js'
import { startDatabase } from '../start-database.js'
import { loadThroughService, type Loaded } from './quire-service.js'

/** A database process with a loaded database, and a folder for the files of the measured servers. */
export type BenchSetup = Awaited<ReturnType<typeof openBenchSetup>>

/** Each server gets a copy of this database. */
const original = 'quire'

/** Starts the database, and loads content through a service, or reuses the content of an earlier run (`--data`). */
export async function openBenchSetup(run: Run, size = run.options.size) {
  const { options, closers } = run
  const { mongod, cache, data, seconds } = options
  onProgress(`loading ${size} articles`)
  const name = `${mongod === undefined ? 'embedded' : 'mongod'}-${size}`
  const folder = data === undefined ? await closers.makeFolder('bench') : resolve(data, name)
  const file = join(folder, 'loaded.json')
  const known = await readFile(file, 'utf8').catch(() => undefined)
  // The folder may contain an incomplete database from an interrupted run.
  if (known === undefined) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const dataDir = join(folder, 'engine')
  const memory = cache === undefined ? undefined : { cacheSize: cache * 1024 * 1024 }
  const { uri, pids } = await startDatabase({ dataDir, mongod, memory }, closers)
  if (mongod !== undefined) await openAllDatabases(uri, join(dataDir, 'mongod/key'))
  const client = await connectDatabase(uri, { appName: 'quire bench' })
  closers.add(() => client.close())
  const uriOf = (name: string): string =>
    withDatabase(uri).replace(/^([a-z+]+:\/\/[^/]*\/)[^?]*/i, `$1${name}`)
  const loaded =
    known === undefined
      ? await loadThroughService({ MONGODB_URI: uriOf(original) }, folder, size)
      : (JSON.parse(known) as Loaded)
  await writeFile(file, JSON.stringify(loaded))
  return { folder, enginePid: pids[0], client, uriOf, seconds, closers, loaded }
}

/**
 * Grants Quire's user access to all databases of a MongoDB. Logs in as its internal user, whose password is in
 * `keyFile`.
 */
async function openAllDatabases(uri: string, keyFile: string): Promise<void> {
  const key = encodeURIComponent((await readFile(keyFile, 'utf8')).trim())
  const options = 'directConnection=true&authSource=local&authMechanism=SCRAM-SHA-256'
  const system = `mongodb://__system:${key}@${new URL(uri).host}/?${options}`
  const client = await connectDatabase(system, { appName: 'quire bench' })
  await client.db('admin').command({ grantRolesToUser: user, roles: ['root'] })
  await client.close()
}

/** Copies the loaded database for a server, including its indexes. The database process itself copies the documents. */
export async function copyDatabase({ client, uriOf }: BenchSetup, server: string) {
  const database = `${server.replaceAll(/\W+/g, '-').toLowerCase()}-copy`
  const [source, target] = [client.db(original), client.db(database)]
  await target.dropDatabase()
  for (const { name } of await source.listCollections({}, { nameOnly: true }).toArray()) {
    // Do not copy `_instances`, which lists the processes that use the original database.
    if (name === '_instances' || name.startsWith('system.')) continue
    const collection = source.collection(name)
    await collection.aggregate([{ $match: {} }, { $out: { db: database, coll: name } }]).toArray()
    const indexes = (await collection.indexes()).filter(({ name }) => name !== '_id_')
    if (indexes.length > 0) await target.command({ createIndexes: name, indexes })
  }
  return { database, MONGODB_URI: uriOf(database) }
}
