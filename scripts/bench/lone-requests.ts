import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import { createApiClient } from '../../cli/seed/api-client.js'
import type { Contender } from './contenders.js'
import { sendBulk } from './data/load-content.js'
import { median } from './figures.js'
import { startLoad } from './load.js'
import type { Ground } from './ground.js'
import type { Row } from './run-rows.js'
import { callsIn, type Call } from './scenarios.js'

/** So many articles, and the service over them. */
export type Side = Readonly<{ name: string; ground: Ground; service: Contender }>

const samples = 15
const deletes = 5
/** Drafts that are modified, however many there are. */
const modified = 200

/**
 * Requests that wait for nobody else, with few articles and with many: what a reader sees of how much there is. At the
 * end documents are deleted that most refer to.
 */
export async function loneRows(sides: readonly Side[]): Promise<readonly Row[]> {
  for (const side of sides) await modifyDrafts(side)
  const rowOf = (title: string, measure: (side: Side) => Promise<number | null>): Row => ({
    name: title,
    title: `one at a time: ${title}`,
    ways: sides.map((side) => {
      return { name: side.name, measure: async () => ({ ms: await measure(side) }) }
    }),
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
const heavySort = '/api/articles?sort=summary&pagination[start]={start}'
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
  await sendBulk(createApiClient(service.server.url, loaded.token), 'articles', operations)
}

function measureReads({ ground, service }: Side, path: string): Promise<number | null> {
  const calls = Array.from({ length: samples }, (_, n) => n)
  const callOf = callsIn(ground.loaded.ids)(`/api/articles${path}`)
  return measureCalls(service, calls.map(callOf))
}

async function measureDeletes(
  { ground, service }: Side,
  type: 'article' | 'author' | 'tag',
): Promise<number | null> {
  const documentIds = ground.loaded.ids[type].slice(0, deletes)
  const calls = documentIds.map((id): Call => {
    return { method: 'DELETE', path: `/api/${type}s/${id}${type === 'article' ? '?locale=*' : ''}` }
  })
  const ms = await measureCalls(service, calls)
  await untilUnreferred(ground.client.db(service.database), documentIds)
  return ms
}

/** The median in milliseconds; null where an answer was an error. */
async function measureCalls(
  { server, headers }: Contender,
  calls: readonly Call[],
): Promise<number | null> {
  const times: number[] = []
  for (const { method, path } of calls) {
    const began = performance.now()
    const answer = await fetch(`${server.url}${path}`, { method, headers })
    await answer.arrayBuffer()
    times.push(answer.ok ? performance.now() - began : NaN)
  }
  // The first count or lookup is not measured.
  const measured = calls[0]?.method === 'DELETE' ? times : times.slice(1)
  return measured.includes(NaN) ? null : median(measured)
}

/** Waits until no article refers any more to what was deleted. */
async function untilUnreferred(db: Db, ids: readonly string[]): Promise<void> {
  const fields = ['author', 'tags', 'related'].map((name) => `${name}.documentId`)
  const filter = { $or: fields.map((field) => ({ [field]: { $in: ids } })) }
  for (const name of ['articles', 'articles.draft'])
    while ((await db.collection(name).findOne(filter, { projection: { _id: 1 } })) !== null)
      await sleep(200)
}
