import type { Slot } from '../resolve/query.js'
import type { Condition } from './read-plan.js'

type Open = Condition<Slot>
type Group = 'all' | 'any'
type Existential = Extract<Open, { kind: 'related' | 'element' }>

/**
 * Conditions that have to hold all together, or of which any has to. Those on the same relation become
 * one, which costs one command, wherever one target has to satisfy them: with `any` always (a target
 * that satisfies one of them exists, or none does), with `all` where there is one target at most.
 *
 * `filters[$or][0][author][name]=Ana&filters[$or][1][author][city]=Rome` asks for authors once.
 */
export function combineConditions(kind: Group, members: readonly Open[]): Open {
  const found = new Map<string, Existential>()
  const rest: (Open | string)[] = []
  for (const member of flatten(kind, members)) {
    const key = keyOf(kind, member)
    if (key === undefined) {
      rest.push(member)
      continue
    }
    const before = found.get(key)
    if (before === undefined) rest.push(key)
    found.set(key, before === undefined ? (member as Existential) : join(kind, before, member))
  }
  const of = rest.flatMap((it) => (typeof it === 'string' ? (found.get(it) ?? []) : it))
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { kind, of }
}

function flatten(kind: Group, members: readonly Open[]): readonly Open[] {
  return members.flatMap((member) => (member.kind === kind ? flatten(kind, member.of) : member))
}

/** The same for conditions that may become one. */
function keyOf(kind: Group, member: Open): string | undefined {
  if (member.kind === 'related') {
    return kind === 'any' || !member.link.many ? JSON.stringify(member.link) : undefined
  }
  return member.kind === 'element' && kind === 'any' ? member.path : undefined
}

/** What holds where there is no target or element is combined like what holds of one. */
function join(kind: Group, first: Existential, second: Open): Existential {
  const either = (a: boolean, b: boolean) => (kind === 'any' ? a || b : a && b)
  if (first.kind === 'related' && second.kind === 'related') {
    const of = combineConditions(kind, [first.of, second.of])
    return { ...first, of, orNone: either(first.orNone, second.orNone) }
  }
  if (first.kind === 'element' && second.kind === 'element') {
    const of = combineConditions(kind, [first.of, second.of])
    return { ...first, of, orEmpty: either(first.orEmpty, second.orEmpty) }
  }
  throw new Error('conditions of two kinds have no key in common')
}
