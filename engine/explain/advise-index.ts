import type { Document } from 'mongodb'
import type { ExplainedPipeline } from './explain-pipelines.js'
import { isScalar } from '../schema/attribute.js'
import type { ContentType } from '../schema/content-type.js'
import type { Index } from '../schema/index-list.js'
import { fieldsBehindLocale, indexList } from '../schema/index-list.js'
import { systemAttribute } from '../schema/system-attributes.js'
import { textTypes } from '../values/scalar-type.js'

/**
 * Returns advice on the index option that would help a pipeline that scans a whole collection or sorts in memory.
 * Returns undefined if the database uses an index, or if no index would help.
 */
export function adviseIndex(
  type: ContentType,
  { stages, indexes, pipeline }: Pick<ExplainedPipeline, 'stages' | 'indexes' | 'pipeline'>,
): string | undefined {
  const matched = fieldsOf(stage(pipeline, '$match'))
  const filtered = isServed(matched, stages, indexes) ? [] : matched
  const sorted = Object.keys(stage(pipeline, '$sort')).filter(
    (field) => stages.includes('SORT') || isMade(field),
  )
  const narrowing = leadingFields(type)
  const ordering = leadingFields(type, ({ partial }) => partial === undefined)
  const fields = new Set([
    ...filtered.filter((field) => !narrowing.has(field)),
    ...sorted.filter((field) => !ordering.has(field)),
  ])
  const joins = pipeline.some((member) => '$lookup' in member)
  const advice = [...fields].map((field) =>
    isMade(field)
      ? `No index serves a sort through relations or lists: ${joins ? 'it looks up every entry' : 'every entry is sorted in memory'}.`
      : adviseField(type, field, filtered.includes(field)),
  )
  return advice.length === 0 ? undefined : advice.join(' ')
}

/**
 * Returns the first field of each existing index, after the locale. These fields need no advice: if the database does
 * not use such an index, it has chosen a better one.
 */
function leadingFields(
  type: ContentType,
  isMeant: (index: Index) => boolean = () => true,
): ReadonlySet<string | undefined> {
  const indexes = indexList(type).flatMap((collection) => collection.indexes.filter(isMeant))
  const leading = indexes.map((index) => fieldsBehindLocale(index)[0])
  return new Set(['_id', 'locale', ...leading])
}

/** Whether an index, other than one on the locale alone, reduces the number of entries that are read. */
function isServed(
  matched: readonly string[],
  stages: readonly string[],
  indexes: readonly (readonly string[])[],
): boolean {
  if (stages.includes('COLLSCAN')) return false
  const narrowing = matched.filter((field) => field !== 'locale')
  return indexes.some((fields) => fields.some((field) => narrowing.includes(field)))
}

const stage = (pipeline: readonly Document[], name: string): Document =>
  (pipeline.find((member) => name in member)?.[name] ?? {}) as Document

/** Returns the paths that a `$match` tests, including those inside logical operators. */
function fieldsOf(match: Document): readonly string[] {
  return Object.entries(match).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key]
    return Array.isArray(value) ? (value as Document[]).flatMap(fieldsOf) : []
  })
}

/** Whether a sort field is computed in the pipeline instead of being stored. */
const isMade = (field: string): boolean => field.startsWith('_sort')

function adviseField(type: ContentType, field: string, filtered: boolean): string {
  const use = filtered ? 'filter' : 'sort'
  const own = [...type.attributes.values()].find(({ storedAs }) => storedAs === field)
  if (own !== undefined && isScalar(own)) {
    const text = filtered && textTypes.has(own.type)
    return `No index serves the ${use} by "${own.name}" of ${type.uid}. To create one, set "index": true on the attribute${
      text ? ' (it helps $eq, $in and $startsWith, not $contains)' : ''
    }.`
  }
  if (systemAttribute(type, field) !== undefined) {
    return `No index serves the ${use} by "${field}" of ${type.uid}. To create one, set "options": { "indexes": [["${field}"]] }.`
  }
  return `No index serves the ${use} by "${field}" of ${type.uid}, and no option can create one.`
}
