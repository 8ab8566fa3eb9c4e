import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadPlan } from '../../engine/plan/read-plan.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { fullGrant } from '../../engine/schema/grant.js'
import type { Documents } from '../../server/content/documents.js'
import { createDocuments } from '../../server/content/create-documents.js'
import type { Services } from '../../server/services.js'
import { startBudget } from '../../workers/budget.js'
import type { Lane } from '../../workers/executor.js'
import { documentIdOf } from './data/random.js'
import { median } from './figures.js'
import { deepPopulate } from './scenarios.js'

/** One query, as it went on the main thread and in the pool. */
export type LanePoint = Readonly<{
  populate: string
  rows: number
  cost: number
  kilobytes: number
  inline: LaneTimes
  pooled: LaneTimes
}>

/** Medians in milliseconds, of two loops of the query and two of single reads at the same time. */
export type LaneTimes = Readonly<{ query: number; single: number }>

const trees = { nothing: '', flat: 'author,category,tags', deep: deepPopulate } as const
const pageSizes = [1, 5, 10, 25, 50, 100]
const loops = 2
const articleUid = 'api::article.article'

/** Measures queries of growing pages and depths in both lanes, each for `ms`. */
export async function measureLanes(
  services: Services,
  lanes: Readonly<{ inline: Lane; pooled: Lane }>,
  ms: number,
  onProgress: (what: string) => void,
): Promise<readonly LanePoint[]> {
  const type = services.registry().contentTypes.get(articleUid)
  if (type === undefined) throw new Error(`There is no ${articleUid}`)
  const points: LanePoint[] = []
  for (const [name, populate] of Object.entries(trees)) {
    for (const rows of pageSizes) {
      onProgress(`${name}, ${rows} rows`)
      const search = searchOf(populate, rows)
      const seen = { cost: 0, bytes: 0 }
      const inline = await measureLane(observed(services, lanes.inline, lanes.inline, seen))
      const pooled = await measureLane(observed(services, lanes.pooled, lanes.inline, seen))
      const { cost, bytes } = seen
      points.push({ populate: name, rows, cost, kilobytes: bytes / 1024, inline, pooled })

      async function measureLane(documents: Documents): Promise<LaneTimes> {
        return besideEachOther(documents, type as ContentType, search, ms)
      }
    }
  }
  return points.toSorted((a, b) => a.cost - b.cost)
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
  const run = async (plan: ReadPlan, signal?: AbortSignal) => {
    const budget = startBudget(plan.timeoutMs)
    if (plan.answer === 'one') return singles(plan, { budget, signal })
    const answer = await lists(plan, { budget, signal })
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
      const asked = performance.now()
      await ask()
      into.push(performance.now() - asked)
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
