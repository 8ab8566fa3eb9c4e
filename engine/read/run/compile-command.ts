import type { Document } from 'mongodb'

/** Parameters of the command `find`. */
export type Find = Readonly<{
  filter: Document
  sort?: Readonly<Record<string, 1 | -1>>
  skip?: number
  limit?: number
  projection: Document
}>

/**
 * The command that answers a question to one collection. The engine takes two thirds of the time for a `find` or
 * a `count` that an aggregation of the same takes.
 */
export type Command =
  | Readonly<{ find: Find; document?: OneDocument }>
  | Readonly<{ count: Document }>
  | Readonly<{ aggregate: Document[] }>

/** The document that a `find` reads by its documentId, of one locale where its type has several, and by nothing else. */
export type OneDocument = Readonly<{ documentId: string; locale: string | undefined }>

type Question = Find &
  Readonly<{
    /** Stages between the filter and the sort. */
    beforeSort?: readonly Document[]
    /** Stages between the sort and the cut. */
    afterSort?: readonly Document[]
  }>

/** A `find`, or an aggregation where it takes more stages than a `find` has. */
export function compileFind({ beforeSort = [], afterSort = [], ...find }: Question): Command {
  const isFind = beforeSort.length === 0 && afterSort.length === 0
  return isFind ? { find } : { aggregate: stagesOf({ ...find, beforeSort, afterSort }) }
}

/**
 * A `count`, or an aggregation that ends with a `$count` of `total`. `count` answers an empty filter from the
 * collection's metadata, which is not exact everywhere (docs/storage.md, "Totals").
 */
export function compileCount(filter: Document, joins: readonly Document[]): Command {
  const isCount = joins.length === 0 && Object.keys(filter).length > 0
  return isCount ? { count: filter } : { aggregate: countStages(filter, joins) }
}

/** The aggregation that answers the same. */
export function pipelineOf(command: Command): Document[] {
  if ('find' in command) return stagesOf(command.find)
  return 'count' in command ? countStages(command.count) : command.aggregate
}

function stagesOf(question: Question): Document[] {
  const { filter, beforeSort = [], sort, afterSort = [], skip, limit, projection } = question
  return [
    { $match: filter },
    ...beforeSort,
    ...(sort === undefined ? [] : [{ $sort: sort }]),
    ...afterSort,
    ...(skip === undefined ? [] : [{ $skip: skip }]),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    { $project: projection },
  ]
}

const countStages = (filter: Document, joins: readonly Document[] = []): Document[] => [
  { $match: filter },
  ...joins,
  { $count: 'total' },
]
