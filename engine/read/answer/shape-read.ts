import type { ReadPlan } from '../plan/read-plan.js'
import type { ReadResult } from '../compile/read-result.js'
import { JsonWriter } from './json-writer.js'
import type { PopulatedCount, Shaping } from './shape-entry.js'
import type { OnMissingTarget } from './join-targets.js'
import { writeGroup } from './write-group.js'
import { joinBatches, joinCounts, writeEntry, writeList } from './shape-entry.js'

// All responses of a thread share one buffer, because each is serialized synchronously.
const writer = new JsonWriter()

export type AnswerBounds = Readonly<{
  tooMany: (relation: string) => Error
  /** Maximum size of the response. If it is larger, the error of `tooLarge` is thrown. */
  maxBytes: number
  tooLarge: () => Error
  awaited?: OnMissingTarget | undefined
}>

/**
 * Serializes a response. Returns null if the read is for one document that does not exist. Throws an error of `bounds`
 * if the response is too large.
 */
export function shapeRead(
  plan: ReadPlan,
  result: ReadResult,
  bounds: AnswerBounds,
): Uint8Array | null {
  const [first] = result.documents
  if (plan.answer === 'one' && first === undefined) return null
  const content = plan.envelope === 'content'
  const [joins, counts] = [joinBatches(result, bounds.awaited), joinCounts(result)]
  const populated = countUpTo(plan.maxPopulatedEntries, bounds.tooMany)
  const shaping: Shaping = {
    writer,
    plan,
    result,
    fragments: new Map(),
    joins,
    counts,
    morphs: new Map(),
    populated,
    awaited: bounds.awaited,
  }
  writer.begin(bounds.maxBytes, bounds.tooLarge)
  try {
    if (content) writer.ascii('{"data":')
    const { groups } = plan
    if (groups !== undefined)
      writeList(result.groups ?? [], writer, (group) => writeGroup(writer, groups, group))
    else if (plan.answer === 'one' && first !== undefined) writeEntry(plan.node, first, shaping)
    else writeList(result.documents, writer, (document) => writeEntry(plan.node, document, shaping))
    if (content) writer.ascii(`,"meta":${shapeMeta(plan, result.total)}}`)
    return writer.take()
  } finally {
    writer.clear()
  }
}

function countUpTo(limit: number, tooMany: (relation: string) => Error): PopulatedCount {
  const count: PopulatedCount = {
    entries: 0,
    add: (entries, relation) => {
      count.entries += entries
      if (count.entries > limit) throw tooMany(relation)
    },
  }
  return count
}

/**
 * Serializes `meta`, with the pagination by page or by offset, as requested (docs/internals/strapi-behaviour.md,
 * "Pagination").
 */
function shapeMeta({ pagination, skip, limit }: ReadPlan, total: number | null): string {
  if (pagination === null) return '{}'
  if (pagination.by === 'offset') {
    return JSON.stringify({
      pagination: { start: skip, limit, ...(total === null ? {} : { total }) },
    })
  }
  const counted = total === null ? {} : { pageCount: Math.ceil(total / limit), total }
  return JSON.stringify({
    pagination: { page: Math.floor(skip / limit) + 1, pageSize: limit, ...counted },
  })
}
