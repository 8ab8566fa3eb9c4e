import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { expect } from 'chai'
import { parse } from 'yaml'
import { parseMetrics } from '../server/metrics/parse-metrics.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

const root = new URL('../../../', import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, root), 'utf8')

type Alert = Readonly<{
  alert: string
  expr: string
  labels: Readonly<{ severity: string }>
  annotations: Readonly<{ summary: string; runbook: string }>
}>
type Panel = Readonly<{ title: string; targets?: readonly Readonly<{ expr: string }>[] }>

const { groups } = parse(text('deploy/prometheus/alerts.yaml')) as {
  groups: readonly [Readonly<{ rules: readonly Alert[] }>]
}
const alerts = groups[0].rules
const { panels } = JSON.parse(text('deploy/grafana/quire.json')) as { panels: readonly Panel[] }
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

describe('monitoring', () => {
  let app: TestApp
  let known: ReadonlyMap<string, Readonly<{ type: string; labels: ReadonlySet<string> }>>
  before(async () => {
    app = await startApp({ settings: { 'metrics.enabled': true } })
    const families = parseMetrics((await app.request('GET', '/metrics')).text)
    known = new Map(
      [...families.values()].map(({ name, type, series }) => [
        name,
        { type, labels: new Set(series.flatMap(({ labels }) => Object.keys(labels))) },
      ]),
    )
  })
  after(() => app.stop())

  /** Returns the metric of a series. A histogram has three series, but none with the name of the metric itself. */
  const familyOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '')
  const isServed = (name: string): boolean => {
    if (name === 'up') return true
    const family = known.get(name) ?? known.get(familyOf(name))
    return family !== undefined && (family.type === 'histogram') === (familyOf(name) !== name)
  }

  it('queries only served metrics, in valid PromQL', () => {
    for (const query of [...alerts.map(({ expr }) => expr), ...queries]) {
      const { names, errors } = readQuery(query)
      expect(errors, query).to.deep.equal([])
      expect(names, query).not.to.have.lengthOf(0)
      for (const name of names) expect(isServed(name), `${name} of ${query}`).to.equal(true)
    }
  })

  it('detects a syntax error and an unknown metric', () => {
    expect(readQuery('sum by (x (rate(quire_lane_waiting[5m]))').errors).not.to.deep.equal([])
    expect(isServed('quire_lane_waitin')).to.equal(false)
    expect(isServed('quire_http_request_duration_seconds')).to.equal(false)
  })

  it('has a runbook entry in docs/operation.md for each alert, and no others', () => {
    const page = text('docs/operation.md')
    const section = page.slice(page.indexOf('## Alerts'))
    const entries = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(entries).to.deep.equal(alerts.map(({ alert }) => alert))
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.runbook).to.equal(`docs/operation.md#${alert.toLowerCase()}`)
      expect(labels.severity).to.be.oneOf(['page', 'ticket'])
    }
  })

  it('documents only served metrics in docs/operation.md', () => {
    const names = text('docs/operation.md').match(/\b(?:quire|process|nodejs)_[a-z_0-9]+/g) ?? []
    for (const name of new Set(names))
      expect(isServed(name) || known.has(name), name).to.equal(true)
  })

  it('autoscales by a served metric', () => {
    const { rules } = parse(text('deploy/prometheus/adapter.yaml')) as {
      rules: { custom: readonly [Readonly<{ seriesQuery: string; name: { as: string } }>] }
    }
    const { name, seriesQuery } = rules.custom[0]
    const { spec } = parse(text('deploy/kubernetes/autoscaler.yaml')) as {
      spec: { metrics: readonly Readonly<{ pods?: { metric: { name: string } } }>[] }
    }
    expect(spec.metrics[0]?.pods?.metric.name).to.equal(name.as)
    expect(readQuery(seriesQuery).names).to.deep.equal([name.as])
    expect(isServed(name.as)).to.equal(true)
  })
})

/** Returns the metrics in a query, and the positions of syntax errors. Replaces Grafana's variables first. */
function readQuery(
  query: string,
): Readonly<{ names: readonly string[]; errors: readonly number[] }> {
  const filled = query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')
  const names: string[] = []
  const errors: number[] = []
  parser.parse(filled).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) errors.push(from)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(filled.slice(from, to))
    },
  })
  return { names, errors }
}
