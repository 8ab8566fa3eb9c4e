import { gathered, countedMetrics, type Metric } from '../server/metrics/metrics-table.js'
import { markdownTable } from './settings-markdown.js'

/** Returns the table of all metrics, as docs/metrics.md shows it. */
export function metricsMarkdown(): string {
  const metrics: Readonly<Record<string, Metric>> = { ...countedMetrics, ...gathered }
  const rows = Object.entries(metrics).map(([name, { type, labels, meaning }]) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    meaning,
  ])
  return markdownTable(['Metric', 'Type', 'Labels', 'Meaning'], rows)
}
