import { setTimeout as sleep } from 'node:timers/promises'
import { createApiClient } from '../../cli/seed/api-client.js'
import { median } from '../statistics.js'
import type { Contender } from './contenders.js'
import { sendBulk } from './data/load-content.js'
import type { Ground } from './ground.js'
import { startLoad } from './load.js'
import type { Row } from './run-rows.js'
import { callsIn } from './scenarios.js'
import { send, type Call } from '../start-server.js'

/** So many articles, and the service over them. */
export type Side = Readonly<{ name: string; ground: Ground; service: Contender }>

const samples = 14
const deletes = 5
/** Drafts that are modified, however many there are. */
const modified = 200

/**
 * Requests that wait for nobody else, with few articles and with many: what a reader sees of how much there is. At the
 * end documents are deleted that most refer to.
 */
export async function loneRows(sides: readonly Side[]): Promise<readonly Row[]> {
  for (const side of sides) await modifyDrafts(side)
  const rowOf = (title: string, measure: (side: Side) => Promise<number>): Row => ({
    name: title,
    title: `one at a time: ${title}`,
    ways: sides.map((side) => ({
      name: side.name,
      measure: async () => ({ ms: await measure(side) }),
    })),
  })
  return [
    ...reads.map(([title, path]) => rowOf(title, (side) => measureReads(side, path))),
    rowOf('slug filter beside two heavy sorts', async (side) => {
      const call = callsIn(side.ground.loaded.ids)(heavySort)
      const load = startLoad(side.service, { call, connections: 2 })
      try {
        await sleep(1_000)
        return await measureReads(side, slugFilter)
      } finally {
        await load.stop().catch(() => undefined)
      }
    }),
    rowOf('delete of an article', (side) => measureDeletes(side, 'article')),
    rowOf('delete of an author', (side) => measureDeletes(side, 'author')),
    rowOf('delete of a tag', (side) => measureDeletes(side, 'tag')),
  ]
}

const slugFilter = '?filters[slug][$eq]={articleSlug}'
const heavySort = 'GET /api/articles?sort=summary&pagination[start]={start}'
const changed = 'publicationFilter=modified'
const reads: readonly (readonly [title: string, path: string])[] = [
  ['one document', '/{article}'],
  ['list, page 1, total', ''],
  ['list of drafts, total', '?status=draft'],
  [`${changed}, of ${modified}`, `?${changed}`],
  ['the same of drafts', `?status=draft&${changed}`],
  ['slug filter', slugFilter],
]

async function modifyDrafts({ ground: { loaded }, service }: Side): Promise<void> {
  const { article } = loaded.ids
  const operations = Array.from({ length: modified }, (_, n) => {
    const documentId = article[Math.floor((n * article.length) / modified)]
    return { op: 'update', status: 'draft', documentId, data: { source: `Source ${n}` } }
  })
  await sendBulk(createApiClient(service.url, loaded.token), 'articles', operations)
}

async function measureReads({ ground, service }: Side, path: string): Promise<number> {
  const callOf = callsIn(ground.loaded.ids)(`GET /api/articles${path}`)
  // The first count or lookup is not measured.
  await send(service, callOf(0))
  const calls = Array.from({ length: samples }, (_, n) => callOf(n + 1))
  return measureCalls(service, calls)
}

/** Deletes documents, and waits until no article refers to them any more. */
async function measureDeletes(
  { ground, service }: Side,
  type: 'article' | 'author' | 'tag',
): Promise<number> {
  const ids = ground.loaded.ids[type].slice(0, deletes)
  const locales = type === 'article' ? '?locale=*' : ''
  const calls = ids.map((id): Call => ({ method: 'DELETE', path: `/api/${type}s/${id}${locales}` }))
  const ms = await measureCalls(service, calls)
  const fields = ['author', 'tags', 'related'].map((name) => `${name}.documentId`)
  const filter = { $or: fields.map((field) => ({ [field]: { $in: ids } })) }
  for (const name of ['articles', 'articles.draft']) {
    const collection = ground.client.db(service.database).collection(name)
    while ((await collection.findOne(filter, { projection: { _id: 1 } })) !== null) await sleep(200)
  }
  return ms
}

/** Returns the median in milliseconds, one after the other; NaN if an answer was an error. */
async function measureCalls(service: Contender, calls: readonly Call[]): Promise<number> {
  const times: number[] = []
  for (const call of calls) {
    const { ok, ms } = await send(service, call)
    if (!ok) return NaN
    times.push(ms)
  }
  return median(times)
}
