import type { ConditionTree } from './condition-tree.js'
import type { StoredForm } from '../../values/value-forms.js'
import type { Test } from '../../values/value-test.js'

/**
 * The database work of one read as plain data, which can be sent to another thread. Collections, stored paths, locales
 * and status are filled in, so no schema is needed.
 */
export type ReadPlan = Readonly<{
  kind: 'read'
  /** One document (`null` if there is none), or a list with `meta.pagination`. */
  answer: 'one' | 'list'
  /** `content`: `{ data, meta }`; `bare`: the document or list alone. */
  envelope: 'content' | 'bare'
  format: 'flat' | 'v4'
  collection: string
  match: Condition
  /**
   * Each document is shown once, in the first of these locales in which it has a version; absent: every version is
   * shown.
   */
  chain?: readonly string[] | undefined
  sort: readonly SortKey[]
  skip: number
  limit: number
  node: NodePlan
  /** Set for an aggregation: the response shows a page of groups instead of entries. */
  groups?: GroupsPlan | undefined
  /** How URLs of files are shown; absent: as they are stored. */
  links?: LinkPlan | undefined
  /** How `meta.pagination` is shown; null for one document and bare lists. */
  pagination: Readonly<{ by: 'page' | 'offset'; total: TotalPlan }> | null
  /**
   * Maximum number of keys that are read for one relation of a filter: a filter of the list (`listed`) or of a
   * populated relation (`populated`). If there are more keys, the targets are looked up for each entry.
   */
  maxKeys: Readonly<{ listed: number; populated: number }>
  /**
   * Maximum number of targets of one relation that are sorted in advance: for the sort of the list (`listed`) or of a
   * populated relation (`populated`). If there are more targets, they are looked up for each entry.
   */
  maxRanked: Readonly<{ listed: number; populated: number }>
  /** Ways to make scans of the collection faster or unnecessary; absent: there is none. */
  shortcuts?: Shortcuts | undefined
  /** The setting `api.rest.maxPopulatedEntries`. */
  maxPopulatedEntries: number
  /** Milliseconds that the database has for the read (`api.rest.queryTimeoutMs`). */
  timeoutMs: number
  /**
   * Whether to read from the primary, because the response shows what was just written; absent: the URI's read
   * preference applies.
   */
  fromPrimary?: boolean | undefined
  /** Whether all commands read from one snapshot (`database.snapshotReads`). */
  snapshot?: boolean | undefined
  /** The setting `api.rest.maxAnswerBytes`. */
  maxAnswerBytes: number
  /** Maximum number of documentIds of shown entries to report (`ReadAnswer.shown`); absent: none. */
  shownUpTo?: number | undefined
  /** Estimated work, in units of about 10 µs. It decides the execution mode. */
  cost: number
  /** The part of `cost` that is saved if the total is already known. */
  totalCost: number
  /** Estimated bytes of the response. */
  answerBytes: number
}>

/**
 * How a list makes scans of its collection faster or unnecessary. Without shortcuts, the page and the total may need a
 * scan each.
 */
export type Shortcuts = Readonly<{
  /**
   * One command finds the page and counts all entries, because two separate commands would both scan the collection.
   */
  together?: true
  /** The page is read by an index scan, which reads the entries of one target after the other (`compileIndexScan`). */
  byTarget?: true
  /** Which commands scan the collection in storage order instead of by the index of the locale. */
  natural?: Readonly<{ page: boolean; total: boolean }>
}>

/** Signed links that are shown instead of the URLs of files (docs/internals/decisions.md, "Private files"). */
export type LinkPlan = Readonly<{
  key: string
  /** Expiry time of the links, in seconds since 1970. */
  expires: number
  /** Prefixes of the URLs of our own files. The name of the file follows the prefix. */
  prefixes: readonly string[]
  /** Prefix of the links: `/uploads/`. */
  path: string
}>

/**
 * Source of a list's total: none because no total is requested, the metadata of the collection, or a count
 * (docs/internals/storage.md, "Totals").
 */
export type TotalPlan = 'none' | 'metadata' | 'count'

/**
 * The members of an entry or component value that are read and shown, in the order of the response. `Open` is the type
 * of placeholders for values that are bound later, in this node and below it. A plan that can run has no placeholders.
 */
export type NodePlan<Open = never> = Readonly<{
  members: readonly MemberPlan<Open>[]
  /** Whether the entry has a locale, which is needed to follow relations within the same locale. */
  localized: boolean
  /**
   * Whether this is an entry, which the `v4` format shows as `{ id, documentId, attributes }`; false for component
   * values.
   */
  entry: boolean
  /**
   * The value of `__component`, the last member of a value in a dynamic zone; null for entries and for all other
   * values.
   */
  component: string | null
  /** Members with the same values in each entry, shown after the entry's own members. */
  constants?: Constants | undefined
  /**
   * Set for the root node if several edges lead to the same node below it. All paths from the root to a node then have
   * the same number of edges.
   */
  shared?: true
}>

export type Constants = Readonly<Record<string, boolean | string>>

export type MemberPlan<Open = never> =
  FieldPlan | ComponentPlan<Open> | ZonePlan<Open> | EdgePlan<Open> | MorphPlan<Open>

/** How a stored scalar is written to JSON. */
export type FieldForm =
  | StoredForm
  /** The URL of a file. */
  | 'link'
  /** A JSON value that contains the URLs of a picture's renditions. */
  | 'versions'

export type FieldPlan = Readonly<{ kind: 'field'; name: string; path: string; form: FieldForm }>

/** Values of one component: their shown members, filter and sort. The sort keys contain no relations. */
export type ValuesPlan<Open = never> = Readonly<{
  node: NodePlan<Open>
  filter: Condition<Open> | null
  /** Sort keys; empty: the values are in stored order. */
  sort: readonly SortKey[]
}>

export type ComponentPlan<Open = never> = ValuesPlan<Open> &
  Readonly<{
    kind: 'component'
    name: string
    path: string
    repeatable: boolean
  }>

export type ZonePlan<Open = never> = Readonly<{
  kind: 'zone'
  name: string
  path: string
  /**
   * Plans by component uid. Values of other components are left out. A sort applies to one component: it reorders the
   * values of this component and leaves the values of other components where they are.
   */
  components: Readonly<Record<string, ValuesPlan<Open>>>
  count: boolean
}>

/** One relation, media or other reference. One command reads the targets of all entries on a page. */
export type EdgePlan<Open = never> = Readonly<{
  kind: 'edge'
  name: string
  link: Link
  match: Condition<Open> | null
  /** Sort keys; empty: the targets are in the order of the stored references. */
  sort: readonly SortKey[]
  node: NodePlan<Open>
  count: boolean
  wrapped: boolean
  /** The page of targets that each source shows; null: all targets are shown. */
  page: Readonly<{ start: number; limit: number }> | Open | null
}>

/**
 * A polymorphic relation. For each type of targets, one command reads the targets of all entries on a page. A sort
 * applies to one type: it reorders the targets of this type and leaves the targets of other types where they are.
 */
export type MorphPlan<Open = never> = Readonly<{
  kind: 'morph'
  name: string
  /**
   * The field of the source that contains `{ __type, documentId }`, one or a list. If the targets refer to the source
   * instead (`anywhere`), the field is `documentId`.
   */
  path: string
  many: boolean
  /** Plans by the uid of the target's type. Targets of other types are left out. */
  edges: Readonly<Record<string, EdgePlan<Open>>>
  count: boolean
  wrapped: boolean
}>

/**
 * Whether one command can read the targets of both edges. Both must show the same members of the same entries, without
 * a sort or a page. If the sources do not store the references, both must also have the same path.
 */
export function isReadTogether(one: EdgePlan, other: EdgePlan): boolean {
  if (one === other) return true
  const [here, there] = [one.link, other.link]
  return (
    one.node === other.node &&
    one.match === other.match &&
    [one, other].every(({ sort, page, count }) => sort.length === 0 && page === null && !count) &&
    here.collection === there.collection &&
    here.stored === there.stored &&
    (here.stored === 'here' || (here.path === there.path && here.type === there.type)) &&
    here.locale.kind === there.locale.kind &&
    codeOf(here) === codeOf(there)
  )
}

const codeOf = ({ locale }: Link): string => (locale.kind === 'fixed' ? locale.code : '')

/** How a source finds its targets. The source is the entry or component value that has the relation. */
export type Link = Readonly<{
  /** The targets' collection. */
  collection: string
  /**
   * - `here`: the source's field `path` contains `{ documentId }`, one or a list;
   * - `there`: the target's field `path` contains the reference to the source, and the target's position in the
   *   source's list;
   * - `sibling`: versions of the same document (in other locales);
   * - `anywhere`: the target refers to the source in one of `places`; all its references there are read.
   */
  stored: 'here' | 'there' | 'sibling' | 'anywhere'
  /** With `anywhere`: the fields in which targets may refer to the source. */
  places?: readonly LinkPlace[]
  path: string
  /** For a polymorphic relation: the `__type` that a reference must have. */
  type?: string
  /** Whether the response shows a list of targets instead of one target. */
  many: boolean
  locale: LocaleRule
  /** Whether `path` has no index of its own, so that entries are found by their list of references (`_refs`). */
  listed?: true
}>

/** A field in which an entry may store references, and the path to the field through components. */
export type LinkPlace = Readonly<{
  /** The path in the notation of `_refs`: `sections[shared.hero].image` (docs/internals/storage.md, "References"). */
  text: string
  /**
   * The steps through components that lead to `field`. `component`: only the values of this component in a dynamic
   * zone.
   */
  segments: readonly Readonly<{ field: string; component?: string | undefined }>[]
  field: string
}>

/** Decides which locale of a target is visible (docs/internals/storage.md, "Relations"). */
export type LocaleRule =
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'fixed'; code: string }>
  | Readonly<{ kind: 'any'; among: readonly string[] }>
  /** The first of `among` in which the target has a version. */
  | Readonly<{ kind: 'first'; among: readonly string[] }>
  /** The locale of the entry that contains the reference. */
  | Readonly<{ kind: 'same' }>
  /** Those locales of `among` that are not the locale of the entry. */
  | Readonly<{ kind: 'other'; among: readonly string[] }>

export type Condition<Open = never> = ConditionTree<ConditionLeaf<Open>>

type ConditionLeaf<Open> =
  | Readonly<{ kind: 'test'; path: string; test: Test | Open }>
  /** Matches if a target matches `of`, or, with `orNone`, if there is no target. */
  | Readonly<{ kind: 'related'; link: Link; of: Condition<Open>; orNone: boolean }>
  /**
   * Matches a document that is in both the linked collection and `drafts`, with a newer version in `drafts`. `not`
   * negates the result. `by` says how such documents are found. `marks`: by reading all drafts that are marked as
   * modified. `own mark`: the entry is itself a draft, so its own mark is tested.
   */
  | Readonly<{
      kind: 'modified'
      link: Link
      drafts: string
      not: boolean
      by: 'marks' | 'own mark'
    }>

/**
 * A stored path by which entries are sorted. If its steps lead to several rows, the value that sorts first counts. If
 * they lead to no row, the value is null, as in an outer join.
 */
export type SortKey = Readonly<{ through: readonly SortStep[]; path: string; direction: 1 | -1 }>

/**
 * A step of a sort path. `link`: to the targets of a relation. `list`: to the values of the repeatable component at
 * `path`, which is relative to the entry.
 */
export type SortStep =
  Readonly<{ kind: 'link'; link: Link }> | Readonly<{ kind: 'list'; path: string }>

/**
 * How entries are grouped, and the values that are computed for each group (docs/internals/decisions.md,
 * "Aggregation").
 */
export type GroupsPlan = Readonly<{
  keys: readonly GroupKeyPlan[]
  count: boolean
  measures: readonly MeasurePlan[]
  /** Contains all keys, so that no two groups are equal in this order. */
  sort: readonly GroupOrderPlan[]
  /** Whether groups are counted for the total. */
  withTotal: boolean
}>

/** A stored path by which entries are grouped. If it leads to several values, an entry is in several groups. */
export type GroupKeyPlan = Readonly<{
  /** The key's name in the response. */
  name: string
  through: readonly SortStep[]
  path: string
  form: FieldForm
  /** Dates are grouped by the beginning of this unit, in UTC. */
  unit?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | undefined
}>

/** A value that is computed for a group, from the values at a path of its entries. Nulls are ignored. */
export type MeasurePlan = Readonly<{
  of: 'sum' | 'avg' | 'min' | 'max'
  name: string
  path: string
  form: FieldForm
}>

type GroupOrderPlan = Readonly<{
  by: Readonly<{ kind: 'count' }> | Readonly<{ kind: 'key' | 'measure'; at: number }>
  direction: 1 | -1
}>

/** Matches everything. */
export const always = Object.freeze({ kind: 'all', of: [] } as const)
/** Matches nothing. */
export const never = Object.freeze({ kind: 'any', of: [] } as const)

export const isNever = (condition: Condition): boolean =>
  condition.kind === 'any' && condition.of.length === 0
