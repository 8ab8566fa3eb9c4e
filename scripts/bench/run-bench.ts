import { onProgress } from '../../cli/progress.js'
import { checkAnswers } from './check-answers.js'
import { startRow, waveRow } from './cold-rows.js'
import * as contender from './contenders.js'
import { openBenchSetup } from './bench-setup.js'
import { connections } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report, type Pair } from './report.js'
import { runRows, type Row } from './run-rows.js'
import { scenarios } from './scenarios.js'

const { quire, remembering, other, floors, plainQuire, rememberingQuire } = contender
const pairs: readonly Pair[] = [
  ...floors.map((floor): Pair => [quire, floor]),
  [remembering, quire],
  [quire, contender.withoutPool.name],
  [quire, other],
  [remembering, remembering.replace(quire, other)],
]

/** The whole benchmark: loading, starting servers, comparing their responses, measuring, reporting. */
export async function runBench(run: Run): Promise<void> {
  const { only, rounds, against: checkout, profile } = run.options
  const setup = await openBenchSetup(run)
  const first = await contender.startQuire({ ...plainQuire, profile }, setup)
  const others = [rememberingQuire]
  if (checkout !== undefined)
    for (const service of [plainQuire, rememberingQuire])
      others.push({ ...service, name: service.name.replace(quire, other), checkout })
  const contenders = [first]
  for (const service of others) contenders.push(await contender.startQuire(service, setup))
  for (const floor of floors) contenders.push(await contender.startFloor(floor, setup))
  onProgress('comparing the answers')
  await checkAnswers(first, contenders.slice(1))

  const rows: Row[] = scenarios
    .filter(({ name }) => only.has(name))
    .map(({ name, title }) => {
      const ways = contenders.map((it) => wayOf(it.name, it, setup, { call: it.callOf(name) }))
      return { name, title, ways }
    })
  if (only.has('mix')) {
    const single = await contender.startQuire(contender.withoutPool, setup)
    // A heavy query takes a good part of a second.
    const longer = { ...setup, seconds: setup.seconds * 1.5 }
    const ways = [...contenders, single].map((it) => {
      const light = { call: it.callOf('one'), connections: connections / 2 }
      const heavy = { call: it.callOf('deep100'), connections: connections / 4 }
      return wayOf(it.name, it, longer, light, heavy)
    })
    rows.push({ name: 'mix', title: 'one document beside heavy reads', ways })
  }
  const results = await runRows(rows, rounds)
  await Promise.all(contenders.map(({ stop }) => stop()))
  const cold: Row[] = []
  if (only.has('wave')) cold.push(waveRow(contenders))
  if (only.has('start')) cold.push(await startRow(setup.folder, checkout))
  await report([...results, ...(await runRows(cold, rounds))], pairs, run)
  run.print('The answers of all servers were compared.')
  if (contenders.some(({ isCopy }) => !isCopy))
    run.print('The other checkout loaded its own data, because it stores in another way.')
}
