import type { Figures } from './figures.js'
import type { LoadReport } from './load.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { Rounds, RoundsOptions } from './run-rounds.js'
import { keep, rotated } from './run-rounds.js'
import type { Scenario } from './scenarios.js'
import type { Contender } from './servers.js'

/** Connections that loop the deepest query, and those that read single documents beside them. */
const heavyConnections = 4
const lightConnections = 8

/** The mix needs longer than the rest: a heavy query takes a good part of a second. */
const longer = 1.5

/** The figures of the single reads, by server, and of the heavy queries beside them. */
export async function runMix(
  { options, contenders, enginePid, onProgress }: RoundsOptions,
  heavy: Scenario,
  light: Scenario,
): Promise<Readonly<{ rounds: Rounds; heavyPerSecond: ReadonlyMap<string, readonly number[]> }>> {
  const rounds: Rounds = new Map()
  const heavyPerSecond = new Map<string, number[]>()
  for (let round = 0; round < options.rounds; round += 1) {
    for (const contender of rotated(contenders, round)) {
      const { name } = contender.server
      onProgress(`round ${round + 1}, mix, ${name}`)
      const { figures, heavyReport } = await measureMix(contender)
      keep(rounds, 'mix', name, figures)
      const perSecond = heavyReport.requests / heavyReport.seconds
      heavyPerSecond.set(name, [...(heavyPerSecond.get(name) ?? []), perSecond])
    }
  }
  return { rounds, heavyPerSecond }

  async function measureMix({
    server,
    headers,
    callOf,
  }: Contender): Promise<Readonly<{ figures: Figures; heavyReport: LoadReport }>> {
    const seconds = options.seconds * longer
    const common = { url: server.url, headers, from: 0 }
    const { figures, reports } = await measure({ server, enginePid, seconds }, () => [
      startLoad({ ...common, connections: lightConnections, call: callOf(light) }),
      startLoad({ ...common, connections: heavyConnections, call: callOf(heavy) }),
    ])
    const [, heavyReport = { requests: 0, seconds: 1, latencies: new Float64Array() }] = reports
    return { figures, heavyReport }
  }
}
