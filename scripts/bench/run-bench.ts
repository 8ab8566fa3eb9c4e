import { checkAnswers } from './check-answers.js'
import * as contender from './contenders.js'
import type { Contender } from './contenders.js'
import { openGround } from './ground.js'
import { connections } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report, type Pair } from './report.js'
import { runRows, type Result, type Row } from './run-rows.js'
import { startRow, waveRow } from './cold-rows.js'
import { makeScenarios } from './scenarios.js'

const { quire, remembering, other, floors, plainQuire, rememberingQuire } = contender
const pairs: readonly Pair[] = [
  ...floors.map((floor): Pair => [quire, floor]),
  [remembering, quire],
  [quire, contender.withoutPool.name],
  [quire, other],
  [remembering, remembering.replace(quire, other)],
]

/** The whole benchmark: data, servers, comparison of their answers, rounds, tables. */
export async function runBench(run: Run): Promise<readonly Result[]> {
  const { only, rounds, against, profile } = run.options
  const ground = await openGround(run)
  const contenders: Contender[] = []
  const services = [plainQuire, rememberingQuire].flatMap((service) => {
    const own = service === plainQuire ? { ...service, profile } : service
    const name = service.name.replace(quire, other)
    return against === undefined ? [own] : [own, { ...service, name, checkout: against }]
  })
  for (const service of services) {
    run.onProgress(`starting ${service.name}`)
    contenders.push(await contender.startQuire(service, ground))
  }
  contenders.push(...(await contender.startFloors(floors, ground)))
  run.onProgress('comparing the answers')
  const scenarios = makeScenarios(ground.loaded.ids)
  await checkAnswers(scenarios, contenders)

  const rows: Row[] = scenarios
    .filter(({ name }) => only.has(name))
    .map(({ name, title }) => {
      const ways = contenders.map((it) => wayOf(it.name, it, ground, { call: it.callOf(name) }))
      return { name, title, ways }
    })
  if (only.has('mix')) {
    const single = await contender.startQuire(contender.withoutPool, ground)
    // A heavy query takes a good part of a second.
    const longer = { ...ground, seconds: ground.seconds * 1.5 }
    const ways = [...contenders, single].map((it) => {
      const light = { call: it.callOf('one'), connections: connections / 2 }
      const heavy = { call: it.callOf('deep100'), connections: connections / 4 }
      return wayOf(it.name, it, longer, light, heavy)
    })
    rows.push({ name: 'mix', title: 'one document beside heavy reads', ways })
  }
  const results = [...(await runRows(rows, rounds, run))]
  await Promise.all(contenders.map(({ server }) => server.stop()))
  const cold = [
    ...(only.has('wave') ? [waveRow(contenders)] : []),
    ...(only.has('start') ? [await startRow(ground.folder, against)] : []),
  ]
  results.push(...(await runRows(cold, rounds, run)))
  await report(results, pairs, run)
  run.print('The answers of all servers were compared.')
  if (contenders.some(({ isCopy }) => !isCopy))
    run.print('The other checkout loaded its own data, because it stores in another way.')
  return results
}
