import type { DefaultPopulate } from './read/default-populate.js'
import type { ParseLimits } from './read/parse/parse-limits.js'
import { parseQuery } from './read/parse/parse-query.js'
import type { Executor, ReadAnswer, ReadClient, ReadOptions } from './read/execute/executor.js'
import type { ReadPlan } from './read/plan/read-plan.js'
import type { CollectionFacts, FactsOf } from './read/cost/collection-facts.js'
import type { ReadTarget } from './read/plan/plan-read.js'
import { planQuery } from './read/plan/plan-query.js'
import { planRead } from './read/plan/plan-read.js'
import type { QueryCache } from './read/plan/known-queries.js'
import type { QueryRules } from './read/resolve/scope.js'
import { resolveQuery } from './read/resolve/resolve-query.js'
import type { ContentType, Status } from './schema/content-type.js'
import type { Timeline } from './timeline.js'
import { inStageNow } from './timeline.js'
import type { Grant } from './schema/grant.js'
import type { Registry } from './schema/registry.js'

export type { CollectionFacts, FactsOf }
export type { Executor, ReadAnswer, ReadClient, ReadPlan, ReadTarget }

/** Everything a read needs in addition to its query. */
export type ReadContext = Readonly<{
  registry: Registry
  grant: Grant
  limits: ParseLimits
  rules: QueryRules
  executor: Executor
  cache: QueryCache
  /** Returns what to populate if the query has no `populate`; default: nothing. */
  defaultPopulate?: DefaultPopulate | undefined
  /** Records how long the parts of the request take; default: nothing is measured. */
  timeline?: Timeline | undefined
}>

/** A query that has been resolved and authorized. */
export type PreparedRead = Readonly<{
  status: Status
  locale: string | undefined
  /** Which explanation to return instead of the data. Null returns the data. */
  explain: 'plan' | 'execution' | null
  /** Unknown query parameters, which were ignored. */
  ignored: readonly string[]
  plan: (target: ReadTarget) => ReadPlan
  run: (target: ReadTarget, options?: ReadOptions) => Promise<ReadAnswer | null>
}>

/**
 * Parses, resolves and authorizes a query. Throws all its 400s and 403s, except those about its cost, so that a write
 * can check the query of its response before it changes anything.
 * @param purpose `read`: a list or a document. `answer`: the response of a write. It needs no permission to find
 *   documents, and filters cannot hide the written document. `groups`: an aggregation, which needs the permissions of a
 *   list
 * @param status overrides the status in the query string
 */
export function prepareRead(
  type: ContentType,
  search: string,
  context: ReadContext,
  purpose: 'read' | 'answer' | 'groups' = 'read',
  status?: Status,
): PreparedRead {
  const { registry, grant, limits, rules, executor, cache, defaultPopulate, timeline } = context
  // The cache key contains everything that affects the meaning of a query string for this client, except constant
  // settings.
  const scope = [
    type.uid,
    grant.key,
    purpose,
    limits.unknownParameters,
    rules.defaultLocale,
    defaultPopulate === undefined ? 'as named' : 'by default',
    [...rules.locales].join(),
    rules.chains.size === 0 ? '' : JSON.stringify([...rules.chains]),
  ].join('\n')
  const planned = cache.text(registry, `${scope}\n${status}\n${search}`, () => {
    const of = purpose === 'groups' ? 'groups' : 'entries'
    const parsed = inStageNow(timeline, 'parse', () =>
      parseQuery(search, limits, of, registry.colonNames),
    )
    const tree = parsed.populate === undefined ? defaultPopulate?.(type) : undefined
    const request = tree === undefined ? parsed : { ...parsed, populate: tree }
    const raw = status === undefined ? request : { ...request, status }
    const query = inStageNow(timeline, 'resolve', () =>
      resolveQuery(raw, type, grant, registry, rules, purpose === 'answer' ? purpose : 'read', {
        byDefault: tree !== undefined,
        trees: (name, make) => cache.tree(registry, name, make),
      }),
    )
    return inStageNow(timeline, 'plan', () => planQuery(query))
  })
  const { query } = planned
  const planFor = (target: ReadTarget): ReadPlan => {
    const plan = inStageNow(timeline, 'plan', () => planRead(planned, target))
    if (timeline !== undefined) timeline.plan = plan
    return plan
  }
  return {
    status: query.status,
    locale: query.requestedLocale,
    explain: query.explain,
    ignored: query.ignored ?? [],
    plan: planFor,
    run: (target, options) => executor.run(planFor(target), { ...options, timeline }),
  }
}
