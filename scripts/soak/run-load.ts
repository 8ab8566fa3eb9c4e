import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageRoot } from '../../server/settings/own-command.js'
import { send } from '../start-server.js'
import { median, percentile } from '../statistics.js'
import type { Services } from './open-services.js'
import type { SoakOptions } from './options.js'

const picture = join(packageRoot, 'schema/demo/pictures/an-hour-with-a-heron.jpg')
const request = /^(?<kind>[^:]+): (?<right>\d+) (?<method>\w+) (?<path>\S+)(?: (?<json>.+))?$/

const deep =
  'populate[author][populate]=avatar&populate[category][populate]=parent&populate[tags]=true' +
  '&populate[sections]=true&populate[related][populate][author][populate]=avatar&populate[cover]=true'
const filter = 'filters[author][name][$containsi]=a&filters[readingMinutes][$gte]'
const draft = '"title":"{slug}","slug":"{slug}","summary":"Draft","related":"{article}"'
const one = '/api/articles/{documentId}'

/**
 * Simulated clients. Each story has a weight and a sequence of requests, and removes everything that it creates. A line
 * for a request contains the expected status, and may end with a JSON body. Placeholders in braces get random values,
 * which stay the same during a story, or values from earlier responses. A story ends after the first response other
 * than 2xx.
 */
const stories = `
20 list: 200 GET /api/articles?sort=publishedOn:desc
15 one: 200 GET /api/articles/{article}
6 deep: 200 GET /api/articles?${deep}&pagination[pageSize]=10
2 everything: 200 GET /api/articles?populate=*&pagination[pageSize]=50
8 filter: 200 GET /api/articles?${filter}={minutes}&sort=title
2 search: 200 GET /api/articles?_q={word}
4 locale: 200 GET /api/articles?locale={locale}&populate=tags
3 drafts: 200 GET /api/articles?status=draft&fields=title,slug
8 one: 200 GET /api/articles/{article}
  not modified: 304 GET /api/articles/{article}
6 create: 201 POST /api/articles?status=draft {"data":{${draft}}}
  update: 200 PUT ${one}?status=draft {"data":{"summary":"Changed"}}
  publish: 200 POST ${one}/actions/publish {}
  one: 200 GET ${one}?${deep}
  update: 200 PUT ${one} {"data":{"readingMinutes":4,"tags":[]}}
  delete: 204 DELETE ${one}
1 upload: 201 POST /api/upload picture
  file: 200 GET {url}
  delete a file: 200 DELETE /api/upload/files/{id}
1 login: 200 POST /api/auth/local {"identifier":"{email}","password":"{password}"}
  user: 200 GET /api/users/me
2 refused: 400 GET /api/articles?filters[titel][$eq]=x
2 refused: 404 GET /api/articles/nothing-is-there
2 refused: 400 POST /api/articles {"data":
1 refused: 400 POST /api/auth/local {"identifier":"{email}","password":"wrong"}`
  .trim()
  .split(/\n(?=\d)/)
  .flatMap((story) => {
    const requests = story.split('\n').map((line) => line.replace(/^[\d ]+/, ''))
    return Array.from({ length: Number.parseInt(story, 10) }, () => requests)
  })

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

/** Runs `concurrency` stories at a time, with `rate` requests per second in total. */
export function startLoad(services: Services, { concurrency, rate }: SoakOptions) {
  const { urls, token, user, articles } = services
  const form = new FormData()
  form.append('files', new Blob([readFileSync(picture)], { type: 'image/jpeg' }), 'soak.jpg')
  const over = new AbortController()
  setMaxListeners(concurrency, over.signal)
  let [times, kinds, errors]: [number[], Record<string, number>, string[]] = [[], {}, []]
  let sent = 0

  const run = async (requests: readonly string[]): Promise<void> => {
    const values: Record<string, unknown> = {
      ...user,
      jwt: token,
      article: any(articles).documentId,
      slug: `soak-${randomUUID()}`,
      etag: '""',
      minutes: any([2, 4, 6]),
      word: any(['river', 'light', 'stone']),
      locale: any(['fr', 'de']),
    }
    for (const template of requests) {
      const next = performance.now() + (1000 * concurrency) / rate
      const line = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
      const { kind = '', right, method = '', path = '', json } = request.exec(line)?.groups ?? {}
      const headers = {
        Authorization: `Bearer ${String(values['jwt'])}`,
        'If-None-Match': method === 'GET' ? String(values['etag']) : '',
      }
      const server = { url: urls[sent++ % urls.length] ?? '', headers }
      const body = json === 'picture' ? form : json
      try {
        const { ok, status, tag, bytes, ms } = await send(
          server,
          { method, path, body },
          AbortSignal.timeout(60_000),
        )
        const text = bytes.toString()
        if (right !== `${status}`) throw new Error(`${status} ${text.slice(0, 300)}`)
        times.push(ms)
        kinds[kind] = (kinds[kind] ?? 0) + 1
        values['etag'] = tag
        if (!ok) return
        if (method !== 'POST') continue
        const [first] = [JSON.parse(text) as unknown].flat() as [{ data?: object }]
        Object.assign(values, first, first.data)
      } catch (error) {
        errors.push(`${new Date().toISOString()} ${line}: ${String(error)}`)
        return
      } finally {
        // The wait ends early when the load is being stopped.
        await sleep(next - performance.now(), undefined, { signal: over.signal }).catch(() => {})
      }
    }
  }
  const workers = Array.from({ length: concurrency }, async () => {
    while (!over.signal.aborted) await run(any(stories))
  })
  return {
    take: () => {
      const latencies = { p50: median(times), p99: percentile(times, 0.99) }
      const taken = { requests: times.length, errors, ...latencies, kinds }
      ;[times, kinds, errors] = [[], {}, []]
      return taken
    },
    /** Resolves when the running stories have ended. */
    end: async () => {
      over.abort()
      await Promise.all(workers)
    },
  }
}
