import { exceeded } from './bounds.js'
import { maxDepth } from './parse-limits.js'

/** A query string as nested data: objects without prototype, and null for a key without `=`. */
export type QueryNode = string | null | readonly QueryNode[] | { readonly [key: string]: QueryNode }

/**
 * A tree of the keys added so far, with the same result as `qs`, but without holes in lists. Adding a key takes time in
 * proportion to its levels. `qs` visits every lower index on each level of a key such as `a[999]`.
 */
export type Tree = Text | List | Members
type Text = string | null
/** `length` is the next index. `mixed`: whether an object and strings were sent under the same name. */
type List = { kind: 'list'; items: Map<number, Tree>; length: number; mixed: boolean }
/** `mixed`: if the object was created from a list with `mixed`, the highest index of that list. */
export type Members = { kind: 'members'; items: Map<string, Tree>; mixed: number | null }

/** A key split into steps, and its values. */
type Sent = Readonly<{ steps: readonly Step[]; values: readonly Text[]; limit: number }>

export const createMembers = (): Members => ({ kind: 'members', items: new Map(), mixed: null })

/** Adds a key and its values to a tree. Throws a 400 if a list gets longer than the limit. */
export function addKey(
  root: Members,
  steps: readonly Step[],
  values: readonly Text[],
  limit: number,
): void {
  merge(root, { steps, values, limit }, 0)
}

function merge(target: Tree, sent: Sent, at: number): Tree {
  const step = sent.steps[at]
  if (step === undefined && sent.values.length === 1) {
    return mergeText(target, sent.values[0] ?? null, sent.limit)
  }
  if (target === null || typeof target === 'string') return withText(target, sent, at)
  if (target.kind === 'list' && step?.kind !== 'name') return mergeLists(target, sent, at)
  const members = target.kind === 'list' ? membersOf(target) : target
  for (const [place, value] of placesOf(sent, at)) {
    const name = String(place)
    const before = members.items.get(name)
    members.items.set(name, before === undefined ? value() : mergeItem(before, sent, at, value))
    if (members.mixed !== null && isPlace(name)) {
      members.mixed = Math.max(members.mixed, Number(name))
    }
  }
  return members
}

/**
 * Returns the positions that a key fills on this level, each with a function that builds the value there. If the key
 * has no further step, each of its values has its own position.
 */
function placesOf(sent: Sent, at: number): readonly (readonly [number | string, () => Tree])[] {
  const step = sent.steps[at]
  if (step === undefined) return sent.values.map((value, place) => [place, () => value])
  const place = step.kind === 'name' ? step.name : step.index
  return [[place, () => grow(sent, at + 1)]]
}

/** Builds the tree of the remaining steps. */
function grow(sent: Sent, at: number): Tree {
  const step = sent.steps[at]
  if (step === undefined && sent.values.length === 1) return sent.values[0] ?? null
  if (step?.kind === 'name') {
    const members = createMembers()
    members.items.set(step.name, grow(sent, at + 1))
    return members
  }
  const list: List = { kind: 'list', items: new Map(), length: 0, mixed: false }
  return mergeLists(list, sent, at)
}

function mergeItem(before: Tree, sent: Sent, at: number, value: () => Tree): Tree {
  // After the last step, only values are left: strings or null.
  if (sent.steps[at] !== undefined) return merge(before, sent, at + 1)
  const text = value()
  return typeof text === 'string' ? mergeText(before, text, sent.limit) : before
}

function mergeText(target: Tree, text: Text, limit: number): Tree {
  if (text === null || text === '') return target
  if (target === null || typeof target === 'string') return pair(target, text, false, limit)
  if (target.kind === 'list') {
    if (target.items.size >= limit) throw tooLong(limit)
    target.items.set(target.length, text)
    target.length += 1
    return target
  }
  if (target.mixed === null) return pair(target, text, true, limit)
  target.mixed += 1
  if (target.mixed >= limit) throw tooLong(limit)
  target.items.set(String(target.mixed), text)
  return target
}

function pair(first: Tree, second: Tree, mixed: boolean, limit: number): List {
  if (limit < 2) throw tooLong(limit)
  const items = new Map([
    [0, first],
    [1, second],
  ])
  return { kind: 'list', items, length: 2, mixed }
}

/**
 * Puts an existing string and an added value into one list, as for `a=1&a[b]=2` and `a=1&a[3]=2`. The indexes of an
 * added list, as in the second example, move up by one.
 */
function withText(target: Text, sent: Sent, at: number): List {
  const added = grow(sent, at)
  const list: List = { kind: 'list', items: new Map([[0, target]]), length: 1, mixed: false }
  const isList = added !== null && typeof added === 'object' && added.kind === 'list'
  for (const [place, item] of isList ? added.items : [[0, added] as const]) {
    list.items.set(place + 1, item)
    list.length = Math.max(list.length, place + 2)
  }
  if (list.length > sent.limit) throw tooLong(sent.limit)
  return list
}

function mergeLists(target: List, sent: Sent, at: number): List {
  for (const [place, value] of placesOf(sent, at)) {
    const index = Number(place)
    const before = target.items.get(index)
    const isNested =
      at + 1 < sent.steps.length || (at < sent.steps.length && sent.values.length > 1)
    if (before === undefined) set(target, index, value())
    else if (isNested && before !== null && typeof before === 'object') {
      target.items.set(index, merge(before, sent, at + 1))
    } else set(target, target.length, value())
  }
  if (target.items.size > sent.limit) throw tooLong(sent.limit)
  return target
}

function set(list: List, index: number, value: Tree): void {
  list.items.set(index, value)
  list.length = Math.max(list.length, index + 1)
}

function membersOf({ items, length, mixed }: List): Members {
  const members = createMembers()
  for (const [index, item] of inOrder(items)) members.items.set(String(index), item)
  return { ...members, mixed: mixed ? length - 1 : null }
}

const isPlace = (name: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(name)

/** Sorts items by index, unless they were sent in order. */
function inOrder(items: ReadonlyMap<number, Tree>): readonly (readonly [number, Tree])[] {
  const entries = [...items]
  const isSorted = entries.every(([index], at) => index >= (entries[at - 1]?.[0] ?? 0))
  return isSorted ? entries : entries.sort(([a], [b]) => a - b)
}

function tooLong(limit: number): Error {
  return exceeded('An array of the query string', 'api.rest.maxArrayLength', limit)
}

/** Converts a tree to arrays and objects without prototype. Recursion is safe, because the depth is limited. */
export function nodeOf(tree: Members): { readonly [key: string]: QueryNode }
export function nodeOf(tree: Tree): QueryNode
export function nodeOf(tree: Tree): QueryNode {
  if (tree === null || typeof tree === 'string') return tree
  if (tree.kind === 'list') return inOrder(tree.items).map(([, item]) => nodeOf(item))
  const members = Object.create(null) as Record<string, QueryNode>
  for (const [name, item] of tree.items) members[name] = nodeOf(item)
  return members
}

/** One level of a key: `[name]`, `[3]`, or `[]`, which is the next index of a list. */
type Step = Readonly<{ kind: 'name'; name: string }> | Readonly<{ kind: 'index'; index: number }>

/**
 * Parses a key such as `filters[title][$in][0]` like `qs`: text after a `]` is ignored up to the next `[`, and an
 * unclosed bracket is part of a name. Throws a 400 for more than 20 levels, or an index beyond the limit.
 * @param isList whether several values were sent for the key
 */
export function parseBracketKey(
  key: string,
  isList: boolean,
  maxArrayLength: number,
): readonly Step[] {
  const segments = segmentsOf(key)
  const steps: Step[] = []
  // `[]` adds no level before another index, as in `a[][0]`, so begin with the last segment.
  let inner: Step['kind'] | 'text' = isList ? 'index' : 'text'
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const { name, bracketed } = segments[at] ?? { name: '', bracketed: false }
    if (bracketed && name === '' && inner === 'index') continue
    const step = bracketed ? stepOf(name, maxArrayLength) : { kind: 'name' as const, name }
    steps.push(step)
    inner = step.kind
  }
  return steps.reverse()
}

type Segment = Readonly<{ name: string; bracketed: boolean }>

function segmentsOf(key: string): readonly Segment[] {
  let open = key.indexOf('[')
  const head = open < 0 ? key : key.slice(0, open)
  const segments: Segment[] = head === '' ? [] : [{ name: head, bracketed: false }]
  for (let depth = 0; open >= 0; depth += 1) {
    if (depth === maxDepth) throw exceeded('The nesting of the query string', 'depth', maxDepth)
    const close = closeOf(key, open)
    if (close < 0) return [...segments, { name: key.slice(open), bracketed: true }]
    segments.push({ name: key.slice(open + 1, close), bracketed: true })
    open = key.indexOf('[', close + 1)
  }
  return segments
}

/** Returns the index of the bracket that closes the one at `open`, or -1. */
function closeOf(key: string, open: number): number {
  let level = 1
  for (let at = open + 1; at < key.length; at += 1) {
    const character = key[at]
    if (character === '[') level += 1
    else if (character === ']') {
      level -= 1
      if (level === 0) return at
    }
  }
  return -1
}

function stepOf(name: string, maxArrayLength: number): Step {
  if (name === '') return { kind: 'index', index: 0 }
  const index = /^\d{1,16}$/.test(name) ? Number(name) : NaN
  if (String(index) !== name) return { kind: 'name', name }
  if (index < maxArrayLength) return { kind: 'index', index }
  throw exceeded('An array of the query string', 'api.rest.maxArrayLength', maxArrayLength)
}
