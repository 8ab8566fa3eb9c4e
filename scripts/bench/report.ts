import type { Figure, Figures } from './figures.js'
import { median, mediansOf, ratioOf } from './figures.js'
import type { StartFigures } from './run-start.js'
import type { Rounds } from './run-rounds.js'
import { formatNumber, formatTable } from './table.js'

const shown: readonly (readonly [Figure, string])[] = [
  ['requestsPerSecond', 'req/s'],
  ['p50', 'p50 ms'],
  ['p99', 'p99 ms'],
  ['cpu', 'CPU ms'],
  ['memory', 'MB'],
]

const floors = ['http floor', 'Express floor']

/** Every scenario on every server: medians of the rounds, CPU per request with the engine's, memory of the server. */
export function reportFigures(rounds: Rounds, titles: ReadonlyMap<string, string>): string {
  const rows = [...rounds].flatMap(([scenario, servers]) =>
    [...servers].toSorted(byName).map(([server, measured]) => {
      const figures = mediansOf(measured)
      return [
        titles.get(scenario) ?? scenario,
        server,
        ...shown.map(([figure]) => formatNumber(figures[figure])),
      ]
    }),
  )
  return formatTable(['scenario', 'server', ...shown.map(([, title]) => title)], rows)
}

/** Quire's figures as multiples of the floors': of the http floor's, then of the Express floor's. */
export function reportRatios(rounds: Rounds, titles: ReadonlyMap<string, string>): string {
  const rows = [...rounds].map(([scenario, servers]) => [
    titles.get(scenario) ?? scenario,
    ...shown.map(([figure]) => ratiosOf(figure, servers).map(formatNumber).join(' / ')),
  ])
  return formatTable(['Quire / floors', ...shown.map(([, title]) => title)], rows)
}

function ratiosOf(
  figure: Figure,
  servers: ReadonlyMap<string, readonly Figures[]>,
): readonly (number | null)[] {
  const quire = servers.get('Quire') ?? []
  return floors.map((floor) => ratioOf(figure, quire, servers.get(floor) ?? []))
}

/** Single reads beside heavy ones. */
export function reportMix(
  rounds: Rounds,
  heavyPerSecond: ReadonlyMap<string, readonly number[]>,
): string {
  const servers = rounds.get('mix') ?? new Map<string, readonly Figures[]>()
  const rows = [...servers].toSorted(byName).map(([server, measured]) => {
    const { p50, p99, requestsPerSecond, delayP99 } = mediansOf(measured)
    const heavy = median(heavyPerSecond.get(server) ?? [])
    const ratios = floors.map((floor) => ratioOf('p50', measured, servers.get(floor) ?? []))
    return [
      server,
      ...[p50, p99, requestsPerSecond, heavy, delayP99].map(formatNumber),
      ratios.map(formatNumber).join(' / '),
    ]
  })
  const head = ['mix', 'p50 ms', 'p99 ms', 'req/s', 'heavy/s', 'loop delay p99 ms', 'p50 / floors']
  return formatTable(head, rows)
}

/** How services start and idle, engine included. */
export function reportStart(starts: ReadonlyMap<string, StartFigures>): string {
  return formatTable(
    ['whole service', 'first answer ms', 'idle MB (PSS)'],
    [...starts].map(([name, { coldStart, idleMemory }]) => [
      name,
      formatNumber(coldStart),
      formatNumber(idleMemory),
    ]),
  )
}

/** What the tables are made of, for other programs. */
export function figuresAsJson(rounds: Rounds): object {
  return Object.fromEntries(
    [...rounds].map(([scenario, servers]) => [
      scenario,
      Object.fromEntries(
        [...servers].map(([server, measured]) => [
          server,
          { median: mediansOf(measured), rounds: measured, ofFloors: allRatios(measured, servers) },
        ]),
      ),
    ]),
  )
}

function allRatios(
  measured: readonly Figures[],
  servers: ReadonlyMap<string, readonly Figures[]>,
): object {
  return Object.fromEntries(
    floors.map((floor) => [
      floor,
      Object.fromEntries(
        Object.keys(measured[0] ?? {}).map((figure) => [
          figure,
          ratioOf(figure as Figure, measured, servers.get(floor) ?? []),
        ]),
      ),
    ]),
  )
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  order(a) - order(b)

/** Quire first, then the floors. */
const order = (name: string): number =>
  name === 'Quire' ? 0 : name.startsWith('Quire') ? 1 : 2 + floors.indexOf(name)
