import { plainQuire, startFloors, startQuire, type Contender } from './contenders.js'
import { openGround } from './ground.js'
import { loneRows, type Side } from './lone-requests.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows, type Result, type Row } from './run-rows.js'
import { makeScenarios, type Call } from './scenarios.js'

/**
 * `npm run bench -- growth`: queries that an index answers, without their totals, on `--size` articles
 * and on ten (`--times`) times as many, each with an engine of its own, in turns; then one request at a time of each
 * kind whose time should not depend on that, with totals and deletes.
 */
export async function runGrowth(run: Run): Promise<readonly Result[]> {
  const open = async (size: number): Promise<Side & Readonly<{ floor: Contender }>> => {
    const ground = await openGround(run, size)
    // An index that comes meanwhile would be another measurement.
    const environment = { ...plainQuire.environment, INDEXES_AUTO: 'off' }
    const service = await startQuire({ ...plainQuire, environment }, ground)
    const [floor] = await startFloors(['Express floor'], ground)
    if (floor === undefined) throw new Error('There is no floor')
    return { name: `${size} articles`, ground, service, floor }
  }
  const { only, rounds, size, times } = run.options
  const few = await open(size)
  const many = await open(size * times)
  const rows = makeScenarios(few.ground.loaded.ids)
    .filter(({ name }) => indexed.has(name) && only.has(name))
    .flatMap(({ name: scenario, title }) =>
      (['service', 'floor'] as const).map((kind): Row => {
        const name = `${title.replace(/ with total|, total$/, '')}, ${few[kind].name}`
        const ways = [few, many].map((side) => {
          const call = withoutTotal(side[kind].callOf(scenario))
          return wayOf(side.name, side[kind], side.ground, { call })
        })
        return { name, title: name, ways }
      }),
    )
  const results = [
    ...(await runRows(rows, rounds, run)),
    ...(await runRows(await loneRows([few, many]), 1, run)),
  ]
  await report(results, [[many.name, few.name]], run)
  return results
}

/** Those whose work an index bounds: of what they find they read one page. */
const indexed: ReadonlySet<string> = new Set([
  ...['one', 'list', 'filter', 'populate', 'deep25', 'deep100', 'star'],
])

const withoutTotal =
  (callOf: (n: number) => Call) =>
  (n: number): Call => {
    const call = callOf(n)
    const isCounted = /\?(?!.*withCount)/.test(call.path)
    return isCounted ? { ...call, path: `${call.path}&pagination[withCount]=false` } : call
  }
