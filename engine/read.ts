import type { DefaultPopulate } from './read/default-populate.js'
import type { ParseLimits } from './read/query/parse-limits.js'
import { parseQuery } from './read/query/parse-query.js'
import type { Executor, ReadAnswer, ReadAsker, ReadOptions } from './read/run/executor.js'
import type { ReadPlan } from './read/plan/read-plan.js'
import type { CollectionFacts, FactsOf } from './read/cost/collection-facts.js'
import type { ReadTarget } from './read/plan/plan-read.js'
import { planQuery, planRead } from './read/plan/plan-read.js'
import { planShape, standingOfQuery } from './read/plan/plan-shape.js'
import type { QueryCache } from './read/query/known-queries.js'
import type { QueryRules } from './read/query/scope.js'
import { bindQuery, resolveShape } from './read/query/resolve-query.js'
import { shapeOf } from './read/query/query-shape.js'
import type { ContentType, Status } from './schema/content-type.js'
import type { Timeline } from './timeline.js'
import { inStageNow } from './timeline.js'
import type { Grant } from './schema/grant.js'
import type { Registry } from './schema/registry.js'

export type { CollectionFacts, FactsOf }
export type { Executor, ReadAnswer, ReadAsker, ReadPlan, ReadTarget }

/** What every read needs to know beside its own query. */
export type ReadContext = Readonly<{
  registry: Registry
  grant: Grant
  limits: ParseLimits
  rules: QueryRules
  executor: Executor
  cache: QueryCache
  /** What is populated where the query names no populate; absent = nothing. */
  defaultPopulate?: DefaultPopulate | undefined
  /** Told what took how long; absent = nothing is measured. */
  timeline?: Timeline | undefined
}>

/** A query that has been understood and allowed, and waits to be told of which documents it is asked. */
export type PreparedRead = Readonly<{
  status: Status
  /** The locale as it was sent; undefined = none. */
  locale: string | undefined
  /** What is asked for instead of the data; null for the data. */
  explain: 'plan' | 'execution' | null
  /** What of the query was not understood and passed over. */
  ignored: readonly string[]
  plan: (target: ReadTarget) => ReadPlan
  run: (target: ReadTarget, options?: ReadOptions) => Promise<ReadAnswer | null>
}>

/**
 * parse → resolve, and when it is run plan → execute. Every 400 and 403 of a query is thrown here, so a
 * write can check what it is to answer before it changes anything. `purpose`: `answer` is what a write
 * shows of the document it wrote, which needs no permission to find it, and which no filter may hide; `groups` is an
 * aggregation, which shows no entries and needs the permissions of a list.
 * `status` is given where it is not the query string that says which version is shown.
 */
export function prepareRead(
  type: ContentType,
  search: string,
  context: ReadContext,
  purpose: 'read' | 'answer' | 'groups' = 'read',
  status?: Status,
): PreparedRead {
  const { registry, grant, limits, rules, executor, cache, defaultPopulate, timeline } = context
  // Everything that decides what a text means to this caller, beside the settings, which do not change.
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
    const asked = tree === undefined ? parsed : { ...parsed, populate: tree }
    const raw = status === undefined ? asked : { ...asked, status }
    const { key, sent } = shapeOf(raw)
    const { shape, plan } = cache.shape(registry, `${scope}\n${tree === undefined}\n${key}`, () =>
      inStageNow(timeline, 'resolve', () =>
        resolveShape(
          raw,
          sent,
          type,
          grant,
          registry,
          rules,
          purpose === 'answer' ? purpose : 'read',
          {
            byDefault: tree !== undefined,
            trees: (name, make) => cache.tree(registry, name, make),
          },
        ),
      ),
    )
    const query = inStageNow(timeline, 'resolve', () => bindQuery(shape, sent, rules))
    const standing = standingOfQuery(query)
    return inStageNow(timeline, 'plan', () =>
      planQuery(
        plan(standing, () => planShape(shape, standing)),
        query,
      ),
    )
  })
  const { shape, askedLocale, ignored = [] } = planned.query
  const planFor = (target: ReadTarget): ReadPlan => {
    const plan = inStageNow(timeline, 'plan', () => planRead(planned, target))
    if (timeline !== undefined) timeline.plan = plan
    return plan
  }
  return {
    status: shape.status,
    locale: askedLocale,
    explain: shape.explain,
    ignored,
    plan: planFor,
    run: (target, options) => executor.run(planFor(target), { ...options, timeline }),
  }
}
