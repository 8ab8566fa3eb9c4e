import { plainQuire, startFloor, startQuire } from './contenders.js'
import { openBenchSetup } from './bench-setup.js'
import { loneRows, type Side } from './lone-requests.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows } from './run-rows.js'
import { scenarios } from './scenarios.js'
import type { Call } from '../start-server.js'

/**
 * `npm run bench -- growth`: compares indexed queries without totals on `--size` articles and on `--times` times as
 * many, then single requests whose time should not depend on the size, including totals and deletes.
 */
export async function runGrowth(run: Run): Promise<void> {
  const open = async (size: number): Promise<Side> => {
    const setup = await openBenchSetup(run, size)
    // A new index would change the measurement.
    const environment = { ...plainQuire.environment, INDEXES_AUTO: 'off' }
    const service = await startQuire({ ...plainQuire, environment }, setup)
    const floor = await startFloor('Express floor', setup)
    return { name: `${size} articles`, setup, service, floor }
  }
  const { only, rounds, size, times } = run.options
  const sides = [await open(size), await open(size * times)] as const
  const rows = scenarios
    .filter(({ name }) => indexed.includes(name) && only.has(name))
    .flatMap(({ name: scenario, title }) =>
      (['service', 'floor'] as const).map((kind) => {
        const name = `${title.replace(/ with total|, total$/, '')}, ${sides[0][kind].name}`
        const ways = sides.map((side) => {
          const callOf = side[kind].callOf(scenario)
          return wayOf(side.name, side[kind], side.setup, { call: (n) => withoutTotal(callOf(n)) })
        })
        return { name, title: name, ways }
      }),
    )
  const results = [...(await runRows(rows, rounds)), ...(await runRows(await loneRows(sides), 1))]
  await report(results, [[sides[1].name, sides[0].name]], run)
}

/** Scenarios that find entries with an index, and only read one page of them. */
const indexed = ['one', 'list', 'filter', 'populate', 'deep25', 'deep100', 'star']

function withoutTotal(call: Call): Call {
  const isCounted = /\?(?!.*withCount)/.test(call.path)
  return isCounted ? { ...call, path: `${call.path}&pagination[withCount]=false` } : call
}
