import { setTimeout as sleep } from 'node:timers/promises'
import { createApiClient } from '../../cli/seed/api-client.js'
import { median } from '../statistics.js'
import type { Contender } from './contenders.js'
import { sendBulk } from './data/load-content.js'
import type { BenchSetup } from './bench-setup.js'
import { startLoad } from './load.js'
import type { Row } from './run-rows.js'
import { callsIn } from './scenarios.js'
import { send, type Call } from '../start-server.js'

/** A service and a floor on copies of the same database. Sides differ in the size of the database. */
export type Side = Readonly<
  Record<'service' | 'floor', Contender> & { name: string; setup: BenchSetup }
>

type Measure = (side: Side) => Promise<number>

const samples = 14
const deletes = 5
/** Number of modified drafts, the same for all database sizes. */
const modified = 200

/** Measures single requests on a small and a large database, and finally deletes the documents with most references. */
export async function loneRows(sides: readonly Side[]): Promise<readonly Row[]> {
  for (const side of sides) await modifyDrafts(side)
  return Object.entries(lone).map(([title, measure]) => ({
    name: title,
    title: `one at a time: ${title}`,
    ways: sides.map((side) => ({
      name: side.name,
      measure: async () => ({ ms: await measure(side) }),
    })),
  }))
}

const heavySort = 'GET /api/articles?sort=summary&pagination[start]={start}'
const changed = 'publicationFilter=modified'
const filterSlug = reading('?filters[slug][$eq]={articleSlug}')

const lone: Readonly<Record<string, Measure>> = {
  'one document': reading('/{article}'),
  'list, page 1, total': reading(''),
  'list of drafts, total': reading('?status=draft'),
  [`${changed}, of ${modified}`]: reading(`?${changed}`),
  'the same of drafts': reading(`?status=draft&${changed}`),
  'slug filter': filterSlug,
  'slug filter beside two heavy sorts': async (side) => {
    const call = callsIn(side.setup.loaded.ids)(heavySort)
    const load = startLoad(side.service, { call, connections: 2 })
    try {
      await sleep(1_000)
      return await filterSlug(side)
    } finally {
      await load.stop().catch(() => undefined)
    }
  },
  'delete of an article': deleting('article'),
  'delete of an author': deleting('author'),
  'delete of a tag': deleting('tag'),
}

async function modifyDrafts({ setup: { loaded }, service }: Side): Promise<void> {
  const { article } = loaded.ids
  const operations = Array.from({ length: modified }, (_, n) => {
    const documentId = article[Math.floor((n * article.length) / modified)]
    return { op: 'update', status: 'draft', documentId, data: { source: `Source ${n}` } }
  })
  await sendBulk(createApiClient(service.url, loaded.token), 'articles', operations)
}

function reading(path: string): Measure {
  return ({ setup, service }) => {
    const callOf = callsIn(setup.loaded.ids)(`GET /api/articles${path}`)
    // The first request is not measured: it takes longer, because it counts or looks up data.
    const calls = Array.from({ length: samples + 1 }, (_, n) => callOf(n))
    return measureCalls(service, calls, 1)
  }
}

/** Measures the median time of a DELETE in ms. Then waits until no article refers to the deleted documents. */
function deleting(type: 'article' | 'author' | 'tag'): Measure {
  return async ({ setup, service }) => {
    const ids = setup.loaded.ids[type].slice(0, deletes)
    const locales = type === 'article' ? '?locale=*' : ''
    const calls = ids.map((id) => ({ method: 'DELETE', path: `/api/${type}s/${id}${locales}` }))
    const ms = await measureCalls(service, calls)
    const fields = ['author', 'tags', 'related'].map((name) => `${name}.documentId`)
    const filter = { $or: fields.map((field) => ({ [field]: { $in: ids } })) }
    for (const name of ['articles', 'articles.draft']) {
      const collection = setup.client.db(service.database).collection(name)
      while ((await collection.findOne(filter)) !== null) await sleep(200)
    }
    return ms
  }
}

/**
 * Sends requests one after the other. Returns the median time in ms, or NaN after an error. The first `unmeasured`
 * requests do not count.
 */
async function measureCalls(service: Contender, calls: readonly Call[], unmeasured = 0) {
  const times: number[] = []
  for (const call of calls) {
    const { ok, ms } = await send(service, call)
    if (!ok) return NaN
    times.push(ms)
  }
  return median(times.slice(unmeasured))
}
