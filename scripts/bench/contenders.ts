import { join } from 'node:path'
import { createApiClient } from '../../cli/seed/api-client.js'
import { sendBulk } from './data/load-content.js'
import { copyDatabase, type Ground } from './ground.js'
import { inPackage } from './package-root.js'
import type { Loaded, Service } from './quire-service.js'
import { authorization, loadThroughService, serviceOptions } from './quire-service.js'
import { createdSlug, makeScenarios, type Call } from './scenarios.js'
import { startServer, type Environment, type Headers } from './start-server.js'
import type { Server, ServerOptions } from './start-server.js'

/** A server that runs, and its requests. */
export type Contender = Readonly<{
  name: string
  server: Server
  options: ServerOptions
  headers: Headers
  callOf: (scenario: string) => (n: number) => Call
  database: string
  /** Whether its documents are the original's, with their ids. */
  isCopy: boolean
  removeCreated: () => Promise<void>
}>

export const [quire, remembering, other] = ['Quire', 'Quire, answers kept', 'other'] as const
export const floors = ['http floor', 'Express floor'] as const

const environment = { CACHE_ANSWERS: '0' }

export const plainQuire: Service = { name: quire, environment }
export const rememberingQuire: Service = { name: remembering, environment: {} }
/** More than any query costs. */
const noPool = { ...environment, POOL_COST_THRESHOLD: '2000000000' }
export const withoutPool: Service = { name: 'Quire, no pool', environment: noPool }

/**
 * Starts a Quire over a copy of the loaded database. A checkout that stores in another way refuses the copy; its database
 * is then loaded through its own API.
 */
export async function startQuire(service: Service, ground: Ground): Promise<Contender> {
  const { name, checkout } = service
  const { folder, uriOf, client, loaded, closers } = ground
  const database = `${name.replaceAll(/\W+/g, '-').toLowerCase()}-copy`
  const uri = { MONGODB_URI: uriOf(database) }
  const startWith = async ({ token, ids }: Loaded): Promise<Contender> => {
    const environment = { ...uri, ...service.environment }
    const options = serviceOptions({ ...service, environment }, folder, token)
    const server = await startServer(options)
    closers.add(() => server.stop())
    return {
      name,
      server,
      options,
      database,
      headers: authorization(token),
      callOf: callsOf(ids, 'quire'),
      isCopy: ids === loaded.ids,
      removeCreated: () => removeCreated(server.url, token),
    }
  }
  await copyDatabase(ground, database)
  try {
    return await startWith(loaded)
  } catch (error) {
    if (checkout === undefined) throw error
    await client.db(database).dropDatabase()
    const { length } = loaded.ids.article
    return startWith(await loadThroughService(uri, join(folder, database), length, checkout))
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

/** Starts floors over one copy of the loaded database. */
export async function startFloors(
  names: readonly string[],
  ground: Ground,
): Promise<readonly Contender[]> {
  const database = 'floors'
  await copyDatabase(ground, database)
  const contenders: Contender[] = []
  for (const name of names) {
    const options = floorOptions(name, ground.folder, { MONGODB_URI: ground.uriOf(database) })
    const server = await startServer(options)
    ground.closers.add(() => server.stop())
    contenders.push({
      name,
      server,
      options,
      database,
      headers: {},
      isCopy: true,
      callOf: callsOf(ground.loaded.ids, 'floor'),
      removeCreated: () => createApiClient(server.url).delete('/created'),
    })
  }
  return contenders
}

export function floorOptions(
  name: string,
  folder: string,
  environment: Environment,
): ServerOptions {
  const kind = name === 'Express floor' ? 'express' : 'http'
  return {
    name,
    folder: join(folder, 'servers'),
    command: [inPackage('dist/scripts/bench/floor/floor-server.js'), kind],
    // Their documents get other ids.
    environment: { ...environment, FLOOR_NUMBER: kind === 'express' ? '1' : '0' },
    firstRequest: { path: '/list?page=1', headers: {} },
  }
}

function callsOf(ids: Loaded['ids'], kind: 'quire' | 'floor'): Contender['callOf'] {
  const calls = new Map(makeScenarios(ids).map((scenario) => [scenario.name, scenario[kind]]))
  return (name) => {
    const call = calls.get(name)
    if (call === undefined) throw new Error(`There is no scenario ${name}`)
    return call
  }
}
