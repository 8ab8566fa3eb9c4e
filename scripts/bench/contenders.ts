import { join } from 'node:path'
import { createApiClient } from '../../cli/seed/api-client.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { sendBulk } from './data/load-content.js'
import { copyDatabase, type BenchSetup } from './bench-setup.js'
import { loadThroughService, serviceOptions, type Loaded, type Service } from './quire-service.js'
import { callsIn, createdSlug, scenarios } from './scenarios.js'
import { startServer, type Call, type Server, type ServerOptions } from '../start-server.js'

/** A server to measure on a copy of the loaded database, and the requests to send to it. */
export type Contender = Server &
  Readonly<{
    database: string
    callOf: (scenario: string) => (n: number) => Call
    /** Whether the documents of the database are copies of the loaded ones, and so have the same ids. */
    isCopy: boolean
    removeCreated: () => Promise<unknown>
  }>

export const [quire, remembering, other] = ['Quire', 'Quire, answers kept', 'other'] as const
export const floors = ['http floor', 'Express floor'] as const

const environment = { CACHE_ANSWERS: '0' }

export const plainQuire: Service = { name: quire, environment }
export const rememberingQuire: Service = { name: remembering, environment: {} }
/** Every query costs less than this threshold, so none uses the worker pool. */
const noPool = { ...environment, POOL_COST_THRESHOLD: '2000000000' }
export const withoutPool: Service = { name: 'Quire, no pool', environment: noPool }

/**
 * Starts a service on a copy of the loaded database. A service from another checkout may reject its storage format:
 * then loads content through that service.
 */
export async function startQuire(service: Service, setup: BenchSetup): Promise<Contender> {
  const { folder, client, loaded, closers } = setup
  const { database, MONGODB_URI } = await copyDatabase(setup, service.name)
  const startWith = async ({ token, ids }: Loaded): Promise<Contender> => {
    const environment = { MONGODB_URI, ...service.environment }
    const server = await startServer(serviceOptions({ ...service, environment }, folder, token))
    closers.add(server.stop)
    return {
      ...{ ...server, database, isCopy: ids === loaded.ids },
      callOf: callsOf(ids, 'quire'),
      removeCreated: () => removeCreated(server.url, token),
    }
  }
  try {
    return await startWith(loaded)
  } catch (error) {
    if (service.checkout === undefined) throw error
    await client.db(database).dropDatabase()
    const { length } = loaded.ids.article
    const own = join(folder, database)
    return startWith(await loadThroughService({ MONGODB_URI }, own, length, service.checkout))
  }
}

async function removeCreated(url: string, token: string): Promise<void> {
  const api = createApiClient(url, token)
  const filter = `filters[slug][$startsWith]=${createdSlug}&pagination[pageSize]=100`
  for (;;) {
    const path = `/api/articles?${filter}&fields=documentId`
    const { data } = await api.get<{ data: readonly { documentId: string }[] }>(path)
    if (data.length === 0) return
    const operations = data.map(({ documentId }) => ({ op: 'delete', documentId }))
    await sendBulk(api, 'articles', operations)
  }
}

/** Starts a floor: a minimal hand-written server to compare with. */
export async function startFloor(name: string, setup: BenchSetup): Promise<Contender> {
  const { database, MONGODB_URI } = await copyDatabase(setup, name)
  const server = await startServer(floorOptions(name, setup.folder, { MONGODB_URI }))
  setup.closers.add(server.stop)
  const db = setup.client.db(database)
  const created = { slug: { $regex: `^${createdSlug}` } }
  return {
    ...{ ...server, database, isCopy: true },
    callOf: callsOf(setup.loaded.ids, 'floor'),
    removeCreated: () =>
      Promise.all(
        ['articles', 'articles.draft'].map((name) => db.collection(name).deleteMany(created)),
      ),
  }
}

export const floorOptions = (
  name: string,
  folder: string,
  environment: ServerOptions['environment'],
): ServerOptions => ({
  name,
  environment,
  folder: join(folder, 'servers'),
  command: [join(packageRoot, 'dist/scripts/bench/floor/floor-server.js'), name],
  firstPath: '/list?page=1',
  headers: {},
})

function callsOf(ids: Loaded['ids'], kind: 'quire' | 'floor'): Contender['callOf'] {
  const calls = callsIn(ids)
  return (name) => calls(scenarios.find((it) => it.name === name)?.[kind] ?? '')
}
