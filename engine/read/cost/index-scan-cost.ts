import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { entriesPerValue } from './collection-facts.js'
import { costs } from './cost-units.js'
import type { Condition, Link, ReadPlan } from '../plan/read-plan.js'

/** A longer list of targets in the command takes more time than the scan saves. */
const mostTargets = 10_000

/** Estimates the cost of `compileIndexScan`; null if no index finds a target's entries, or if facts are missing. */
export function costOfIndexScan(
  { collection, match, chain, sort, skip, limit }: IndexScan,
  factsOf: FactsOf,
): number | null {
  const facts = factsOf(collection)
  const [first, ...rest] = sort
  const step = first?.through[0]
  if (chain !== undefined || step?.kind !== 'link') return null
  if (rest.some(({ through }) => through.length > 0)) return null
  const path = `${step.link.path}.documentId`
  const targets = factsOf(step.link.collection).entries
  const share = shareOf(match, facts)
  const isScannable = isOfOne(step.link) && facts.indexes.some(({ fields }) => fields[0] === path)
  if (!isScannable || targets === 0 || targets > mostTargets || share === 0) return null
  // Entries are sorted per target. So the scan also reads those entries of the page's last target that are not on the
  // page.
  const scanned = (skip + limit) / share + (entriesPerValue(facts, path, targets)?.usual ?? 0)
  return costs.command + targets * (costs.ranked + costs.scanned) + scanned * costs.indexScanned
}

type IndexScan = Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit'>

const isOfOne = ({ stored, many, listed, locale }: Link): boolean =>
  stored === 'here' &&
  !many &&
  listed !== true &&
  (locale.kind === 'none' || locale.kind === 'fixed')

/** Returns the share of the entries in the requested locales; 0 if unknown. */
export function shareOf(match: Condition, { sample }: CollectionFacts): number {
  if (sample === undefined) return 0
  const codes = localesIn(match)
  if (codes === null) return 1
  return codes.reduce((share, code) => share + (sample.locales?.get(code) ?? 0), 0)
}

/** Returns the locales that a condition requires, if any. */
function localesIn(condition: Condition): readonly string[] | null {
  if (condition.kind === 'all') {
    return condition.of.map(localesIn).find((codes) => codes !== null) ?? null
  }
  if (condition.kind !== 'test' || condition.path !== 'locale') return null
  const { test } = condition
  if (test.op !== 'in') return null
  return test.values.flatMap((value) => (value.as === 'text' ? [value.value] : []))
}
