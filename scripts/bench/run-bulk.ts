import { plainQuire, startQuire } from './contenders.js'
import { openGround } from './ground.js'
import { connections } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows, type Result, type Way } from './run-rows.js'
import { makeScenarios, type Call } from './scenarios.js'

/** Writes of one request. */
const perRequest = 200

/** `npm run bench -- bulk`: creates and updates one by one, over one connection and over many, and in bulk. */
export async function runBulk(run: Run): Promise<readonly Result[]> {
  const { rounds, profile } = run.options
  const ground = await openGround(run)
  const service = await startQuire({ ...plainQuire, profile }, ground)
  const [single, many] = ['one connection', `${connections} connections`]
  const rows = makeScenarios(ground.loaded.ids)
    .filter(({ name }) => name === 'create' || name === 'update')
    .map(({ name, title, quire: call }) => ({
      name,
      title,
      ways: [
        perWrite(wayOf(single, service, ground, { call, connections: 1 })),
        perWrite(wayOf(many, service, ground, { call })),
        perWrite(
          wayOf('bulk', service, ground, { call: (n) => bulkOf(call, n), connections: 2 }),
          perRequest,
        ),
      ],
    }))
  const results = await runRows(rows, rounds, run)
  await report(
    results,
    [single, many].map((way) => ['bulk', way] as const),
    run,
  )
  return results
}

const perWrite = ({ name, measure }: Way, writes = 1): Way => ({
  name,
  measure: async (round) => {
    const { 'req/s': perSecond, 'CPU ms': cpu } = await measure(round)
    return { 'writes/s': (perSecond ?? NaN) * writes, 'CPU ms': (cpu ?? NaN) / writes }
  },
})

/** Requests as one: `/api/articles/x3k` with its body as an operation. */
function bulkOf(call: (n: number) => Call, n: number): Call {
  const operations = Array.from({ length: perRequest }, (_, at) => {
    const { method, path, body = '{}' } = call(n * perRequest + at)
    const documentId = path.split('/')[3]
    const op = method === 'POST' ? { op: 'create' } : { op: 'update', documentId }
    return { ...op, ...(JSON.parse(body) as object) }
  })
  return { method: 'POST', path: '/api/articles/bulk', body: JSON.stringify({ operations }) }
}
