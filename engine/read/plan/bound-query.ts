import type { ConditionTree } from './condition-tree.js'
import { leavesOf, mapLeaves, sumOver } from './condition-tree.js'
import type { Condition, Link, SortKey, SortStep } from './read-plan.js'

/** A condition without unresolved relations: `$match` on one collection can test it. */
export type ResolvedCondition = Bound<Keys>

/** A condition that may still contain relations that are resolved for each locale of the tested entries. */
export type LocaleDependentCondition = Bound<Keys | LocaleKeys>

/** A condition whose relations are resolved, or will be compiled to lookups. */
export type BoundCondition = Bound<Keys | Joined>

export type OpenCondition = Bound<Keys | LocaleKeys | Joined>

type Bound<K> = ConditionTree<Extract<Condition, { kind: 'test' }> | K>

/** True if at least one of the strings at `path` is among `values`. */
export type Keys = Readonly<{
  kind: 'keys'
  path: string
  values: readonly string[]
  /** Path of a relation without its own index. The condition then also tests `_refs`, which has an index. */
  listed?: string
}>

export type LocaleKeys = Readonly<{
  kind: 'localeKeys'
  path: string
  /** Keys of the matching targets, by the targets' locale. */
  values: ReadonlyMap<string, readonly string[]>
  /** Whether an entry shows targets of its own locale, or of all other locales. */
  of: 'same' | 'other'
}>

/** True if at least one target passes `test`. Compiled to a lookup, because there are too many targets for `Keys`. */
export type Joined = Readonly<{ kind: 'joined'; link: Link; test: TargetTest }>

/** `modified`: a newer version is in the collection `drafts`. `earlier`: the target is older than its source. */
export type TargetTest =
  | Readonly<{ kind: 'satisfies'; of: BoundCondition }>
  | Readonly<{ kind: 'modified'; drafts: string }>
  | Readonly<{ kind: 'earlier' }>

/** Resolves a condition for entries of one locale. */
export function bindForLocale(
  locale: string | null,
  condition: LocaleDependentCondition,
): ResolvedCondition
export function bindForLocale(locale: string | null, condition: OpenCondition): BoundCondition
export function bindForLocale(locale: string | null, condition: OpenCondition): BoundCondition {
  return mapLeaves(condition, (leaf): BoundCondition => {
    if (leaf.kind !== 'localeKeys') return leaf
    const { path, of } = leaf
    const values = [...leaf.values].flatMap(([code, keys]) =>
      (code === locale) === (of === 'same') ? keys : [],
    )
    return { kind: 'keys', path, values }
  })
}

/** Resolves a condition with one branch for each locale that has keys, and one branch for all other locales. */
export function bindLocales(condition: OpenCondition): BoundCondition {
  // Members that do not depend on a locale stay outside the branches.
  if (condition.kind === 'all') return { kind: 'all', of: condition.of.map(bindLocales) }
  const locales = [...new Set(localesOf(condition))]
  if (locales.length === 0) return bindForLocale(null, condition)
  const among = (op: 'in' | 'notIn', codes: readonly string[]): BoundCondition => ({
    kind: 'test',
    path: 'locale',
    test: { op, values: codes.map((value) => ({ as: 'text', value })) },
  })
  const one = (code: string): BoundCondition => ({
    kind: 'all',
    of: [among('in', [code]), bindForLocale(code, condition)],
  })
  const rest: BoundCondition = {
    kind: 'all',
    of: [among('notIn', locales), bindForLocale(null, condition)],
  }
  return { kind: 'any', of: [...locales.map(one), rest] }
}

const localesOf = (condition: OpenCondition): readonly string[] =>
  leavesOf(condition).flatMap(({ leaf }) =>
    leaf.kind === 'localeKeys' ? [...leaf.values.keys()] : [],
  )

/** Counts the keys in a condition, including repeated ones. */
export function keysIn(condition: BoundCondition): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'keys') return leaf.values.length
    return leaf.kind === 'joined' && leaf.test.kind === 'satisfies' ? keysIn(leaf.test.of) : 0
  })
}

/** A documentId, and the locale if the targets depend on the source's locale. */
export const documentKey = (documentId: string, locale: string | null): string =>
  locale === null ? documentId : `${documentId} ${locale}`

/** A sort key: a stored field, a lookup, or ranks. */
export type BoundSortKey = SortKey | RankedKey

/**
 * A sort key through a relation with ranked targets. If an entry has several targets, the rank that sorts first is
 * used. Targets without a value and entries without a target have rank 0.
 */
export type RankedKey = Readonly<{
  link: Link
  /** Paths of the nested lists that store the references, the outermost first. */
  lists: readonly string[]
  /** The targets' keys (`documentKey`), in the order of `ranks`. */
  keys: readonly string[]
  ranks: readonly number[]
  direction: 1 | -1
}>

/** Returns the paths of the lists with which a sort path begins. */
export function listsBefore(through: readonly SortStep[]): readonly string[] {
  const behind = through.findIndex(({ kind }) => kind !== 'list')
  const lists = behind === -1 ? through : through.slice(0, behind)
  return lists.flatMap((step) => (step.kind === 'list' ? [step.path] : []))
}

/**
 * Whether targets can be ranked. Not if they are other versions of the same document, because an entry stores no
 * references to these.
 */
export function canBeRanked({ stored, locale }: Link): boolean {
  return stored !== 'sibling' && locale.kind !== 'other'
}
