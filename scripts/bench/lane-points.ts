import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadPlan } from '../../engine/read/plan/read-plan.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { fullGrant } from '../../engine/schema/grant.js'
import type { Documents } from '../../server/content/documents.js'
import { createDocuments } from '../../server/content/create-documents.js'
import type { Services } from '../../server/lifecycle/services.js'
import { startBudget } from '../../workers/budget.js'
import type { Lane } from '../../workers/lane.js'
import { documentIdOf } from './data/random.js'
import { median } from './figures.js'
import { deepPopulate } from './scenarios.js'

/** One query, as it went on the main thread and in the pool. */
export type LanePoint = Readonly<{
  populate: string
  rows: number
  cost: number
  kilobytes: number
  /** CPU time of the main thread for one query, in milliseconds. */
  mainMs: number
  /** Medians in milliseconds: of the query alone, in turns in both lanes. */
  alone: Readonly<{ inline: number; pooled: number }>
  /** Of two loops of the query and two of single reads at the same time. */
  inline: LaneTimes
  pooled: LaneTimes
}>

export type LaneTimes = Readonly<{ query: number; single: number }>

export type LanesOptions = Readonly<{
  /** Length of one measurement, and how often each is made. */
  ms: number
  rounds: number
  onProgress: (what: string) => void
}>

const trees = { nothing: '', flat: 'author,category,tags', deep: deepPopulate } as const
const pageSizes = [1, 5, 10, 25, 50, 100]
const loops = 2
const articleUid = 'api::article.article'

/** Measures queries of growing pages and depths in both lanes. */
export async function measureLanes(
  services: Services,
  lanes: Readonly<{ inline: Lane; pooled: Lane }>,
  { ms, rounds, onProgress }: LanesOptions,
): Promise<readonly LanePoint[]> {
  const type = services.registry().contentTypes.get(articleUid)
  if (type === undefined) throw new Error(`There is no ${articleUid}`)
  const points = new Map<string, LanePoint[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, populate] of Object.entries(trees)) {
      for (const rows of pageSizes) {
        onProgress(`round ${round + 1}, ${name}, ${rows} rows`)
        const point = await measurePoint(searchOf(populate, rows))
        const key = `${name} ${rows}`
        points.set(key, [...(points.get(key) ?? []), { populate: name, rows, ...point }])
      }
    }
  }
  return [...points.values()].map(middle).toSorted((a, b) => a.cost - b.cost)

  async function measurePoint(search: string): Promise<Omit<LanePoint, 'populate' | 'rows'>> {
    const seen = { cost: 0, bytes: 0 }
    const inline = observed(services, lanes.inline, lanes.inline, seen)
    const pooled = observed(services, lanes.pooled, lanes.inline, seen)
    const alone = await inTurns(inline, pooled, type as ContentType, search, ms)
    const beside = {
      inline: await besideEachOther(inline, type as ContentType, search, ms),
      pooled: await besideEachOther(pooled, type as ContentType, search, ms),
    }
    return { cost: seen.cost, kilobytes: seen.bytes / 1024, ...alone, ...beside }
  }
}

/** The medians of the rounds. */
function middle(rounds: readonly LanePoint[]): LanePoint {
  const of = (figure: (point: LanePoint) => number): number => median(rounds.map(figure))
  const [first] = rounds
  if (first === undefined) throw new Error('There was no round')
  return {
    ...first,
    mainMs: of(({ mainMs }) => mainMs),
    alone: { inline: of(({ alone }) => alone.inline), pooled: of(({ alone }) => alone.pooled) },
    inline: { query: of(({ inline }) => inline.query), single: of(({ inline }) => inline.single) },
    pooled: { query: of(({ pooled }) => pooled.query), single: of(({ pooled }) => pooled.single) },
  }
}

/** The query in one lane and then in the other, again and again, so that both see the same machine. */
async function inTurns(
  inline: Documents,
  pooled: Documents,
  type: ContentType,
  search: string,
  ms: number,
): Promise<Pick<LanePoint, 'mainMs' | 'alone'>> {
  const read = { search, grant: fullGrant, envelope: 'content' } as const
  await Promise.all([inline.find(type, read), pooled.find(type, read)])
  const times = { inline: [] as number[], pooled: [] as number[] }
  let cpu = 0
  const until = performance.now() + ms
  while (performance.now() < until || times.inline.length < 5) {
    const cpuBefore = process.cpuUsage()
    times.inline.push(await millisecondsOf(() => inline.find(type, read)))
    const { user, system } = process.cpuUsage(cpuBefore)
    cpu += (user + system) / 1000
    times.pooled.push(await millisecondsOf(() => pooled.find(type, read)))
  }
  return {
    mainMs: cpu / times.inline.length,
    alone: { inline: median(times.inline), pooled: median(times.pooled) },
  }
}

async function millisecondsOf(ask: () => Promise<unknown>): Promise<number> {
  const asked = performance.now()
  await ask()
  return performance.now() - asked
}

function searchOf(populate: string, rows: number): string {
  const page = `pagination[pageSize]=${rows}&pagination[withCount]=false`
  return populate === '' ? page : `populate=${populate}&${page}`
}

/** Documents whose lists go through one lane, and single reads through the main thread. */
function observed(
  services: Services,
  lists: Lane,
  singles: Lane,
  seen: { cost: number; bytes: number },
): Documents {
  const run = async (plan: ReadPlan) => {
    const budget = startBudget(plan.timeoutMs)
    const options = { budget, asked: { cost: plan.cost, ...budget } }
    if (plan.answer === 'one') return singles(plan, options)
    const answer = await lists(plan, options)
    seen.cost = plan.cost
    seen.bytes = answer?.bytes.byteLength ?? 0
    return answer
  }
  const executor = { run, changed: () => undefined }
  return createDocuments({ ...services, executor, exactMetadata: false })
}

async function besideEachOther(
  documents: Documents,
  type: ContentType,
  search: string,
  ms: number,
): Promise<LaneTimes> {
  const read = { search, grant: fullGrant, envelope: 'content' } as const
  const documentId = documentIdOf('article', 1)
  const times = { query: [] as number[], single: [] as number[] }
  const query = () => documents.find(type, read)
  const single = () => documents.findOne(type, { documentId }, { ...read, search: '' })
  // The first of each starts threads and connections.
  await Promise.all([query(), single()])
  const until = performance.now() + ms
  const loop = async (ask: () => Promise<unknown>, into: number[]): Promise<void> => {
    while (performance.now() < until) {
      into.push(await millisecondsOf(ask))
      // Requests come from sockets, and never one within the turn of the one before.
      await sleep(0)
    }
  }
  await Promise.all(
    Array.from({ length: loops }, () => [
      loop(query, times.query),
      loop(single, times.single),
    ]).flat(),
  )
  return { query: median(times.query), single: median(times.single) }
}
