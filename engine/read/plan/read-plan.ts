import type { ConditionTree } from './condition-tree.js'
import type { StoredForm } from '../../values/value-forms.js'
import type { Test } from '../../values/value-test.js'

/**
 * What to do with the database for one read, as plain data: collections, stored paths, locale and
 * status are filled in, no schema is needed any more. A plan can be sent to another thread as it is.
 */
export type ReadPlan = Readonly<{
  kind: 'read'
  /** One document (`null` where there is none), or a list with `meta.pagination`. */
  answer: 'one' | 'list'
  /** `content`: `{ data, meta }`; `bare`: the document or list alone. */
  envelope: 'content' | 'bare'
  format: 'flat' | 'v4'
  collection: string
  match: Condition
  /** Each document is shown once, in the first of these locales that it has a version in; absent: every version. */
  chain?: readonly string[] | undefined
  sort: readonly SortKey[]
  skip: number
  limit: number
  node: NodePlan
  /** What is answered of the entries instead of showing them; the page is one of groups then. */
  groups?: GroupsPlan | undefined
  /** How addresses of files are written; absent: as they are stored. */
  links?: LinkPlan | undefined
  /** How `meta.pagination` is shown; null for one document and bare lists. */
  pagination: Readonly<{ by: 'page' | 'offset'; total: TotalPlan }> | null
  /**
   * Keys that one relation of a filter may yield, of the list and of what is populated in it; beyond them its
   * targets are looked up for each entry.
   */
  maxKeys: Readonly<{ listed: number; populated: number }>
  /**
   * Targets of one relation that are put in order beforehand, for the sort of the list and of what is populated
   * in it; beyond them they are looked up for each entry.
   */
  maxRanked: Readonly<{ listed: number; populated: number }>
  /** What spares the database going through entries again; absent: nothing does. */
  shortcuts?: Shortcuts | undefined
  /** `api.rest.maxPopulatedEntries`. */
  maxPopulatedEntries: number
  /** Milliseconds that the database may work (`api.rest.queryTimeoutMs`). */
  timeoutMs: number
  /** Whether it shows what was just written, and so is not from a secondary; absent = as the URI prefers. */
  fromPrimary?: boolean | undefined
  /** Whether all its commands read as of one moment (`database.snapshotReads`). */
  snapshot?: boolean | undefined
  /** `api.rest.maxAnswerBytes`. */
  maxAnswerBytes: number
  /** How many documentIds of what it shows the answer is to name (`ReadAnswer.shown`); absent: none. */
  shownUpTo?: number | undefined
  /** Estimated work, in units of about 10 µs; decides the lane. */
  cost: number
  /** What of it is saved where the total is known already. */
  totalCost: number
  /** Estimated size of the answer. */
  answerBytes: number
}>

/** How a list is found with less than one way through its collection for the page and one for the total. */
export type Shortcuts = Readonly<{
  /** One command finds the entries of the page and counts all: each would go through all there are. */
  together?: true
  /** The page is walked from target to target, in the order of those that it is sorted through. */
  byTarget?: true
  /** What goes through all entries in the order in which they are stored, past the index of their locale. */
  natural?: Readonly<{ page: boolean; total: boolean }>
}>

/** Signed links to files in the place of their addresses (docs/decisions.md, "Private files"). */
export type LinkPlan = Readonly<{
  key: string
  /** When they end, in seconds since 1970. */
  expires: number
  /** With what the addresses begin that are ours; the file's name follows. */
  prefixes: readonly string[]
  /** What links begin with: `/uploads/`. */
  path: string
}>

/**
 * Where the total of a list comes from: it is not asked for, it is the collection's metadata, or it is
 * counted (docs/storage.md, "Totals").
 */
export type TotalPlan = 'none' | 'metadata' | 'count'

/**
 * What is read and shown of an entry or a component value, in the order of the answer. `Open` is what may
 * stand here, and in all below, in the place of values that are bound later: nothing, in a plan that can run.
 */
export type NodePlan<Open = never> = Readonly<{
  members: readonly MemberPlan<Open>[]
  /** Of an entry: the field that holds its locale is needed to follow relations of the same locale. */
  localized: boolean
  /** Shown as `{ id, documentId, attributes }` under the v4 format; components never are. */
  entry: boolean
  /** `__component`, shown last in a dynamic zone. */
  component: string | null
  /** Shown behind the members, the same in each entry. */
  constants?: Constants | undefined
  /** Of the entries of an answer: nodes below are reached by several edges, all by equally many. */
  shared?: true
}>

export type Constants = Readonly<Record<string, boolean | string>>

export type MemberPlan<Open = never> =
  FieldPlan | ComponentPlan<Open> | ZonePlan<Open> | EdgePlan<Open> | MorphPlan<Open>

/** How a stored scalar is written as JSON. */
export type FieldForm =
  | StoredForm
  /** The address of a file. */
  | 'link'
  /** `json` with the addresses of the versions of a picture. */
  | 'versions'

export type FieldPlan = Readonly<{ kind: 'field'; name: string; path: string; form: FieldForm }>

/** Values of one component: what is shown of them, which ones, and in which order; sort keys hold no links. */
export type ValuesPlan<Open = never> = Readonly<{
  node: NodePlan<Open>
  filter: Condition<Open> | null
  /** Empty: as they are stored. */
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
  /** By component uid; values of others are left out. Sorted ones share the places that they have. */
  components: Readonly<Record<string, ValuesPlan<Open>>>
  count: boolean
}>

/** One relation, media or other reference: one command per page, whatever the number of rows. */
export type EdgePlan<Open = never> = Readonly<{
  kind: 'edge'
  name: string
  link: Link
  match: Condition<Open> | null
  /** Empty: the order in which the references are stored. */
  sort: readonly SortKey[]
  node: NodePlan<Open>
  count: boolean
  wrapped: boolean
  /** Bounds per parent; null = all. */
  page: Readonly<{ start: number; limit: number }> | Open | null
}>

/**
 * A polymorphic relation: one command per page for each type that is referred to. Sorted targets share the places
 * that those of their type have.
 */
export type MorphPlan<Open = never> = Readonly<{
  kind: 'morph'
  name: string
  /** The holder's field, which holds `{ __type, documentId }`, one or a list; of targets `anywhere`, its documentId. */
  path: string
  many: boolean
  /** By the type of a reference, or of those who refer; those of other types are left out. */
  edges: Readonly<Record<string, EdgePlan<Open>>>
  count: boolean
  wrapped: boolean
}>

/**
 * Whether one command can read the targets of both edges for the holders of both: the same is shown of the same
 * entries, in whatever order, and found by the same path unless the holders have the references.
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

/** How a holder finds its targets. */
export type Link = Readonly<{
  /** The targets' collection. */
  collection: string
  /**
   * - `here`: the holder's field `path` holds `{ documentId }`, one or a list;
   * - `there`: the target's field `path` holds the reference to the holder, and its order;
   * - `sibling`: the same document's versions (in other locales);
   * - `anywhere`: the target refers to the holder in one of `places`, and is asked for all that it refers to there.
   */
  stored: 'here' | 'there' | 'sibling' | 'anywhere'
  /** Of targets that may refer to the holder in several places: where. */
  places?: readonly LinkPlace[]
  path: string
  /** Of a polymorphic relation: the `__type` that a reference must have. */
  type?: string
  /** Whether a list is shown. */
  many: boolean
  locale: LocaleRule
  /** Whether `path` has no index of its own, so that those who refer are found by what they list. */
  listed?: true
}>

/** A place in which an entry may refer to others: a field, and the way to it through components. */
export type LinkPlace = Readonly<{
  /** As entries list it: `sections[shared.hero].image` (docs/storage.md, "References"). */
  text: string
  /** `component`: of the members of a dynamic zone, only those of this one. */
  segments: readonly Readonly<{ field: string; component?: string | undefined }>[]
  field: string
}>

/** Which of a target's locales is seen (docs/storage.md, "Relations"). */
export type LocaleRule =
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'fixed'; code: string }>
  | Readonly<{ kind: 'any'; among: readonly string[] }>
  /** The first of `among` that the target has a version in. */
  | Readonly<{ kind: 'first'; among: readonly string[] }>
  /** That of the entry the reference is in. */
  | Readonly<{ kind: 'same' }>
  /** Those of `among` that the entry itself is not in. */
  | Readonly<{ kind: 'other'; among: readonly string[] }>

export type Condition<Open = never> = ConditionTree<ConditionLeaf<Open>>

type ConditionLeaf<Open> =
  | Readonly<{ kind: 'test'; path: string; test: Test | Open }>
  /** A target satisfies `of`; `orNone`: or there is no target. */
  | Readonly<{ kind: 'related'; link: Link; of: Condition<Open>; orNone: boolean }>
  /**
   * The same document is in the linked collection and in `drafts`, written later there; `not`: it is not so. `marks`:
   * found by the drafts that are marked as modified; `own mark`: the entry is a draft, and has the mark or not.
   */
  | Readonly<{
      kind: 'modified'
      link: Link
      drafts: string
      not: boolean
      by: 'marks' | 'own mark'
    }>

/**
 * A stored path. Behind steps to several rows there are several values, of which the one that comes
 * first counts; where a step leads to no row there is a null, as in an outer join.
 */
export type SortKey = Readonly<{ through: readonly SortStep[]; path: string; direction: 1 | -1 }>

/** `list`: to the values of the repeatable component at `path`, which is written from the entry on. */
export type SortStep =
  Readonly<{ kind: 'link'; link: Link }> | Readonly<{ kind: 'list'; path: string }>

/** How the entries that a plan finds are put into groups, and what is worked out of each (docs/decisions.md, "Aggregation"). */
export type GroupsPlan = Readonly<{
  keys: readonly GroupKeyPlan[]
  count: boolean
  measures: readonly MeasurePlan[]
  /** Keys follow each other until no two groups are equal. */
  sort: readonly GroupOrderPlan[]
  /** Whether all groups are counted. */
  withTotal: boolean
}>

/** A stored path, as that of a sort key; behind what leads to several values an entry is in several groups. */
export type GroupKeyPlan = Readonly<{
  /** In the answer. */
  name: string
  through: readonly SortStep[]
  path: string
  form: FieldForm
  /** Dates are grouped by the moment that such a part of the calendar begins at, in UTC. */
  unit?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | undefined
}>

/** Of the values at a path of the entry itself; null does not count. */
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

/** The condition that everything satisfies. */
export const always = Object.freeze({ kind: 'all', of: [] } as const)
/** The condition that nothing satisfies. */
export const never = Object.freeze({ kind: 'any', of: [] } as const)

export const isNever = (condition: Condition): boolean =>
  condition.kind === 'any' && condition.of.length === 0
