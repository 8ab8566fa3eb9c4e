import type { RawFilter } from '../parse/raw-query.js'
import type { Comparison } from './comparison.js'
import { comparisonOf } from './comparison.js'
import type { Filter } from './query.js'
import type { Scope } from './scope.js'

/** For the parts of a filter below a name: a comparison, or another name. */
export type Handlers = Readonly<{
  is: (comparison: Comparison, negated: boolean) => Filter
  at: (raw: Extract<RawFilter, { kind: 'at' }>, negated: boolean) => Filter
}>

/** Resolves `filters[title][$or][0][$eq]=a` (docs/internals/decisions.md, "Logical operators under an attribute"). */
export function resolveUnder(
  scope: Scope,
  raw: RawFilter,
  negated: boolean,
  handlers: Handlers,
): Filter {
  switch (raw.kind) {
    case 'all':
    case 'any': {
      const kind = (raw.kind === 'all') === negated ? 'any' : 'all'
      return { kind, of: raw.of.map((member) => resolveUnder(scope, member, negated, handlers)) }
    }
    case 'not':
      return resolveUnder(scope, raw.of, !negated, handlers)
    case 'is':
      return handlers.is(comparisonOf(raw, scope.slots), negated)
    case 'at':
      return handlers.at(raw, negated)
  }
}
