import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageRoot } from '../../server/settings/own-command.js'
import { median, percentile } from '../statistics.js'
import { mix, type Story } from './mix.js'
import type { Services } from './open-services.js'
import type { SoakOptions } from './options.js'

/** A service gives itself less time than this. */
const timeoutMs = 60_000
const picture = join(packageRoot, 'schema/demo/pictures/an-hour-with-a-heron.jpg')
const request = /^(?<kind>[^:]+): (?<statuses>[\d,]+) (?<method>\w+) (?<path>\S+) ?(?<json>.*)$/

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

/** Runs stories of the mix, `concurrency` at a time, and sends `rate` requests a second. */
export function startLoad(services: Services, { concurrency, rate }: SoakOptions) {
  const { urls, token, user, articles } = services
  const stories = mix.flatMap((story) => Array<Story>(story[0]).fill(story))
  const form = new FormData()
  form.append('files', new Blob([readFileSync(picture)], { type: 'image/jpeg' }), 'soak.jpg')
  const over = new AbortController()
  setMaxListeners(concurrency, over.signal)
  let [times, kinds, errors]: [number[], Record<string, number>, string[]] = [[], {}, []]
  let [sent, due] = [0, 0]

  const send = async (line: string, values: Record<string, unknown>): Promise<boolean> => {
    const { kind = '', statuses, method = '', path = '', json } = request.exec(line)?.groups ?? {}
    const url = URL.canParse(path) ? path : `${urls[sent++ % urls.length]}${path}`
    const begun = performance.now()
    const answer = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${String(values['jwt'])}`,
        ...(method === 'GET' && { 'If-None-Match': String(values['etag']) }),
      },
      body:
        json === 'picture' ? form : json ? new Blob([json], { type: 'application/json' }) : null,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    if (!statuses?.split(',').includes(`${answer.status}`))
      throw new Error(`${answer.status} ${text.slice(0, 300)}`)
    times.push(performance.now() - begun)
    kinds[kind] = (kinds[kind] ?? 0) + 1
    values['etag'] = answer.headers.get('etag') ?? ''
    if (answer.headers.get('content-type')?.includes('json')) {
      const [first] = [JSON.parse(text) as unknown].flat() as [{ data?: object }]
      Object.assign(values, first, first.data)
    }
    return answer.ok
  }
  const run = async ([, ...requests]: Story): Promise<void> => {
    const values: Record<string, unknown> = {
      ...{ ...user, jwt: token, article: any(articles), slug: `soak-${randomUUID()}`, etag: '""' },
      ...{ minutes: any([2, 4, 6]), word: any(['river', 'light', 'stone']) },
      locale: any(['fr', 'de']),
    }
    for (const template of requests) {
      const turn = Math.max(due, performance.now())
      due = turn + 1000 / rate
      // Its end does not wait for turns.
      await sleep(turn - performance.now(), undefined, { signal: over.signal }).catch(() => {})
      const line = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
      try {
        if (!(await send(line, values))) return
      } catch (error) {
        errors.push(`${new Date().toISOString()} ${line}: ${String(error)}`)
        return
      }
    }
  }
  const workers = Array.from({ length: concurrency }, async () => {
    while (!over.signal.aborted) await run(any(stories))
  })
  return {
    /** Returns what came since the last call. */
    take: () => {
      const latencies = { p50: median(times), p99: percentile(times, 0.99) }
      const taken = { requests: times.length, errors, ...latencies, kinds }
      ;[times, kinds, errors] = [[], {}, []]
      return taken
    },
    /** Resolves when the stories that have begun are over. */
    end: async () => {
      over.abort()
      await Promise.all(workers)
    },
  }
}
