import type { ProcessSample } from './sample.js'

/** The names that prom-client gives to what every Node.js process has, and what they are here. */
const names: Readonly<Record<string, keyof ProcessSample>> = {
  process_resident_memory_bytes: 'rss',
  nodejs_heap_size_used_bytes: 'heapUsed',
  nodejs_external_memory_bytes: 'external',
  process_open_fds: 'files',
  nodejs_active_resources_total: 'handles',
  nodejs_eventloop_lag_p99_seconds: 'loopDelay',
}

/** What `/metrics` of a service tells of its process; nothing where there is none. */
export async function readMetrics(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Partial<ProcessSample>> {
  try {
    const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(2000) })
    const text = await answer.text()
    return answer.status === 200 ? figuresIn(text) : {}
  } catch {
    return {}
  }
}

/** Of the text format of Prometheus, what is known here; milliseconds where that has seconds. */
export function figuresIn(text: string): Partial<ProcessSample> {
  const found = text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)(?:\{[^}]*\})? (\S+)$/.exec(line) ?? []
    const figure = names[name]
    if (figure === undefined || !Number.isFinite(Number(value))) return []
    return [[figure, name.endsWith('_seconds') ? Number(value) * 1000 : Number(value)] as const]
  })
  return Object.fromEntries(found)
}
