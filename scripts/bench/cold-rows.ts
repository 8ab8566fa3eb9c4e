import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../statistics.js'
import { floorOptions, floors, other, quire, type Contender } from './contenders.js'
import { memoryOf, treeOf } from '../process-table.js'
import { loadThroughService, serviceOptions } from './quire-service.js'
import type { Figures, Row, Way } from './run-rows.js'
import { send, startServer, type Server, type ServerOptions } from '../start-server.js'

const requests = 16

/** Sends heavy requests, all at once, to a service that has just started, and measures them. */
export const waveRow = (contenders: readonly Contender[]): Row => ({
  name: 'wave',
  title: `cold wave of ${requests} heavy reads`,
  ways: contenders.map((contender) =>
    coldWay(contender, async (server) => {
      const calls = Array.from({ length: requests }, (_, n) => contender.callOf('deep100')(n))
      const answers = await Promise.all(calls.map((call) => send(server, call)))
      const times = answers.filter(({ ok }) => ok).map(({ ms }) => ms)
      const refused = answers.filter(({ status }) => status === 503).length
      return {
        'median ms': median(times),
        'last ms': times.length === 0 ? NaN : Math.max(...times),
        answered: times.length,
        refused,
        failed: requests - times.length - refused,
      }
    }),
  ),
})

const settleMs = 1000
/** Enough for the first page of a list. */
const articles = 100

/** Measures start times and idle memory of services, each with its own embedded engine, as with `npm start`. */
export async function startRow(folder: string, against: string | undefined): Promise<Row> {
  const servers: ServerOptions[] = []
  const checkouts = against === undefined ? [] : [{ name: other, checkout: against }]
  for (const { name, checkout } of [{ name: quire, checkout: undefined }, ...checkouts]) {
    const own = join(folder, `start-${name}`)
    await rm(own, { recursive: true, force: true })
    // Without MONGODB_URI each server starts the engine itself.
    const environment = { DATA_DIR: own, MONGODB_URI: '' }
    const { token } = await loadThroughService(environment, folder, articles, checkout)
    servers.push(serviceOptions({ name, environment, checkout }, folder, token))
    if (name === quire)
      servers.push(...floors.map((floor) => floorOptions(floor, folder, environment)))
  }
  const ways = servers.map((options) =>
    coldWay(options, async ({ pid, startMs }) => {
      await sleep(settleMs)
      const memory = await memoryOf(await treeOf(pid))
      return { 'first answer ms': startMs, 'idle MB': memory / 1024 ** 2 }
    }),
  )
  return { name: 'start', title: 'whole service', ways }
}

/** Returns a `Way` whose measurement starts a server, measures it, and stops it. */
const coldWay = (options: ServerOptions, measure: (server: Server) => Promise<Figures>): Way => ({
  name: options.name,
  measure: async () => {
    const server = await startServer(options)
    try {
      return await measure(server)
    } finally {
      await server.stop()
    }
  },
})
