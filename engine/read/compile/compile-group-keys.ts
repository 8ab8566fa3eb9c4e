import type { Document } from 'mongodb'
import { compileLookup, dependsOnParent, unwind } from './compile-lookup.js'
import type { GroupKeyPlan, SortStep, FieldForm, Link } from '../plan/read-plan.js'

/** The targets of a to-many relation that were read in advance, and the distinct combinations of their values. */
export type KnownTargets = Readonly<{
  /** The keys of the targets. For each of them, `places` contains the index of its combination. */
  keys: readonly string[]
  places: readonly number[]
  combinations: readonly Document[]
}>

/** Expression: the `documentKey` of a target. */
export function compileTargetKey(link: Link, documentId: string): unknown {
  return dependsOnParent(link) ? { $concat: [documentId, ' ', '$locale'] } : documentId
}

/** The index that stands for the combination of a missing target. */
const nowhere = -1

/** Expression: the set of the indexes of an entry's combinations. It is sorted, so that equal sets compare as equal. */
function compilePlaces(link: Link, { keys, places }: KnownTargets): Document {
  const references = `$${link.path}.documentId`
  const found = { $indexOfArray: [{ $literal: keys }, compileTargetKey(link, '$$this')] }
  // For a missing key, `$indexOfArray` returns -1, which selects the last element: `nowhere`.
  const place = { $arrayElemAt: [{ $literal: [...places, nowhere] }, found] }
  const all = { $map: { input: references, in: place } }
  const set = { $setUnion: [{ $setDifference: [all, [nowhere]] }] }
  return { $cond: [{ $isArray: [references] }, set, []] }
}

function compileCombinations({ combinations }: KnownTargets, places: string): Document {
  const combination = { $arrayElemAt: [{ $literal: combinations }, '$$this'] }
  // `$setUnion` removes combinations that are equal although their numbers have different BSON types.
  return { $setUnion: [{ $map: { input: places, in: combination } }] }
}

type Valued = Pick<GroupKeyPlan, 'form' | 'unit'>

/**
 * Expression: the value of an attribute as entries show it. Null if the stored value has another type, because the
 * definition has changed. If the key has a unit, the date is truncated to it.
 * @param at expression of the stored value
 */
export function compileGroupValue({ form, unit }: Valued, at: string): Document {
  const value = unit === undefined ? at : compileBeginning(form, unit, at)
  return { $cond: [isOfForm(form, at), value, null] }
}

const bsonTypes: Readonly<Partial<Record<FieldForm, string>>> = {
  text: 'string',
  boolean: 'bool',
  date: 'date',
}

function isOfForm(form: FieldForm, at: string): Document {
  const type = bsonTypes[form]
  return type === undefined ? { $isNumber: at } : { $eq: [{ $type: at }, type] }
}

/**
 * Expression: a date truncated to its `unit`. Dates without a time are strings (docs/internals/storage.md, "An entry
 * version").
 */
function compileBeginning(form: FieldForm, unit: string, at: string): Document {
  const begin = (date: unknown): Document => ({
    $dateTrunc: { date, unit, startOfWeek: 'monday' },
  })
  if (form === 'date') return begin(at)
  const format = '%Y-%m-%d'
  const date = { $dateFromString: { dateString: at, format, onError: null, onNull: null } }
  return { $dateToString: { date: begin(date), format } }
}

/** Group keys whose paths begin with the same step. The step is looked up once for all of them. */
export type Branch = Readonly<{
  step: SortStep
  /** Keys whose paths end with this step. */
  keys: readonly PlacedKey[]
  branches: readonly Branch[]
}>

/** A group key and its index in the plan, `at`. */
type PlacedKey = Readonly<{ key: GroupKeyPlan; at: number }>

/** Arranges group keys in a tree. Keys whose paths begin with the same steps share these steps. */
export function branchesOf(keys: readonly GroupKeyPlan[]): readonly Branch[] {
  return branchesAt(
    keys.map((key, at) => ({ key, at })),
    0,
  )
}

function branchesAt(keys: readonly PlacedKey[], depth: number): readonly Branch[] {
  const byStep = new Map<string, { step: SortStep; members: PlacedKey[] }>()
  for (const placed of keys) {
    const step = placed.key.through[depth]
    if (step === undefined) continue
    const name = JSON.stringify(step)
    const there = byStep.get(name)
    if (there === undefined) byStep.set(name, { step, members: [placed] })
    else there.members.push(placed)
  }
  return [...byStep.values()].map(({ step, members }) => ({
    step,
    keys: members.filter(({ key }) => key.through.length === depth + 1),
    branches: branchesAt(members, depth + 1),
  }))
}

/** The parts of the pipeline that follow the `$group` by stored values, and form the final groups. */
export type CompiledBranches = Readonly<{
  /** Fields for the `_id` of the first `$group`: the stored values that the branches need. */
  held: Document
  /** Stages that look up or unwind the branches. Their result is one document for each combination of values. */
  stages: readonly Document[]
  /** The expression of each key, by the key's index in the plan. */
  values: ReadonlyMap<number, unknown>
}>

/**
 * Compiles the stages after the first `$group`. They first copy the values from `_id` back to the paths where an entry
 * stores them, because lookups expect them there.
 * @param known targets that were read in advance and need no lookup
 */
export function compileBranches(
  collection: string,
  branches: readonly Branch[],
  known: ReadonlyMap<Branch, KnownTargets>,
): CompiledBranches {
  const held: Document = {}
  const copies: Document = {}
  const stages: Document[] = []
  const values = new Map<number, unknown>()
  const hold = (name: string, value: unknown, path: string): void => {
    held[name] = value
    copies[path] = `$_id.${name}`
  }
  branches.forEach((branch, index) => {
    const { step } = branch
    const name = `_t${index}`
    valuesIn(branch, name, values)
    if (step.kind === 'list') {
      if (branch.branches.length === 0) {
        held[`r${index}`] = elementsOf(branch, step.path)
        copies[name] = `$_id.r${index}`
        stages.push(unwind(name))
        return
      }
      hold('e', '$_id', '_entry')
      const copy = { from: collection, localField: '_entry', foreignField: '_id' }
      const pipeline = compileTuples([branch])
      stages.push({ $lookup: { ...copy, pipeline, as: name } }, unwind(name))
      return
    }
    const { link } = step
    const targets = known.get(branch)
    if (targets !== undefined) {
      held[`r${index}`] = compilePlaces(link, targets)
      copies[name] = compileCombinations(targets, `$_id.r${index}`)
      stages.push(unwind(name))
      return
    }
    const reference = `${link.path}.documentId`
    if (link.stored === 'here') hold(`r${index}`, referencesAt(`$${reference}`), reference)
    else hold('d', '$documentId', 'documentId')
    if (dependsOnParent(link)) hold('l', '$locale', 'locale')
    stages.push(...compileLookup(link, compileBehind(branch), name), unwind(name))
  })
  const isCopied = Object.keys(copies).length > 0
  return { held, stages: [...(isCopied ? [{ $set: copies }] : []), ...stages], values }
}

/**
 * Adds to `values` the expression of each key in a branch. `name` is the field that contains one combination of values.
 */
function valuesIn(branch: Branch, name: string, values: Map<number, unknown>): void {
  for (const at of placesIn(branch)) values.set(at, { $ifNull: [`$${name}.k${at}`, null] })
}

const placesIn = ({ keys, branches }: Branch): readonly number[] => [
  ...keys.map(({ at }) => at),
  ...branches.flatMap(placesIn),
]

/** Expression: the stored references as a set, because their order must not matter. */
const referencesAt = (path: string): Document => ({
  $cond: [{ $isArray: [path] }, { $setUnion: [path] }, { $ifNull: [path, null] }],
})

/** Expression: the distinct combinations of key values in the elements of a list. */
function elementsOf({ keys }: Branch, list: string): Document {
  const inElement = ({ key, at }: PlacedKey): [string, Document] => [
    `k${at}`,
    compileGroupValue(key, `$$this.${key.path.slice(list.length + 1)}`),
  ]
  const elements = { $map: { input: `$${list}`, in: Object.fromEntries(keys.map(inElement)) } }
  return { $cond: [{ $isArray: [`$${list}`] }, { $setUnion: [elements] }, []] }
}

/**
 * Compiles stages that replace a branch's targets by the distinct combinations of their key values, including those of
 * nested branches.
 */
function compileBehind({ keys, branches }: Branch): Document[] {
  const inner = follow(branches)
  return distinct(keys, branches, inner)
}

/** Compiles stages that replace an entry by the distinct combinations of the key values in its branches. */
function compileTuples(branches: readonly Branch[]): Document[] {
  return distinct([], branches, follow(branches))
}

function distinct(
  keys: readonly PlacedKey[],
  branches: readonly Branch[],
  { stages, values }: Followed,
): Document[] {
  const id = Object.fromEntries([
    ...keys.map(({ key, at }) => [`k${at}`, compileGroupValue(key, `$${key.path}`)] as const),
    ...branches.flatMap(placesIn).map((at) => [`k${at}`, values.get(at)] as const),
  ])
  return [...stages, { $group: { _id: id } }, { $replaceWith: '$_id' }]
}

type Followed = Readonly<{ stages: readonly Document[]; values: ReadonlyMap<number, unknown> }>

/** Compiles the stages that unwind lists and look up relations. */
function follow(branches: readonly Branch[]): Followed {
  const values = new Map<number, unknown>()
  let count = 0
  const stagesOf = (branch: Branch): readonly Document[] => {
    const { step, keys } = branch
    if (step.kind === 'link') {
      const name = `_t${(count += 1)}`
      valuesIn(branch, name, values)
      return [...compileLookup(step.link, compileBehind(branch), name), unwind(name)]
    }
    for (const { key, at } of keys) values.set(at, compileGroupValue(key, `$${key.path}`))
    return [unwind(step.path), ...branch.branches.flatMap(stagesOf)]
  }
  return { stages: branches.flatMap(stagesOf), values }
}
