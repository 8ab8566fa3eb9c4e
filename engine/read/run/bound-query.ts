import type { ConditionTree } from '../plan/condition-tree.js'
import { leavesOf, mapLeaves, sumOver } from '../plan/condition-tree.js'
import type { Condition, Link, SortKey, SortStep } from '../plan/read-plan.js'

/** A condition whose relations have been answered: what is left can be matched by one collection. */
export type AnsweredCondition = Bound<Keys>

/** The same where some relations were answered for each locale that the tested entries may have. */
export type OpenAnswer = Bound<Keys | LocaleKeys>

/** A condition whose relations have been answered, or are to be looked up for each entry. */
export type BoundCondition = Bound<Keys | Joined>

export type OpenCondition = Bound<Keys | LocaleKeys | Joined>

type Bound<K> = ConditionTree<Extract<Condition, { kind: 'test' }> | K>

/** The text at `path` (or in one of its elements) is among `values`. */
export type Keys = Readonly<{
  kind: 'keys'
  path: string
  values: readonly string[]
  /** The relation that has no index of its own, as in `Link`. */
  listed?: string
}>

export type LocaleKeys = Readonly<{
  kind: 'localeKeys'
  path: string
  /** By the locale of the targets. */
  values: ReadonlyMap<string, readonly string[]>
  /** Whether an entry is shown targets of its own locale, or those of all others. */
  of: 'same' | 'other'
}>

/** A target satisfies what is asked. Too many do for a list of keys. */
export type Joined = Readonly<{ kind: 'joined'; link: Link; asks: Asked }>

/**
 * Of a target: a condition, that it is in `drafts` as well, written later there, or that it was written before the entry
 * that it is looked up for.
 */
export type Asked =
  | Readonly<{ kind: 'satisfies'; of: BoundCondition }>
  | Readonly<{ kind: 'modified'; drafts: string }>
  | Readonly<{ kind: 'earlier' }>

/** What is left to ask of entries of one locale. */
export function closeFor(locale: string | null, condition: OpenAnswer): AnsweredCondition
export function closeFor(locale: string | null, condition: OpenCondition): BoundCondition
export function closeFor(locale: string | null, condition: OpenCondition): BoundCondition {
  return mapLeaves(condition, (leaf): BoundCondition => {
    if (leaf.kind !== 'localeKeys') return leaf
    const { path, of } = leaf
    const values = [...leaf.values].flatMap(([code, keys]) =>
      (code === locale) === (of === 'same') ? keys : [],
    )
    return { kind: 'keys', path, values }
  })
}

/** What is left to ask of entries of any locale: for each of those that matter what is asked of it. */
export function close(condition: OpenCondition): BoundCondition {
  // Each by itself, so that what does not depend on the locale stays outside.
  if (condition.kind === 'all') return { kind: 'all', of: condition.of.map(close) }
  const locales = [...new Set(localesOf(condition))]
  if (locales.length === 0) return closeFor(null, condition)
  const among = (op: 'in' | 'notIn', codes: readonly string[]): BoundCondition => ({
    kind: 'test',
    path: 'locale',
    test: { op, values: codes.map((value) => ({ as: 'text', value })) },
  })
  const one = (code: string): BoundCondition => ({
    kind: 'all',
    of: [among('in', [code]), closeFor(code, condition)],
  })
  const rest: BoundCondition = {
    kind: 'all',
    of: [among('notIn', locales), closeFor(null, condition)],
  }
  return { kind: 'any', of: [...locales.map(one), rest] }
}

const localesOf = (condition: OpenCondition): readonly string[] =>
  leavesOf(condition).flatMap(({ leaf }) =>
    leaf.kind === 'localeKeys' ? [...leaf.values.keys()] : [],
  )

/** How many keys a condition lists, each as often as it does. */
export function keysIn(condition: BoundCondition): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'keys') return leaf.values.length
    return leaf.kind === 'joined' && leaf.asks.kind === 'satisfies' ? keysIn(leaf.asks.of) : 0
  })
}

/** A document by its documentId; where holders of different locales see different targets, in a locale. */
export const documentKey = (documentId: string, locale: string | null): string =>
  locale === null ? documentId : `${documentId} ${locale}`

/** A sort key as entries are sorted by it: by what they hold, by what they look up, or by ranks. */
export type BoundSortKey = SortKey | RankedKey

/**
 * A sort key behind a relation whose targets have been put in order beforehand: an entry is sorted by
 * the rank of its target, or of the first of several. Targets without a value have rank 0, as
 * entries without a target do.
 */
export type RankedKey = Readonly<{
  link: Link
  /** The lists whose elements hold the references, each in the one before. */
  lists: readonly string[]
  /** The targets by what entries know them by (`documentKey`), and in the same order their ranks. */
  keys: readonly string[]
  ranks: readonly number[]
  direction: 1 | -1
}>

/** The paths of the lists that a sort goes through before anything else. */
export function listsBefore(through: readonly SortStep[]): readonly string[] {
  const behind = through.findIndex(({ kind }) => kind !== 'list')
  const lists = behind === -1 ? through : through.slice(0, behind)
  return lists.flatMap((step) => (step.kind === 'list' ? [step.path] : []))
}

/** Other versions of the same document are told by what the entry is, not by what it holds. */
export function canBeRanked({ stored, locale }: Link): boolean {
  return stored !== 'sibling' && locale.kind !== 'other'
}
