/** A metric as a scraper reads it: its series, by their labels, those of a histogram by its parts. */
export type Family = Readonly<{
  name: string
  help: string
  type: string
  series: readonly Readonly<{
    name: string
    labels: Readonly<Record<string, string>>
    value: number
  }>[]
}>

/** The grammar of the text format 0.0.4. */
const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`
const head = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/
// Go's `ParseFloat` reads `nan` in any case.
const line = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*)(?:\{(${label}(?:,${label})*)\})? (nan|[+-]inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?: -?\d+)?$`,
  'i',
)

type Open = { name: string; help: string; type: string; series: Family['series'][number][] }

/**
 * What a text of Prometheus' format says.
 * @throws for what a scraper would refuse, or `promtool check metrics`: lines that are none, series without a metric
 * or twice, metrics in several places, histograms whose buckets do not add up
 */
export function parseMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const families = new Map<string, Open>()
  const seen = new Set<string>()
  let current: Open | undefined
  for (const each of text.split('\n').filter((each) => each !== '')) {
    const [, what, name = '', said = ''] = head.exec(each) ?? []
    if (what === 'HELP') {
      if (families.has(name)) throw new Error(`Twice: ${name}`)
      current = { name, help: said, type: '', series: [] }
      families.set(name, current)
    } else if (what === 'TYPE') {
      if (current?.name !== name || current.series.length > 0) throw new Error(`Where: ${each}`)
      current.type = said
    } else addSeries(current, each, seen)
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
}

function addSeries(family: Open | undefined, each: string, seen: Set<string>): void {
  const [, name = '', labels = '', value = ''] = line.exec(each) ?? []
  if (name === '') throw new Error(`No line of Prometheus: ${each}`)
  const parts = family?.type === 'histogram' ? '_(bucket|sum|count)' : ''
  if (!new RegExp(`^${family?.name}${parts}$`).test(name))
    throw new Error(`Of which metric: ${each}`)
  if (seen.has(`${name}{${labels}}`)) throw new Error(`Twice: ${each}`)
  seen.add(`${name}{${labels}}`)
  const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)]
  family?.series.push({
    name,
    labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
    value: Number(value.replace('Inf', 'Infinity')),
  })
}

function checkHistogram({ name, series }: Open): void {
  const before = new Map<string, { bound: number; count: number }>()
  const keyOf = ({ le: _le, ...labels }: Readonly<Record<string, string>>) => JSON.stringify(labels)
  for (const found of series) {
    const key = keyOf(found.labels)
    const former = before.get(key)
    if (found.name === `${name}_bucket`) {
      const bound = Number(found.labels['le']?.replace('Inf', 'Infinity'))
      if (former !== undefined && (bound <= former.bound || found.value < former.count))
        throw new Error(`The buckets of ${name}${key} do not rise`)
      before.set(key, { bound, count: found.value })
    } else if (found.name === `${name}_count`) {
      if (former?.bound !== Infinity || former.count !== found.value)
        throw new Error(`${name}${key} does not add up`)
    }
  }
}
