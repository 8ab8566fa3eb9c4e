import { drawChart, escapeHtml, format, type Chart, type Line } from './draw-chart.js'
import type { ProcessSample, Sample } from './sample.js'
import { seriesOf, type Judgement, type Verdict } from './verdict.js'

export type ReportOf = Readonly<{
  samples: readonly Sample[]
  verdict: Verdict
  /** What was run: a line each. */
  facts: readonly (readonly [name: string, value: string])[]
  /** The first errors, as they were told. */
  errors: readonly string[]
  warmUpSeconds: number
}>

/** A page that needs nothing but itself: the verdict, plots over time, and what was judged. */
export function writeReport({ samples, verdict, facts, errors, warmUpSeconds }: ReportOf): string {
  const charts = chartsOf(samples).map((chart) => drawChart({ ...chart, warmUpSeconds }))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Soak: ${verdict.passes ? 'passed' : 'failed'}</title><style>${style}</style></head><body>
<h1>Soak <em class="${verdict.passes ? 'good' : 'bad'}">${verdict.passes ? 'passed' : 'failed'}</em></h1>
<p>${escapeHtml(sentenceOf(verdict))}</p>
<dl>${facts.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
<main>${charts.join('\n')}</main>
<h2>Growth after the warm-up</h2>
${growthTable(verdict.judgements)}
<h2>Requests by kind</h2>
${kindTable(samples)}
${errors.length === 0 ? '' : `<h2>Errors</h2><pre>${escapeHtml(errors.join('\n'))}</pre>`}
</body></html>
`
}

/** `142,331 requests, 0 errors, nothing grows` */
export function sentenceOf({ requests, errors, judgements }: Verdict): string {
  const grown = judgements.filter(({ grows }) => grows)
  const what =
    grown.length === 0
      ? 'nothing grows'
      : `growing: ${grown.map(({ process, name }) => `${name} of ${process}`).join(', ')}`
  return `${requests.toLocaleString('en')} requests, ${errors.toLocaleString('en')} ${errors === 1 ? 'error' : 'errors'}, ${what}`
}

type Plotted = Omit<Chart, 'warmUpSeconds'>

function chartsOf(samples: readonly Sample[]): readonly Plotted[] {
  const over = (name: string, of: (sample: Sample) => number): Line => ({
    name,
    points: samples.map((sample) => ({ seconds: sample.seconds, value: of(sample) })),
  })
  const names = [...new Set(samples.flatMap(({ processes }) => Object.keys(processes)))]
  const each = (figure: keyof ProcessSample, unit = 1): readonly Line[] =>
    names.map((name) => ({
      name,
      points: seriesOf(samples, name, figure).map((point) => ({
        ...point,
        value: point.value / unit,
      })),
    }))
  const megabyte = 1e6
  return [
    {
      ...{ title: 'Throughput', unit: 'requests a second' },
      lines: [over('answered', ({ requestsPerSecond }) => requestsPerSecond)],
    },
    {
      ...{ title: 'Errors', unit: 'in each sample' },
      lines: [over('errors', ({ errors }) => errors)],
    },
    {
      ...{ title: 'Latency', unit: 'ms' },
      lines: [over('p99', ({ p99 }) => p99), over('p50', ({ p50 }) => p50)],
    },
    { title: 'Event loop delay, p99', unit: 'ms', lines: each('loopDelay') },
    { title: 'Memory (RSS)', unit: 'MB', lines: each('rss', megabyte) },
    { title: 'Heap', unit: 'MB', lines: each('heapUsed', megabyte) },
    {
      ...{ title: 'Heap without garbage', unit: 'MB, when all was collected last' },
      lines: each('heapKept', megabyte),
    },
    { title: 'Memory outside the heap', unit: 'MB', lines: each('external', megabyte) },
    { title: 'Connections', unit: 'open sockets', lines: each('connections') },
    { title: 'Open files', unit: 'connections among them', lines: each('files') },
    { title: 'Handles', unit: 'what keeps the loop running', lines: each('handles') },
  ]
}

function growthTable(judgements: readonly Judgement[]): string {
  const rows = judgements.map(({ process, name, figure, growth, limit, grows }) => {
    const unit = inBytes.has(figure) ? 1e6 : 1
    const cells = [growth.level, growth.rise, growth.lateRise, limit].map(
      (value) => `<td>${format(value / unit)}</td>`,
    )
    const told = `${escapeHtml(name)}${unit === 1 ? '' : ' (MB)'}`
    const mark = grows ? '<td class="bad">grows</td>' : '<td class="good">holds</td>'
    return `<tr><th>${escapeHtml(process)}</th><th>${told}</th>${cells.join('')}${mark}</tr>`
  })
  const head = ['', '', 'level', 'rise', 'rise of the second half', 'limit', '']
  return tableOf(head, rows)
}

const inBytes: ReadonlySet<keyof ProcessSample> = new Set(['rss', 'heapKept', 'external'])

function kindTable(samples: readonly Sample[]): string {
  const kinds = [...new Set(samples.flatMap((sample) => Object.keys(sample.kinds)))].sort()
  const rows = kinds.map((kind) => {
    const of = samples.flatMap((sample) => sample.kinds[kind] ?? [])
    const requests = of.reduce((sum, it) => sum + it.requests, 0)
    /** The mean of the samples', each by its requests. */
    const mean = (figure: 'p50' | 'p99'): string =>
      format(of.reduce((sum, it) => sum + it[figure] * it.requests, 0) / requests)
    const cells = [requests.toLocaleString('en'), mean('p50'), mean('p99')]
    return `<tr><th>${escapeHtml(kind)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return tableOf(['', 'requests', 'p50 (ms)', 'p99 (ms)'], rows)
}

const tableOf = (head: readonly string[], rows: readonly string[]): string =>
  `<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`

const style = `
:root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; color: #222 }
body { max-width: 1200px; margin: 2rem auto; padding: 0 1rem }
h1 em { font-style: normal; font-size: 0.7em; padding: 0.1em 0.5em; border-radius: 0.3em; vertical-align: 0.15em }
h1 .good { background: #d8f0e4; color: #00543c } h1 .bad { background: #fbe0d5; color: #8a2f00 }
td.good { color: #00684a } td.bad { color: #a83a00; font-weight: 600 }
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem } dl div { min-width: 8rem } dt { color: #666; font-size: 0.85em } dd { margin: 0 }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem }
figure { margin: 0 } figcaption { font-weight: 600 } figcaption span { font-weight: 400; color: #666 }
svg { width: 100%; height: auto; font-size: 11px; fill: #666 } svg path { fill: none; stroke-width: 1.5 }
.grid { stroke: #e3e3e3 } .warm-up { fill: #f4f1e8 }
figure ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0; padding: 0 0 0 3rem; font-size: 0.85em }
figure i { display: inline-block; width: 0.9em; height: 0.25em; margin-right: 0.4em; vertical-align: 0.25em }
table { border-collapse: collapse } th, td { text-align: right; padding: 0.15rem 0.9rem 0.15rem 0; font-variant-numeric: tabular-nums }
th { font-weight: 400 } thead th { color: #666; font-size: 0.85em } tbody tr { border-top: 1px solid #eee } tbody th { text-align: left }
pre { white-space: pre-wrap; background: #f6f6f6; padding: 1rem }
`
