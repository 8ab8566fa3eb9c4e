import type { Document } from 'mongodb'

/** Parameters of the command `find`. */
export type Find = Readonly<{
  filter: Document
  sort?: Readonly<Record<string, 1 | -1>>
  skip?: number
  limit?: number
  projection: Document
}>

/** A command for one collection. `find` and `count` take two thirds of the time of the equivalent aggregation. */
export type Command =
  | Readonly<{ find: Find; document?: OneDocument }>
  | Readonly<{ count: Document }>
  | Readonly<{ aggregate: Document[] }>

/**
 * The only document that a `find` selects, if it filters by documentId alone (and by locale, if the type is localized).
 */
export type OneDocument = Readonly<{ documentId: string; locale: string | undefined }>

type Question = Find &
  Readonly<{
    beforeSort?: readonly Document[]
    afterSort?: readonly Document[]
  }>

/** Compiles a `find`, or an aggregation if stages before or after the sort are needed. */
export function compileFind({ beforeSort = [], afterSort = [], ...find }: Question): Command {
  const isFind = beforeSort.length === 0 && afterSort.length === 0
  return isFind ? { find } : { aggregate: stagesOf({ ...find, beforeSort, afterSort }) }
}

/**
 * Compiles a `count`, or an aggregation that outputs `total`. Without a filter, `count` would use the collection's
 * metadata, which is not always exact (docs/internals/storage.md, "Totals").
 */
export function compileCount(filter: Document, joins: readonly Document[]): Command {
  const isCount = joins.length === 0 && Object.keys(filter).length > 0
  return isCount ? { count: filter } : { aggregate: countStages(filter, joins) }
}

/** Returns the aggregation that is equivalent to a command. */
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
