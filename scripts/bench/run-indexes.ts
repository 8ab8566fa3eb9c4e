import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import { startServer } from './child/start-server.js'
import type { Closers } from './closers.js'
import { removeCreated } from './data/load-data.js'
import type { Figures } from './figures.js'
import { mediansOf, ratioOf } from './figures.js'
import type { IndexShape } from './index-shapes.js'
import { handMade, indexShapes } from './index-shapes.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import { inPackage } from './package-root.js'
import { connections, rotated } from './run-rounds.js'
import { makeScenarios } from './scenarios.js'
import type { Contender } from './servers.js'
import { authorization, serverOptions } from './servers.js'
import type { Stage } from './stage.js'
import { openStage } from './stage.js'
import { formatNumber, formatTable } from './table.js'

/** Who thought of indexes: nobody, Quire, a person. */
const ways = ['none', 'automatic', 'by hand'] as const
type Way = (typeof ways)[number]

/** A query or a write: answers a second with each way, and what they are of those of another one. */
export type IndexFigures = Readonly<{
  title: string
  perSecond: Readonly<Record<Way, number>>
  /** Of a query, of that with indexes made by hand; of a write, of that without indexes. */
  ratio: number | null
  /** The same of the CPU of a request, of service and engine, which tells more on a busy machine. */
  cpuRatio: number | null
}>

type Ground = Readonly<{ stage: Stage; contender: Contender }>

/** From how many requests of each query Quire learns, and for how long no index must have been made afterwards. */
type Learning = Readonly<{ requests: number; settledMs: number }>

const usualLearning: Learning = { requests: 500, settledMs: 30_000 }
const settlesWithinMs = 300_000

/**
 * `npm run bench -- indexes`: ten queries on articles whose definition names no index, those that Quire makes after
 * five hundred requests of each, and those that a person would name; and what writes lose. Each way has a database
 * of its own.
 */
export async function runIndexes(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Readonly<Record<'print' | 'onProgress', (text: string) => void>>,
  learning = usualLearning,
): Promise<readonly IndexFigures[]> {
  const grounds = new Map<Way, Ground>()
  for (const way of ways) {
    onProgress(`loading ${options.size} articles, ${way}`)
    grounds.set(way, await openGround(way, options, closers))
  }
  const shapes = indexShapes(options.size)
  const automatic = grounds.get('automatic') as Ground
  const made = await learn(automatic, shapes, { ...learning, onProgress })
  const writes = makeScenarios(options.size)
    .filter(({ name }) => name === 'create' || name === 'update')
    .map(({ title, quire }) => ({ title, call: quire }))
  const rounds = await measureRounds(grounds, [...shapes, ...writes], options, onProgress)
  const figures = [
    ...shapes.map(({ title }) => figuresOf(title, rounds.get(title), 'by hand')),
    ...writes.map(({ title }) => figuresOf(title, rounds.get(title), 'none')),
  ]
  print(report(figures, made, learning.requests))
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ made, figures }, null, 2)}\n`)
  return figures
}

async function openGround(way: Way, options: BenchOptions, closers: Closers): Promise<Ground> {
  const stage = await openStage(options, closers)
  const schemaDir = await schemaOf(way, stage.folder)
  const ground = {
    ...stage,
    environment: {
      ...stage.environment,
      SCHEMA_DIR: schemaDir,
      // What is compared is how lists are found.
      CACHE_ANSWERS: '0',
      // Without an index, on a busy machine, some wait for long.
      API_REST_QUERY_TIMEOUT_MS: '120000',
      INDEXES_AUTO: way === 'automatic' ? 'on' : 'off',
    },
  }
  const server = await startServer({ ...serverOptions('Quire', ground), name: `Quire ${way}` })
  closers.add(() => server.stop())
  const headers = authorization(stage.token)
  return { stage, contender: { server, headers, callOf: ({ quire }) => quire } }
}

/** The benchmark's definitions, with the indexes of articles that this way names. */
async function schemaOf(way: Way, folder: string): Promise<string> {
  const schemaDir = join(folder, 'schema')
  await cp(inPackage('scripts/bench/schema'), schemaDir, { recursive: true })
  const file = join(schemaDir, 'content-types', 'article.json')
  const article = JSON.parse(await readFile(file, 'utf8')) as {
    options: Record<string, unknown>
    attributes: Record<string, Record<string, unknown>>
  }
  for (const attribute of Object.values(article.attributes)) delete attribute['index']
  article.options['indexes'] = way === 'by hand' ? handMade : []
  await writeFile(file, JSON.stringify(article))
  return schemaDir
}

/** Asks each query often enough, and waits until no index is made any more. Returns the fields of those that were. */
async function learn(
  { stage: { db }, contender: { server, headers } }: Ground,
  shapes: readonly IndexShape[],
  { requests, settledMs, onProgress }: Learning & Readonly<{ onProgress: (text: string) => void }>,
): Promise<readonly string[]> {
  for (const { title, call } of shapes) {
    onProgress(`${requests} requests: ${title}`)
    const load = startLoad({ url: server.url, connections, headers, call, from: 0 })
    while (load.answered() < requests) await sleep(20)
    await load.stop()
  }
  onProgress('waiting for indexes')
  let made = await madeIn(db)
  const until = performance.now() + settlesWithinMs
  for (let since = performance.now(); performance.now() - since < settledMs; await sleep(1000)) {
    const now = await madeIn(db)
    if (now.join() !== made.join()) since = performance.now()
    if (performance.now() > until) break
    made = now
    // What nobody asks any more is not weighed.
    const [first] = shapes
    await fetch(server.url + (first?.call(0).path ?? ''), { headers }).then((it) => it.text())
  }
  return made
}

async function madeIn(db: Db): Promise<readonly string[]> {
  const records = await db
    .collection<{ _id: string; fields: readonly string[] }>('_indexes')
    .find({ state: 'made' })
    .toArray()
  return records.map(({ fields }) => fields.join(', ')).toSorted()
}

type Rounds = Map<string, Map<Way, Figures[]>>

async function measureRounds(
  grounds: ReadonlyMap<Way, Ground>,
  measured: readonly IndexShape[],
  { rounds: count, seconds, size }: BenchOptions,
  onProgress: (text: string) => void,
): Promise<Rounds> {
  const rounds: Rounds = new Map()
  for (let round = 0; round < count; round += 1)
    for (const { title, call } of measured)
      for (const [way, { stage, contender }] of rotated([...grounds], round)) {
        onProgress(`round ${round + 1}, ${title}, ${way}`)
        const { server, headers } = contender
        const { figures } = await measure({ server, enginePid: stage.enginePid, seconds }, () => [
          startLoad({
            ...{ url: server.url, connections, headers, call },
            from: (round + 1) * 1_000_003,
          }),
        ])
        const own = rounds.get(title) ?? new Map<Way, Figures[]>()
        rounds.set(title, own.set(way, [...(own.get(way) ?? []), figures]))
        await removeCreated(stage.db, size)
      }
  return rounds
}

function figuresOf(
  title: string,
  rounds: ReadonlyMap<Way, readonly Figures[]> = new Map(),
  beside: Way,
): IndexFigures {
  const of = (way: Way): readonly Figures[] => rounds.get(way) ?? []
  const perSecond = (way: Way): number => mediansOf(of(way)).requestsPerSecond
  return {
    title,
    perSecond: {
      none: perSecond('none'),
      automatic: perSecond('automatic'),
      'by hand': perSecond('by hand'),
    },
    ratio: ratioOf('requestsPerSecond', of('automatic'), of(beside)),
    cpuRatio: ratioOf('cpu', of('automatic'), of(beside)),
  }
}

function report(
  figures: readonly IndexFigures[],
  made: readonly string[],
  requests: number,
): string {
  const rows = figures.map(({ title, perSecond, ratio, cpuRatio }) => [
    title,
    ...ways.map((way) => formatNumber(perSecond[way])),
    formatNumber(ratio),
    formatNumber(cpuRatio),
  ])
  const head = ['requests a second', 'no index', 'automatic', 'by hand', 'ratio', 'of CPU']
  const all = made.map((fields) => `  ${fields}`).join('\n')
  return (
    `${formatTable(head, rows)}\n` +
    'The ratios are those of automatic indexes, of queries to those made by hand, of writes to none.\n' +
    `Made after ${requests} requests of each query:\n${all}`
  )
}
