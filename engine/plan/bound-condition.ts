import type { Condition } from './read-plan.js'

/** A condition whose relations have been answered: what is left can be matched by one collection. */
export type BoundCondition =
  | Readonly<{ kind: 'all' | 'any'; of: readonly BoundCondition[] }>
  | Extract<Condition, { kind: 'test' }>
  | Readonly<{ kind: 'element'; path: string; of: BoundCondition; orEmpty: boolean }>
  /** The text at `path` (or in one of its elements) is among `values`; `not`: none is. */
  | Readonly<{ kind: 'keys'; path: string; values: readonly string[]; not: boolean }>
