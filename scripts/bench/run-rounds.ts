import type { Db } from 'mongodb'
import { removeCreated } from './data/load-data.js'
import type { Figures } from './figures.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import type { Scenario } from './scenarios.js'
import type { Contender } from './servers.js'

/** By scenario and server: the figures of each round. */
export type Rounds = Map<string, Map<string, Figures[]>>

export const connections = 16

export type RoundsOptions = Readonly<{
  options: BenchOptions
  scenarios: readonly Scenario[]
  contenders: readonly Contender[]
  enginePid: number
  db: Db
  /** Told before each measurement. */
  onProgress: (what: string) => void
}>

/** Measures every scenario on every server, one after another, in rounds; each round begins with another server. */
export async function runRounds(run: RoundsOptions): Promise<Rounds> {
  const { options, scenarios, contenders, db, onProgress } = run
  const rounds: Rounds = new Map()
  for (let round = 0; round < options.rounds; round += 1) {
    for (const scenario of scenarios) {
      for (const contender of rotated(contenders, round)) {
        onProgress(`round ${round + 1}, ${scenario.title}, ${contender.server.name}`)
        const figures = await measureScenario(run, scenario, contender, round)
        keep(rounds, scenario.name, contender.server.name, figures)
        if (scenario.creates === true) await removeCreated(db, options.size)
      }
    }
  }
  return rounds
}

export function keep(rounds: Rounds, scenario: string, server: string, figures: Figures): void {
  const servers = rounds.get(scenario) ?? new Map<string, Figures[]>()
  rounds.set(scenario, servers)
  servers.set(server, [...(servers.get(server) ?? []), figures])
}

export const rotated = <T>(list: readonly T[], by: number): readonly T[] =>
  list.map((_, index) => list[(index + by) % list.length] as T)

async function measureScenario(
  { options, enginePid }: RoundsOptions,
  scenario: Scenario,
  { server, headers, callOf }: Contender,
  round: number,
): Promise<Figures> {
  const load = { url: server.url, connections, headers, call: callOf(scenario) }
  // Every server is asked the same in a round, and something else in the next.
  const { figures } = await measure({ server, enginePid, seconds: options.seconds }, () => [
    startLoad({ ...load, from: round * 1_000_003 }),
  ])
  return figures
}
