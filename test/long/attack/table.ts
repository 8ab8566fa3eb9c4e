import { formatNumber, formatTable } from '../../../scripts/table.js'
import type { Report, Tally } from './orders.js'
import { emptyTally } from './orders.js'
import type { PhaseResult } from './run-phase.js'

/**
 * Formats two tables: the readers' results, also relative to the times of the baseline phases, and the attackers'
 * results.
 */
export function attackTable(results: readonly PhaseResult[]): string {
  const [singleProcess, burner] = results.map(readingP50)
  const readers = results.map((result, index) => {
    const { name, reads, peak, recoveredMs } = result
    const article = reads['one article'] ?? emptyTally()
    const health = reads['/_health'] ?? emptyTally()
    return [
      name,
      countOf(article),
      ...[p50(article), p99(article), most(article)].map(formatNumber),
      ...[singleProcess, burner].map((base) => formatNumber(p50(article) / (base ?? NaN))),
      countOf(health),
      ...[p50(health), p99(health), most(health)].map(formatNumber),
      formatNumber(cpuPerAttack(result, results[0])),
      formatNumber(peak === null ? null : peak / 2 ** 20),
      index < 2 ? '' : recoveredMs === null ? 'not yet' : formatNumber(recoveredMs),
    ]
  })
  const attackers = results.flatMap(({ name, attacks }) =>
    attacks.flatMap((report) =>
      Object.entries(report).map(([label, tally]) => attackRow(name, label, tally)),
    ),
  )
  return [
    formatTable(readerHead, readers),
    formatTable(attackHead, attackers),
    'Answers by status; times in ms, of answers with 200 unless said otherwise. CPU: ms of the service for each request of the attack, without those of the readers.',
  ].join('\n\n')
}

const readerHead = [
  ...['readers', 'one article', 'p50', 'p99', 'max', '× alone', '× busy'],
  ...['/_health', 'p50', 'p99', 'max', 'CPU', 'peak MB', 'recovered'],
]
const attackHead = [
  ...['attackers', 'ask for', 'sent', 'answers', 'cut off', 'broken', 'MB'],
  ...['p50', '503: p50', 'p99', 'waiting', 'oldest'],
]

function attackRow(name: string, label: string, tally: Tally): readonly string[] {
  return [
    ...[name, label, String(tally.sent), countOf(tally)],
    ...[String(tally.cutOff), String(tally.brokenCount)],
    formatNumber(tally.bytes / 2 ** 20),
    ...[p50(tally), quantile(tally.refusalTimes, 0.5), quantile(tally.refusalTimes, 0.99)].map(
      formatNumber,
    ),
    ...[String(tally.waiting), String(tally.oldestMs)],
  ]
}

const countOf = ({ statuses }: Tally): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}:${count}`)
    .join(' ') || '–'

const p50 = (tally: Report[string] | undefined): number => quantile(tally?.times ?? [], 0.5)
const p99 = (tally: Report[string] | undefined): number => quantile(tally?.times ?? [], 0.99)

const most = ({ times }: Tally): number => quantile(times, 1)

/** Returns the service's CPU time per request of the attack, without its CPU time for the readers. NaN if unknown. */
function cpuPerAttack(
  { attacks, cpuMs, lasted }: PhaseResult,
  singleProcess?: PhaseResult,
): number {
  const tallies = attacks.flatMap((report) => Object.values(report))
  const sent = tallies.reduce((sum, tally) => sum + tally.sent, 0)
  if (sent === 0 || singleProcess === undefined) return NaN
  return (cpuMs - (singleProcess.cpuMs / singleProcess.lasted) * lasted) / sent
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** Returns the median duration of reading one article, in ms. */
export const readingP50 = ({ reads }: PhaseResult): number => p50(reads['one article'])
