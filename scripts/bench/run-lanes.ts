import { writeFile } from 'node:fs/promises'
import { withDatabase } from '../../server/database/connect.js'
import { inlineLane, pooledLane } from '../../workers/executor.js'
import { createPool } from '../../workers/pool.js'
import type { Closers } from './closers.js'
import { median } from './figures.js'
import type { LanePoint } from './lane-points.js'
import { measureLanes } from './lane-points.js'
import type { BenchOptions } from './options.js'
import { openStage, withQuire } from './stage.js'
import { formatNumber, formatTable } from './table.js'

/** `npm run bench -- lanes`: where the pool begins to pay, in terms of a plan's cost. */
export async function runLanes(
  options: BenchOptions,
  closers: Closers,
  {
    print,
    onProgress,
  }: Readonly<{ print: (text: string) => void; onProgress: (what: string) => void }>,
): Promise<void> {
  onProgress(`loading ${options.size} articles`)
  const { environment, uri } = await openStage(options, closers)
  const points = await withQuire(environment, async ({ services }) => {
    const { settings, db } = services
    const pool = createPool({
      uri: withDatabase(uri),
      threads: settings['pool.threads'],
      queueLimit: settings['pool.queueLimit'],
    })
    try {
      const lanes = { inline: inlineLane(db), pooled: pooledLane(pool) }
      const { rounds } = options
      return await measureLanes(services, lanes, { ms: options.seconds * 500, rounds, onProgress })
    } finally {
      await pool.destroy()
    }
  })
  const threshold = thresholdOf(points)
  print(formatPoints(points))
  print(`\n${describe(points, threshold)}\npool.costThreshold=${threshold}`)
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ points, threshold }, null, 2)}\n`)
  }
}

function formatPoints(points: readonly LanePoint[]): string {
  const head = [
    ...['populate', 'rows', 'cost', 'KB', 'main thread', 'alone inline', 'pooled'],
    ...['beside inline', 'pooled', 'single inline', 'pooled'],
  ]
  const rows = points.map(({ populate, rows, cost, kilobytes, mainMs, alone, inline, pooled }) => [
    populate,
    String(rows),
    cost.toFixed(0),
    ...[kilobytes, mainMs, alone.inline, alone.pooled].map(formatNumber),
    ...[inline.query, pooled.query, inline.single, pooled.single].map(formatNumber),
  ])
  return formatTable(head, rows)
}

/** CPU time that a query may take of the main thread, in milliseconds: every other request waits for it. */
const maxMainMs = 10
/** How much longer a query alone may take in the pool. */
const maxRatio = 1.25

/**
 * The cost that divides the queries best into those below and above `maxMainMs`, each counting as much as it
 * is off the mark; rounded to two digits, since a cost is an estimate.
 */
export function thresholdOf(points: readonly LanePoint[]): number {
  const sorted = points.toSorted((a, b) => a.cost - b.cost)
  let best = { from: sorted.length, gain: 0 }
  for (let from = sorted.length - 1, total = 0; from >= 0; from -= 1) {
    total += Math.log((sorted[from]?.mainMs ?? maxMainMs) / maxMainMs)
    if (total > best.gain) best = { from, gain: total }
  }
  const [below, above] = [sorted[best.from - 1]?.cost ?? 1, sorted[best.from]?.cost]
  const threshold = above === undefined ? below * 2 : Math.sqrt(Math.max(below, 1) * above)
  return Number(threshold.toPrecision(2))
}

/** The criterion, and whether it holds here. */
function describe(points: readonly LanePoint[], threshold: number): string {
  const heavy = points.filter(({ cost }) => cost >= threshold)
  const ratio = median(heavy.map(({ alone }) => alone.pooled / alone.inline))
  const verdict = !(ratio > maxRatio)
    ? 'so it pays'
    : `more than ${maxRatio}: on this machine only a longer queue than one query's pays for it`
  return [
    `From a cost of about ${threshold} a query takes more than ${maxMainMs} ms of the main thread's CPU.`,
    `In the pool such queries take ${formatNumber(ratio)} × as long, ${verdict}.`,
  ].join('\n')
}
