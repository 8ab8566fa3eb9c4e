import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import { documentIdOf } from './data/random.js'
import { startLoad } from './load.js'
import type { Call } from './scenarios.js'
import { get } from './scenarios.js'
import type { Contender } from './servers.js'
import { formatNumber, formatTable } from './table.js'

/** A service over so many articles. */
export type LoneGround = Readonly<{ size: number; db: Db; contender: Contender }>

/** One kind of request: what the median of those that were sent one after the other took, in ms. */
type Row = Readonly<{ title: string; calls: readonly Call[]; beside?: (n: number) => Call }>

/** One kind of request, with few articles and with many; null where it was refused. */
export type LoneGrowth = Readonly<{ title: string; few: number | null; many: number | null }>

const samples = 15
const deletes = 5
/** Drafts that are modified, however many there are. */
const modified = 200

/**
 * Requests that wait for nobody else, with few articles and with many: what a reader sees of how much there is. At the
 * end documents are deleted that most refer to.
 */
export async function runLoneRequests(
  grounds: readonly LoneGround[],
  onProgress: (text: string) => void,
): Promise<readonly LoneGrowth[]> {
  const all = new Map<string, (number | null)[]>()
  for (const ground of grounds) {
    await modifyDrafts(ground)
    for (const row of await rowsOf(ground)) {
      onProgress(`${row.title}, ${ground.size}`)
      const medians = all.get(row.title) ?? []
      all.set(row.title, medians)
      medians.push(await measureRow(ground, row))
      if (row.title.startsWith('delete')) await untilUnreferred(ground.db, row.calls)
    }
  }
  return [...all].map(([title, [few = null, many = null]]) => ({ title, few, many }))
}

export function reportLone(growths: readonly LoneGrowth[], sizes: readonly number[]): string {
  const shown = (value: number | null): string => (value === null ? 'refused' : formatNumber(value))
  const rows = growths.map(({ title, few, many }) => [
    ...[title, shown(few), shown(many)],
    few === null || many === null ? '' : formatNumber(many / few),
  ])
  return formatTable([`one at a time, ${sizes.join(' → ')} articles`, 'ms', 'ms', 'ratio'], rows)
}

async function rowsOf({ size, db }: LoneGround): Promise<readonly Row[]> {
  const numbers = Array.from({ length: samples }, (_, n) => n)
  const some = (count: number, make: (n: number) => Call): readonly Call[] =>
    numbers.slice(0, count).map(make)
  const article = (n: number): number => (n * 7919 + 13) % size
  const slug = (n: number): Call => get(`/api/articles?filters[slug][$eq]=article-${article(n)}`)
  const removeSome = async (path: string, type: string): Promise<readonly Call[]> =>
    (await firstOf(db.collection(path), type)).map((id) => ({
      method: 'DELETE',
      path: `/api/${path}/${id}`,
    }))
  return [
    {
      title: 'one document',
      calls: some(samples, (n) => get(`/api/articles/${documentIdOf('article', article(n))}`)),
    },
    { title: 'list, page 1, total', calls: some(samples, () => get('/api/articles')) },
    {
      title: 'list of drafts, total',
      calls: some(samples, () => get('/api/articles?status=draft')),
    },
    {
      title: `publicationFilter=modified, of ${modified}`,
      calls: some(samples, () => get('/api/articles?publicationFilter=modified')),
    },
    {
      title: 'the same of drafts',
      calls: some(samples, () => get('/api/articles?status=draft&publicationFilter=modified')),
    },
    { title: 'slug filter', calls: some(samples, slug) },
    {
      title: 'slug filter beside two heavy sorts',
      calls: some(samples, slug),
      beside: (n) => get(`/api/articles?sort=summary&pagination[start]=${n % 100}`),
    },
    { title: 'delete of an article', calls: await removeSome('articles', 'article') },
    { title: 'delete of an author', calls: await removeSome('authors', 'author') },
    { title: 'delete of a tag', calls: await removeSome('tags', 'tag') },
  ]
}

/** The first that an earlier run has left, which is where most is referred to. */
async function firstOf(collection: Collection, type: string): Promise<readonly string[]> {
  const ids = Array.from({ length: 100 }, (_, n) => documentIdOf(type, n))
  const left = new Set(await collection.distinct('documentId', { documentId: { $in: ids } }))
  return ids.filter((id) => left.has(id)).slice(0, deletes)
}

/** Past the service, as all that is measured is stored: each is later than what is published, and marked. */
async function modifyDrafts({ db, size }: LoneGround): Promise<void> {
  const documentIds = Array.from({ length: modified }, (_, n) =>
    documentIdOf('article', Math.floor((n * size) / modified)),
  )
  const update = { $set: { updatedAt: new Date(), _modified: true } }
  await db.collection('articles.draft').updateMany({ documentId: { $in: documentIds } }, update)
}

/** The median; null where an answer was not one of those that are right. */
async function measureRow(
  { contender: { server, headers } }: LoneGround,
  { calls, beside }: Row,
): Promise<number | null> {
  const send = async ({ method, path }: Call): Promise<number | null> => {
    const began = performance.now()
    const answer = await fetch(`${server.url}${path}`, { method, headers })
    await answer.arrayBuffer()
    return answer.ok ? performance.now() - began : null
  }
  const loads =
    beside === undefined
      ? []
      : [0, 1].map((place) =>
          startLoad({
            ...{ url: server.url, connections: 1, headers, call: beside },
            // Where they take longer than a request may, they are as heavy.
            ...{ from: place * 50, accepts: [200, 503] },
          }),
        )
  if (loads.length > 0) await sleep(1_000)
  try {
    const [first, ...others] = calls
    // What is counted or looked up for the first time is not what is measured.
    const times = first === undefined ? [] : [await send(first)]
    if (first?.method !== 'DELETE') times.length = 0
    for (const call of others) times.push(await send(call))
    const known = times.filter((time) => time !== null).sort((a, b) => a - b)
    return known.length < times.length ? null : (known[Math.floor(known.length / 2)] ?? null)
  } finally {
    for (const load of loads) await load.stop().catch(() => undefined)
  }
}

/** Waits until what was deleted is in no list of references any more. */
async function untilUnreferred(db: Db, calls: readonly Call[]): Promise<void> {
  const ids = calls.map(({ path }) => path.split('/').at(-1) ?? '')
  const fields = ['author', 'tags', 'related'].map((name) => `${name}.documentId`)
  const filter = { $or: fields.map((field) => ({ [field]: { $in: ids } })) }
  for (const name of ['articles', 'articles.draft'])
    while ((await db.collection(name).findOne(filter, { projection: { _id: 1 } })) !== null)
      await sleep(200)
}
