import { writeFile } from 'node:fs/promises'
import { withDatabase } from '../../server/database/connect.js'
import { inlineLane, pooledLane } from '../../workers/executor.js'
import { createPool } from '../../workers/pool.js'
import type { Closers } from './closers.js'
import type { LanePoint, LaneTimes } from './lane-points.js'
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
  const { environment, uri } = await openStage(options.size, closers)
  const points = await withQuire(environment, async ({ services }) => {
    const { settings, db } = services
    const pool = createPool({
      uri: withDatabase(uri),
      threads: settings['pool.threads'],
      queueLimit: settings['pool.queueLimit'],
    })
    try {
      const lanes = { inline: inlineLane(db), pooled: pooledLane(pool) }
      return await measureLanes(services, lanes, options.seconds * 500, onProgress)
    } finally {
      await pool.destroy()
    }
  })
  const threshold = bestThreshold(points)
  print(formatPoints(points))
  print(`\nThe curves cross at a cost of about ${threshold}: pool.costThreshold=${threshold}`)
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ points, threshold }, null, 2)}\n`)
  }
}

function formatPoints(points: readonly LanePoint[]): string {
  const head = [
    'populate',
    'rows',
    'cost',
    'KB',
    'query inline',
    'pooled',
    'single inline',
    'pooled',
  ]
  const rows = points.map(({ populate, rows, cost, kilobytes, inline, pooled }) => [
    populate,
    String(rows),
    cost.toFixed(0),
    ...[kilobytes, inline.query, pooled.query, inline.single, pooled.single].map(formatNumber),
  ])
  return formatTable(head, rows)
}

/**
 * The cost from which to use the pool. Of a query that takes twice as long there, while a single read beside
 * it takes half as long, it does not matter where it runs: so the product of both, and least over all points.
 */
export function bestThreshold(points: readonly LanePoint[]): number {
  const gain = ({ inline, pooled }: LanePoint): number =>
    Math.log(product(inline) / product(pooled))
  const sorted = points.toSorted((a, b) => a.cost - b.cost)
  let best = { from: sorted.length, gain: 0 }
  for (let from = sorted.length - 1, total = 0; from >= 0; from -= 1) {
    const point = sorted[from]
    total += point === undefined ? 0 : gain(point)
    if (total > best.gain) best = { from, gain: total }
  }
  const [below, above] = [sorted[best.from - 1]?.cost ?? 0, sorted[best.from]?.cost]
  return Math.round(above === undefined ? below * 2 : Math.sqrt(Math.max(below, 1) * above))
}

const product = ({ query, single }: LaneTimes): number => query * single
