import { plainQuire, startQuire } from './contenders.js'
import { openBenchSetup } from './bench-setup.js'
import { connections } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows, type Way } from './run-rows.js'
import { writes } from './scenarios.js'
import type { Call } from '../start-server.js'

const perRequest = 200
const [single, many, bulk] = ['one connection', `${connections} connections`, 'bulk']

/** `npm run bench -- bulk`: compares writes over one connection, over many connections, and in bulk requests. */
export async function runBulk(run: Run): Promise<void> {
  const { rounds, profile } = run.options
  const setup = await openBenchSetup(run)
  const service = await startQuire({ ...plainQuire, profile }, setup)
  const rows = writes.map(({ name, title }) => {
    const call = service.callOf(name)
    const bulkCall = (n: number): Call => bulkOf(call, n)
    const ways = [
      perWrite(wayOf(single, service, setup, { call, connections: 1 })),
      perWrite(wayOf(many, service, setup, { call })),
      perWrite(wayOf(bulk, service, setup, { call: bulkCall, connections: 2 }), perRequest),
    ]
    return { name, title, ways }
  })
  const pairs = [single, many].map((way) => [bulk, way] as const)
  await report(await runRows(rows, rounds), pairs, run)
}

const perWrite = ({ name, measure }: Way, writes = 1): Way => ({
  name,
  measure: async (round) => {
    const { 'req/s': perSecond, 'CPU ms': cpu } = await measure(round)
    return { 'writes/s': (perSecond ?? NaN) * writes, 'CPU ms': (cpu ?? NaN) / writes }
  },
})

/** Combines requests into one bulk request. A PUT to `/api/articles/x3k` becomes an update operation. */
function bulkOf(call: (n: number) => Call, n: number): Call {
  const operations = Array.from({ length: perRequest }, (_, at) => {
    const { method, path, body = '{}' } = call(n * perRequest + at)
    const documentId = path.split('/')[3]
    const op = method === 'POST' ? { op: 'create' } : { op: 'update', documentId }
    return { ...op, ...(JSON.parse(body as string) as object) }
  })
  return { method: 'POST', path: '/api/articles/bulk', body: JSON.stringify({ operations }) }
}
