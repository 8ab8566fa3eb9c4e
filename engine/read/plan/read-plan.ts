import type { ConditionTree } from './condition-tree.js'
import type { StoredForm } from '../../values/value-forms.js'
import type { Test } from '../../values/value-test.js'

/** The database work of one read as plain data, which can be sent to another thread and needs no schema. */
export type ReadPlan = Readonly<{
  kind: 'read'
  /** One document or null, or a list with `meta.pagination`. */
  answer: 'one' | 'list'
  /** `content`: `{ data, meta }`; `bare`: the document or list alone. */
  envelope: 'content' | 'bare'
  format: 'flat' | 'v4'
  collection: string
  match: Condition
  /** Each document is shown in the first of these locales in which it has a version; absent: all versions are shown. */
  chain?: readonly string[] | undefined
  sort: readonly SortKey[]
  skip: number
  limit: number
  node: NodePlan
  /** Set for an aggregation, which shows groups instead of entries. */
  groups?: GroupsPlan | undefined
  /** Absent: URLs of files are shown as they are stored. */
  links?: LinkPlan | undefined
  /** Null for one document and bare lists. */
  pagination: Readonly<{ by: 'page' | 'offset'; total: TotalPlan }> | null
  /**
   * Maximum number of keys (documentIds) for a relation in a filter: in a filter of the list (`listed`) or of a
   * populated relation. If there are more, each entry looks up its targets.
   */
  maxKeys: Readonly<{ listed: number; populated: number }>
  /**
   * Maximum number of targets that are sorted in advance, for a relation in a sort of the list or of a populated
   * relation.
   */
  maxRanked: Readonly<{ listed: number; populated: number }>
  shortcuts?: Shortcuts | undefined
  /** `api.rest.maxPopulatedEntries`. */
  maxPopulatedEntries: number
  /** `api.rest.queryTimeoutMs`. */
  timeoutMs: number
  /** Set if the response shows what was just written; absent: the URI's read preference applies. */
  fromPrimary?: boolean | undefined
  /** Whether all commands read from one snapshot (`database.snapshotReads`). */
  snapshot?: boolean | undefined
  /** `api.rest.maxAnswerBytes`. */
  maxAnswerBytes: number
  /** Maximum number of documentIds in `ReadAnswer.shown`; absent: none. */
  shownUpTo?: number | undefined
  /** Estimated cost, in units of about 10 µs. Decides the execution mode. */
  cost: number
  /** The part of `cost` that a known total saves. */
  totalCost: number
  answerBytes: number
}>

/** Without shortcuts, the page and the total may need a scan each. */
export type Shortcuts = Readonly<{
  /** One command finds the page and counts all entries. */
  together?: true
  /** Whether `compileIndexScan` reads the page. */
  byTarget?: true
  /** Which commands scan the collection in storage order instead of by the index of the locale. */
  natural?: Readonly<{ page: boolean; total: boolean }>
}>

/** Signed links that are shown instead of the URLs of files (docs/internals/decisions.md, "Private files"). */
export type LinkPlan = Readonly<{
  key: string
  /** Expiry of the links, in seconds since 1970. */
  expires: number
  /** Prefixes of the URLs of the service's own files, before the name of the file. */
  prefixes: readonly string[]
  /** Prefix of the links: `/uploads/`. */
  path: string
}>

/** `metadata`: read from the metadata of the collection (docs/internals/storage.md, "Totals"). */
export type TotalPlan = 'none' | 'metadata' | 'count'

/** The members of an entry or component value that are shown, in the order of the response. */
export type NodePlan = Readonly<{
  members: readonly MemberPlan[]
  /** Whether the entry has a locale. Relations within the same locale need it. */
  localized: boolean
  /** Whether this is an entry. The `v4` format shows it as `{ id, documentId, attributes }`. */
  entry: boolean
  /** The component's uid, which a dynamic zone shows as `__component`. Null outside of dynamic zones. */
  component: string | null
  /** Members with the same values in each entry. They are shown after the entry's own members. */
  constants?: Constants | undefined
  /** Set for the root if several edges lead to one node. All paths to a node then have the same length. */
  shared?: true
}>

export type Constants = Readonly<Record<string, boolean | string>>

export type MemberPlan = FieldPlan | ComponentPlan | ZonePlan | EdgePlan | MorphPlan

/** How a stored scalar is written to JSON. */
export type FieldForm =
  | StoredForm
  | 'link'
  /** A JSON value with the URLs of a picture's renditions. */
  | 'versions'

export type FieldPlan = Readonly<{ kind: 'field'; name: string; path: string; form: FieldForm }>

/** Values of one component. The sort keys contain no relations. */
export type ValuesPlan = Readonly<{
  node: NodePlan
  filter: Condition | null
  /** Empty: in stored order. */
  sort: readonly SortKey[]
}>

export type ComponentPlan = ValuesPlan &
  Readonly<{
    kind: 'component'
    name: string
    path: string
    repeatable: boolean
  }>

export type ZonePlan = Readonly<{
  kind: 'zone'
  name: string
  path: string
  /**
   * By component uid. Values of other components are left out. A sort of one component leaves values of others where
   * they are.
   */
  components: Readonly<Record<string, ValuesPlan>>
  count: boolean
}>

/** One relation, media or other reference. One command reads the targets of all entries on a page. */
export type EdgePlan = Readonly<{
  kind: 'edge'
  name: string
  link: Link
  match: Condition | null
  /** Empty: in the order of the stored references. */
  sort: readonly SortKey[]
  node: NodePlan
  count: boolean
  wrapped: boolean
  /** The targets that each source shows; null: all. */
  page: Readonly<{ start: number; limit: number }> | null
}>

/**
 * A polymorphic relation. One command per type reads the targets of all entries on a page. A sort of one type leaves
 * targets of other types where they are.
 */
export type MorphPlan = Readonly<{
  kind: 'morph'
  name: string
  /**
   * Name of the source's field with one or several `{ __type, documentId }`. For links with `stored: 'anywhere'`, the
   * name is `documentId`.
   */
  path: string
  many: boolean
  /** By the uid of the target's type. Targets of other types are left out. */
  edges: Readonly<Record<string, EdgePlan>>
  count: boolean
  wrapped: boolean
}>

/**
 * Whether one command can read the targets of both edges: the same members of the same entries, without a sort or a
 * page. If the sources do not store the references, the path must also be the same.
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
  collection: string
  /**
   * - `here`: the source's field `path` contains `{ documentId }`, one or a list;
   * - `there`: the target's field `path` contains the reference to the source, and the target's position in the
   * source's list;
   * - `sibling`: versions of the same document in other locales;
   * - `anywhere`: the target refers to the source in one of `places`.
   */
  stored: 'here' | 'there' | 'sibling' | 'anywhere'
  places?: readonly LinkPlace[]
  path: string
  /** For a polymorphic relation: the required `__type` of a reference. */
  type?: string
  many: boolean
  locale: LocaleRule
  /** Whether `path` has no index of its own. Entries are then found by `_refs`. */
  listed?: true
}>

/** A field in which an entry may store references. */
export type LinkPlace = Readonly<{
  /** In the notation of `_refs`: `sections[shared.hero].image` (docs/internals/storage.md, "References"). */
  text: string
  /** The path to `field` through components. `component`: only the items of this component in a dynamic zone. */
  segments: readonly Readonly<{ field: string; component?: string | undefined }>[]
  field: string
}>

/** Decides which locale of a target is visible (docs/internals/storage.md, "Relations"). */
export type LocaleRule =
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'fixed'; code: string }>
  | Readonly<{ kind: 'any'; among: readonly string[] }>
  | Readonly<{ kind: 'first'; among: readonly string[] }>
  /** The locale of the entry with the reference. */
  | Readonly<{ kind: 'same' }>
  /** All of `among` except the locale of the entry with the reference. */
  | Readonly<{ kind: 'other'; among: readonly string[] }>

export type Condition = ConditionTree<ConditionLeaf>

type ConditionLeaf =
  | Readonly<{ kind: 'test'; path: string; test: Test }>
  /** Matches if a target matches `of`, or, with `orNone`, if there is no target. */
  | Readonly<{ kind: 'related'; link: Link; of: Condition; orNone: boolean }>
  /**
   * Matches a document with a newer version in `drafts`; `not` negates. `marks`: found by reading all drafts marked as
   * modified. `own mark`: the entry is itself a draft, so its own mark is tested.
   */
  | Readonly<{
      kind: 'modified'
      link: Link
      drafts: string
      not: boolean
      by: 'marks' | 'own mark'
    }>

/** A stored path to sort by. Of several values, the one that sorts first is used; without any, the key is null. */
export type SortKey = Readonly<{ through: readonly SortStep[]; path: string; direction: 1 | -1 }>

/** `link`: a step to the targets of a relation. `list`: a step to a repeatable component, with its path in the entry. */
export type SortStep =
  Readonly<{ kind: 'link'; link: Link }> | Readonly<{ kind: 'list'; path: string }>

/** How entries are grouped, and what is computed for each group (docs/internals/decisions.md, "Aggregation"). */
export type GroupsPlan = Readonly<{
  keys: readonly GroupKeyPlan[]
  count: boolean
  measures: readonly MeasurePlan[]
  /** Contains all keys, so no two groups are equal in this order. */
  sort: readonly GroupOrderPlan[]
  withTotal: boolean
}>

/** A stored path to group by. If it leads to several values, an entry is in several groups. */
export type GroupKeyPlan = Readonly<{
  /** Name in the response. */
  name: string
  through: readonly SortStep[]
  path: string
  form: FieldForm
  /** Groups dates by the beginning of this unit, in UTC. */
  unit?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | undefined
}>

/** A value computed for each group from the values at a path. Nulls are ignored. */
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
