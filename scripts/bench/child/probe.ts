/**
 * Loaded with `--import` into every server that is measured, so that all carry the same: it tells what the
 * process used, and ends it when the benchmark is gone.
 */
import '../../../server/processes/end-with-parent.js'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ProbeOrder, ProbeReport } from './probe-messages.js'

/** How often the delay is looked at; what is measured includes it. */
const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
let cpu = process.cpuUsage()

process.on('message', ({ kind }: ProbeOrder) => (kind === 'begin' ? begin() : end()))
// The channel alone is no reason to keep running.
process.channel?.unref()

function begin(): void {
  delay.reset()
  delay.enable()
  cpu = process.cpuUsage()
}

function end(): void {
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  const report: ProbeReport = {
    kind: 'report',
    cpuMs: (user + system) / 1000,
    delayP99Ms: beyondInterval(delay.percentile(99)),
    delayMaxMs: beyondInterval(delay.max),
  }
  process.send?.(report)
}

const beyondInterval = (nanoseconds: number): number =>
  Math.max(0, nanoseconds / 1_000_000 - resolution)
