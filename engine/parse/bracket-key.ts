import { exceeded } from '../exceeded.js'
import { maxDepth } from './parse-limits.js'

/** One level of a key: `[name]`, `[3]`, or `[]`, which is the next place of a list. */
export type Step =
  Readonly<{ kind: 'name'; name: string }> | Readonly<{ kind: 'index'; index: number }>

/**
 * `filters[title][$in][0]` to steps, by the rules of `qs`: what stands between two brackets belongs to
 * no name, and a bracket that does not close is text. An empty key has none. `isList`: whether several
 * values were sent for it. Throws a 400 for more than 20 levels, and for an index beyond the limit.
 */
export function parseBracketKey(
  key: string,
  isList: boolean,
  maxArrayLength: number,
): readonly Step[] {
  const segments = segmentsOf(key)
  const steps: Step[] = []
  // A list in a list by `[]` is the same list, so what is inside decides.
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

/** Where the bracket closes that opens here, with those in it; -1 where it does not. */
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
