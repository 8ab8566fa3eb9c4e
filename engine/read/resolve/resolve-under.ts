import type { RawFilter } from '../parse/raw-query.js'
import type { Filter } from './query.js'

export type Comparison = Extract<RawFilter, { kind: 'is' }>

/** Handlers for what may follow a name in a filter: a comparison (`is`) or another name (`at`). */
export type Handlers = Readonly<{
  is: (comparison: Comparison, negated: boolean) => Filter
  at: (raw: Extract<RawFilter, { kind: 'at' }>, negated: boolean) => Filter
}>

/** Resolves `filters[title][$or][0][$eq]=a` (docs/internals/decisions.md, "Logical operators under an attribute"). */
export function resolveUnder(raw: RawFilter, negated: boolean, handlers: Handlers): Filter {
  switch (raw.kind) {
    case 'all':
    case 'any': {
      const kind = (raw.kind === 'all') === negated ? 'any' : 'all'
      return { kind, of: raw.of.map((member) => resolveUnder(member, negated, handlers)) }
    }
    case 'not':
      return resolveUnder(raw.of, !negated, handlers)
    case 'is':
      return handlers.is(raw, negated)
    case 'at':
      return handlers.at(raw, negated)
  }
}
