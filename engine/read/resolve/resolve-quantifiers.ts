import { invalidQuantifier, isQuantifier } from '../parse/quantifier.js'
import type { Filter } from './query.js'
import type { Place, Quantifier, RawFilter } from '../parse/raw-query.js'

type Targets = Readonly<{
  many: boolean
  place: Place
  ofOne: (raw: RawFilter, negated: boolean) => Filter
  /** True if at least one target matches. `strict`: see `OfTargets`. */
  some: (of: Filter, strict: boolean) => Filter
}>

/**
 * Resolves `$some`, `$none` and `$every` (docs/internals/decisions.md, "None of, every, some"), also below logical
 * operators. Conditions next to a quantifier are tested on the same target. Throws a 400 if the attribute has at most
 * one target.
 */
export function resolveTargets(raw: RawFilter, negated: boolean, targets: Targets): Filter {
  if (!holdsQuantifier(raw)) return targets.some(targets.ofOne(raw, negated), false)
  switch (raw.kind) {
    case 'not':
      return resolveTargets(raw.of, !negated, targets)
    case 'at':
      return resolveQuantifier(raw.name as Quantifier, raw.of, negated, targets)
    default: {
      const kind = (raw.kind === 'all') === negated ? 'any' : 'all'
      const beside = raw.of.filter((member) => !holdsQuantifier(member))
      const parts = [
        ...raw.of.filter(holdsQuantifier),
        ...(beside.length === 0 ? [] : [{ ...raw, of: beside }]),
      ]
      return { kind, of: parts.map((part) => resolveTargets(part, negated, targets)) }
    }
  }
}

type WithQuantifier = Exclude<RawFilter, { kind: 'is' }>

function holdsQuantifier(raw: RawFilter): raw is WithQuantifier {
  switch (raw.kind) {
    case 'all':
    case 'any':
      return raw.of.some(holdsQuantifier)
    case 'not':
      return holdsQuantifier(raw.of)
    case 'at':
      return isQuantifier(raw.name)
    case 'is':
      return false
  }
}

function resolveQuantifier(
  quantifier: Quantifier,
  of: RawFilter,
  negated: boolean,
  { many, place, ofOne, some }: Targets,
): Filter {
  if (!many) throw quantifierOfOne(quantifier, place)
  if (quantifier === '$some') return some(ofOne(of, negated), false)
  const matching = ofOne(of, false)
  const found = some(quantifier === '$none' ? matching : none(matching), true)
  return negated ? found : none(found)
}

const none = (filter: Filter): Filter => ({ kind: 'none', of: [filter] })

/** Returns the 400 for a quantifier under a to-one relation, a single component or a scalar. */
export const quantifierOfOne = (key: Quantifier, place: Place): Error =>
  invalidQuantifier(key, place, undefined, key === '$none' ? '$not' : place.path.at(-1))
