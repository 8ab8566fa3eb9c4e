/** A metric as a scraper reads it. */
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

/** The grammar of version 0.0.4 of Prometheus' text format. */
const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`
const head = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/
// The case is ignored, because Go's `ParseFloat` reads `nan` in any case.
const line = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*)(?:\{(${label}(?:,${label})*)\})? (nan|[+-]inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?: -?\d+)?$`,
  'i',
)

type Open = { name: string; help: string; type: string; series: Family['series'][number][] }

/** Parses Prometheus' text format. Throws for everything that a scraper or `promtool check metrics` would reject. */
export function parseMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const families = new Map<string, Open>()
  const seen = new Set<string>()
  let current: Open | undefined
  for (const each of text.split('\n').filter((each) => each !== '')) {
    const [, what, name = '', value = ''] = head.exec(each) ?? []
    if (what === 'HELP') {
      if (families.has(name)) throw new Error(`Twice: ${name}`)
      current = { name, help: value, type: '', series: [] }
      families.set(name, current)
    } else if (what === 'TYPE') {
      if (current?.name !== name || current.series.length > 0) throw new Error(`Where: ${each}`)
      current.type = value
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
    const previous = before.get(key)
    if (found.name === `${name}_bucket`) {
      const bound = Number(found.labels['le']?.replace('Inf', 'Infinity'))
      if (previous !== undefined && (bound <= previous.bound || found.value < previous.count))
        throw new Error(`The buckets of ${name}${key} do not rise`)
      before.set(key, { bound, count: found.value })
    } else if (found.name === `${name}_count`) {
      if (previous?.bound !== Infinity || previous.count !== found.value)
        throw new Error(`${name}${key} does not add up`)
    }
  }
}
