/** Loaded with `--import` into every service that a soak starts: it tells what the process holds, and ends it when the soak is gone. */
import '../../../server/processes/end-with-parent.js'
import {
  constants,
  monitorEventLoopDelay,
  PerformanceObserver,
  type PerformanceEntry,
} from 'node:perf_hooks'
import type { OwnFigures } from './own-figures.js'

const everyMs = 1000
/** How often the delay is looked at; what is measured includes it. */
const resolution = 10
const delay = monitorEventLoopDelay({ resolution })
delay.enable()

let heapKept: number | null = null
/** A look at all of the heap; the younger part is collected many times in between. */
const isWhole = (entry: PerformanceEntry): boolean =>
  (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
new PerformanceObserver((list) => {
  if (list.getEntries().some(isWhole)) heapKept = process.memoryUsage().heapUsed
}).observe({ entryTypes: ['gc'] })

function tell(): void {
  if (!process.connected) return
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const loopDelay = Math.max(0, delay.percentile(99) / 1_000_000 - resolution)
  delay.reset()
  const handles = process.getActiveResourcesInfo().length
  const memory = { rss, heapUsed, heapKept, external, arrayBuffers }
  process.send?.({ ...memory, loopDelay, handles } satisfies OwnFigures)
}

setInterval(tell, everyMs).unref()
// The channel alone is no reason to keep running.
process.channel?.unref()
