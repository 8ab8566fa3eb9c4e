import type { FactsOf } from '../read/cost/collection-facts.js'
import type { CostPart, ExecutionMode } from '../read/cost/cost.js'
import { costParts, executionModeOf } from '../read/cost/cost.js'
import type { Condition, ReadPlan, SortKey } from '../read/plan/read-plan.js'
import type { Test } from '../values/value-test.js'
import type { PopulateTree } from './describe-populate.js'
import { describePopulate } from './describe-populate.js'

/** How a read would be executed, for the log. The read is not run, and its values are omitted. */
export type PlanSummary = Readonly<{
  collection: string
  lane: ExecutionMode
  /** The estimated cost, in units of 10 µs of work. `parts` begins with the most expensive part. */
  cost: number
  parts: readonly CostPart[]
  /** The filter as text. Values are replaced by `?`, because they may be personal data. */
  where: string
  /** The locale fallback: each entry is shown in the first of these locales in which it has a version. */
  firstOf?: readonly string[] | undefined
  sort: readonly string[]
  groupBy?: readonly string[] | undefined
  skip: number
  limit: number
  total: 'none' | 'metadata' | 'count'
  /** What the read populates, in the form of the parameter `populate`. For a deep populate, the whole tree. */
  populate: PopulateTree
}>

/** Maximum number of characters of `where`. The rest is cut off. */
const maxLength = 1000
const maxParts = 10

/** Summarizes a plan for the log. Plans of at least `costThreshold` run in the worker pool. */
export function summarizePlan(
  plan: ReadPlan,
  costThreshold: number,
  factsOf: FactsOf | undefined,
): PlanSummary {
  const { collection, chain, cost, skip, limit, pagination, groups } = plan
  const where = textOf(plan.match)
  return {
    collection,
    lane: executionModeOf(cost, costThreshold),
    cost: Math.round(cost),
    parts: costParts(plan, factsOf).slice(0, maxParts),
    where: where.length > maxLength ? `${where.slice(0, maxLength)}…` : where,
    firstOf: chain,
    sort: plan.sort.map(sortText),
    groupBy: groups?.keys.map(pathText),
    skip,
    limit,
    total: pagination?.total ?? 'none',
    populate: describePopulate(plan.node),
  }
}

function textOf(condition: Condition): string {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const [only, ...more] = condition.of
      if (only === undefined) return condition.kind === 'all' ? 'anything' : 'nothing'
      if (more.length === 0) return textOf(only)
      return `(${condition.of.map(textOf).join(condition.kind === 'all' ? ' and ' : ' or ')})`
    }
    case 'none':
      return `not ${textOf({ kind: 'any', of: condition.of })}`
    case 'test':
      return `${condition.path} ${testText(condition.test)}`
    case 'element':
      return `${condition.path}[${textOf(condition.of)}]${condition.orEmpty ? ' or empty' : ''}`
    case 'related': {
      const { link, of, orNone } = condition
      return `${link.path} in ${link.collection}[${textOf(of)}]${orNone ? ' or none' : ''}`
    }
    case 'modified':
      return condition.not ? 'unmodified' : 'modified'
  }
}

/** Describes a condition without its values. Keys of a JSON path are also replaced by `?`. */
function testText(test: Test): string {
  switch (test.op) {
    case 'null':
    case 'notNull':
      return test.op
    case 'in':
    case 'notIn':
      return `${test.op} ${test.values.length === 1 ? '?' : `${test.values.length} × ?`}`
    case 'match':
      return `${test.negated ? 'not ' : ''}${test.how}${test.insensitive ? ' in any case' : ''} ?`
    case 'at':
      return `at ? ${test.negated ? 'not ' : ''}${test.of.op} ?`
    default:
      return `${test.op} ?`
  }
}

const sortText = (key: SortKey): string =>
  `${pathText(key)} ${key.direction === 1 ? 'asc' : 'desc'}`

function pathText({ through, path }: Pick<SortKey, 'through' | 'path'>): string {
  const steps = through.map((step) =>
    step.kind === 'list' ? step.path : `${step.link.path} in ${step.link.collection}`,
  )
  return [...steps, path].join(' → ')
}
