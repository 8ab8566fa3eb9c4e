import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onProgress } from '../../cli/progress.js'
import { plainQuire, startQuire, type Contender } from './contenders.js'
import { schemaDir } from './data/content.js'
import { openBenchSetup, type BenchSetup } from './bench-setup.js'
import { startLoad } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows } from './run-rows.js'
import { callsIn, writes } from './scenarios.js'
import { send, type Call } from '../start-server.js'

/** The compared ways: without indexes, with those that Quire creates, and with those that a person would choose. */
const [none, automatic, byHand] = ['no index', 'automatic', 'by hand'] as const

/**
 * `requests` is the number of requests for each query. Learning ends when Quire has created no more indexes for
 * `settledMs`.
 */
const usualLearning = { requests: 500, settledMs: 30_000 }
/** Time limit for all requests of one query, and then for the creation of all indexes. */
const withinMs = 300_000

type Query = Readonly<{ title: string; call: (n: number) => Call }>

/**
 * `npm run bench -- indexes`: compares ten queries on articles, and writes, on three copies of the database: without
 * indexes, with those that Quire creates, and with those that a person would choose.
 */
export async function runIndexes(run: Run, learning = usualLearning): Promise<void> {
  const setup = await openBenchSetup(run)
  const learner = await startWay(automatic, setup)
  const services = [learner, await startWay(none, setup), await startWay(byHand, setup)]
  const callsOf = callsIn(setup.loaded.ids)
  const measured = queries.map(([title, query]) => {
    return { title, call: callsOf(`GET /api/articles?${query}&pagination[page]={firstPages}`) }
  })
  const made = await learn(learner, setup, measured, learning)
  const changes = writes.map(({ name, title }) => ({ title, call: learner.callOf(name) }))
  const rows = [...measured, ...changes].map(({ title, call }) => ({
    name: title,
    title,
    ways: services.map((service) => wayOf(service.name, service, setup, { call })),
  }))
  const results = await runRows(rows, run.options.rounds)
  const pairs = [byHand, none].map((way) => [automatic, way] as const)
  await report(results, pairs, run)
  const all = made.map((fields) => `  ${fields}`).join('\n')
  run.print(`Made after ${learning.requests} requests of each query:\n${all}`)
}

async function startWay(way: string, setup: BenchSetup): Promise<Contender> {
  const environment = {
    SCHEMA_DIR: await schemaOf(way, setup.folder),
    // Turn the response cache off, because the comparison is about how the database finds entries.
    ...plainQuire.environment,
    // Some queries without an index take long on a busy machine.
    API_REST_QUERY_TIMEOUT_MS: '120000',
    INDEXES_AUTO: way === automatic ? 'on' : 'off',
  }
  return startQuire({ name: way, environment }, setup)
}

/** Creates a folder with the benchmark's definitions, and the indexes for one of the three ways. */
async function schemaOf(way: string, folder: string): Promise<string> {
  const own = join(folder, `schema ${way}`)
  await cp(schemaDir, own, { recursive: true })
  const file = join(own, 'content-types', 'article.json')
  const article = JSON.parse(await readFile(file, 'utf8')) as {
    options: Record<string, unknown>
    attributes: Record<string, Record<string, unknown>>
  }
  for (const attribute of Object.values(article.attributes)) delete attribute['index']
  article.options['indexes'] = way === byHand ? handMade : []
  await writeFile(file, JSON.stringify(article))
  return own
}

/** Sends requests until no more indexes are created. Returns the fields of the created indexes. */
async function learn(
  service: Contender,
  { client }: BenchSetup,
  queries: readonly Query[],
  { requests, settledMs }: typeof usualLearning,
): Promise<readonly string[]> {
  for (const { title, call } of queries) {
    onProgress(`${requests} requests: ${title}`)
    const load = startLoad(service, { call })
    await load.waitFor(requests, withinMs)
    const answered = load.answered()
    await load.stop()
    if (answered < requests)
      throw new Error(`${title}: only ${answered} of ${requests} requests were answered`)
  }
  onProgress('waiting for indexes')
  const records = client
    .db(service.database)
    .collection<{ _id: string; fields: readonly string[] }>('_indexes')
  let made: readonly string[] = []
  const until = performance.now() + withinMs
  for (let since = performance.now(); performance.now() - since < settledMs; await sleep(1000)) {
    const found = await records.find({ state: 'made' }).toArray()
    const now = found.map(({ fields }) => fields.join(', ')).toSorted()
    if (now.join() !== made.join()) since = performance.now()
    if (performance.now() > until) break
    made = now
    // Quire only evaluates indexes while requests come in.
    if (queries[0] !== undefined) await send(service, queries[0].call(0))
  }
  return made
}

/** Indexes chosen by a person who knows the ten queries. */
const handMade: readonly (readonly string[])[] = [
  ['kind', 'publishedOn'],
  ['kind', 'featured', 'rating'],
  ['featured', 'publishedOn'],
  ['contact', 'eventAt'],
  ['likes'],
  ['views'],
  ['source'],
  ['readingMinutes'],
]

const kind = 'filters[kind][$eq]={kind}'
const featured = 'filters[featured][$eq]=true'
const minutes = 'filters[readingMinutes][$between]'

/**
 * Queries that, without an index, need a collection scan or an in-memory sort. All except the fourth also count the
 * matching entries.
 */
const queries: readonly (readonly [title: string, query: string])[] = [
  ['equal, range, sorted by it', `${kind}&filters[publishedOn][$gte]={from}&sort=publishedOn:desc`],
  ['equal', kind],
  ['rarely true, sorted', `${featured}&sort=publishedOn:desc`],
  ['sorted, no total', 'sort=likes:desc&pagination[withCount]=false'],
  ['range, sorted by it', 'filters[views][$gte]={views}&sort=views'],
  ['two equal, sorted', `${kind}&${featured}&sort=rating:desc`],
  ['equal to a text of its own', 'filters[source][$eq]={source}'],
  ['of an author, sorted', 'filters[author][documentId][$eq]={authorId}&sort=publishedOn:desc'],
  ['range', `${minutes}[0]={minutes}&${minutes}[1]={moreMinutes}`],
  ['equal, sorted by a time', 'filters[contact][$eq]={contact}&sort=eventAt:desc'],
]
