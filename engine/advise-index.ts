import type { Document } from 'mongodb'
import type { ExplainedPipeline } from './execute/explain-pipelines.js'
import { isScalar, textTypes } from './schema/attribute.js'
import type { ContentType } from './schema/content-type.js'
import { systemAttribute } from './schema/system-attributes.js'

/**
 * Which index is missing where a pipeline reads a whole collection or sorts in memory, and the option
 * of the definition that makes it; null where the engine uses an index, or none would help.
 */
export function adviseIndex(
  type: ContentType,
  { stages, pipeline }: Pick<ExplainedPipeline, 'stages' | 'pipeline'>,
): string | null {
  const filtered = stages.includes('COLLSCAN') ? fieldsOf(stage(pipeline, '$match')) : []
  const sorted = stages.includes('SORT') ? Object.keys(stage(pipeline, '$sort')) : []
  const fields = [...new Set([...filtered, ...sorted])].filter((field) => !passed.has(field))
  const advice = fields.map((field) => adviseField(type, field, filtered.includes(field)))
  return advice.length === 0 ? null : advice.join(' ')
}

/** Fields that indexes of every collection begin with. */
const passed = new Set(['_id', 'documentId', 'locale'])

const stage = (pipeline: readonly Document[], name: string): Document =>
  (pipeline.find((member) => name in member)?.[name] ?? {}) as Document

/** The stored paths that a `$match` tests, below its logic. */
function fieldsOf(match: Document): readonly string[] {
  return Object.entries(match).flatMap(([key, value]) =>
    key.startsWith('$')
      ? Array.isArray(value)
        ? (value as Document[]).flatMap(fieldsOf)
        : []
      : [key],
  )
}

function adviseField(type: ContentType, field: string, filtered: boolean): string {
  const use = filtered ? 'filter' : 'sort'
  const own = [...type.attributes.values()].find(({ storedAs }) => storedAs === field)
  if (own !== undefined && isScalar(own)) {
    const text = filtered && textTypes.has(own.type)
    return `No index serves the ${use} by "${own.name}" of ${type.uid}: "index": true on the attribute makes one${
      text ? ' (it helps $eq, $in and $startsWith, not $contains)' : ''
    }.`
  }
  if (systemAttribute(type, field) !== undefined) {
    return `No index serves the ${use} by "${field}" of ${type.uid}: "options": { "indexes": [["${field}"]] } makes one.`
  }
  return `No index serves the ${use} by "${field}" of ${type.uid}, and no option makes one there.`
}
