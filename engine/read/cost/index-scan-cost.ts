import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { entriesPerValue } from './collection-facts.js'
import { costs } from './cost-units.js'
import type { Condition, Link, ReadPlan } from '../plan/read-plan.js'

/** Maximum number of targets of an index scan. A longer list in the command takes more time than the scan saves. */
const mostTargets = 10_000

/**
 * Estimates the cost of an index scan (`compileIndexScan`) for a page that is sorted through a relation. The scan reads
 * the entries of one target after the other. Returns null if no index finds the entries of a target, or if facts are
 * missing.
 */
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
  // A scan cannot stop within a target: all entries of the last target are read and sorted.
  const scanned = (skip + limit) / share + (entriesPerValue(facts, path, targets)?.usual ?? 0)
  return costs.command + targets * (costs.ranked + costs.scanned) + scanned * costs.indexScanned
}

type IndexScan = Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit'>

const isOfOne = ({ stored, many, listed, locale }: Link): boolean =>
  stored === 'here' &&
  !many &&
  listed !== true &&
  (locale.kind === 'none' || locale.kind === 'fixed')

/** Returns the share of a collection's entries that are in the requested locales; 0 if it is unknown. */
export function shareOf(match: Condition, { sample }: CollectionFacts): number {
  if (sample === undefined) return 0
  const codes = localesIn(match)
  if (codes === null) return 1
  return codes.reduce((share, code) => share + (sample.locales?.get(code) ?? 0), 0)
}

/** Returns the locales that a condition requires; null if it requires none. */
function localesIn(condition: Condition): readonly string[] | null {
  if (condition.kind === 'all') {
    return condition.of.reduce<ReturnType<typeof localesIn>>(
      (found, member) => found ?? localesIn(member),
      null,
    )
  }
  if (condition.kind !== 'test' || condition.path !== 'locale') return null
  const { test } = condition
  if (test.op !== 'in') return null
  return test.values.flatMap((value) => (value.as === 'text' ? [value.value] : []))
}
