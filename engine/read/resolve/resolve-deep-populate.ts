import type { ApiError } from '../../errors.js'
import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import { costs } from '../cost/cost-units.js'
import type { PopulateTree, Populated, Selection } from './query.js'
import { sizeOfSelection } from './query-size.js'
import type { RawDeepPopulate } from '../parse/raw-query.js'
import { maxPopulatedNames } from '../parse/raw-query.js'
import type { DeepRules } from './resolve-deep-tree.js'
import { resolveDeepTree } from './resolve-deep-tree.js'
import { checkIgnoredNames } from './resolve-ignored-names.js'
import type { Scope } from './scope.js'
import { knownSelection } from './scope.js'

/**
 * Resolves deep populate, cached by type, depth, ignored names and the caller's permissions. Throws a 400 for ignored
 * names that do not occur, and as soon as the tree costs more than `api.rest.maxCost`, whatever the database contains.
 */
export function resolveDeepPopulate(
  scope: Scope,
  type: ContentType,
  raw: RawDeepPopulate,
): Selection {
  return knownSelection(scope, type, `deep ${JSON.stringify(raw)}`, () =>
    makeTree(scope, type, raw),
  )
}

function makeTree(scope: Scope, type: ContentType, raw: RawDeepPopulate): PopulateTree {
  const { levels } = raw
  const ignore = new Set(raw.ignore)
  checkIgnoredNames(scope, type, levels, ignore)
  const { maxCost } = scope.rules.deepPopulate
  const make = (depth: number, limit: number): Selection | TooExpensive => {
    const charge = chargeUpTo(limit)
    try {
      return resolveDeepTree(scope, type, { levels: depth, ignore, charge })
    } catch (error) {
      if (error instanceof TooExpensive) return error
      throw error
    }
  }
  const made = make(levels, maxCost)
  if (!(made instanceof TooExpensive))
    return { kind: 'tree', selection: made, size: sizeOfSelection(made) }
  const error = refusal(made.cost, maxCost, make)
  return { kind: 'refused', error: error.toMessage(), size: refusalBytes }
}

/**
 * Adds up the minimum cost of a tree. Throws `TooExpensive` beyond the limit. Equal parts are read once, so each is
 * counted once. With more than `maxPopulatedNames` parts, repeated ones are counted, too. Planning later checks the
 * cost for the actual content.
 */
function chargeUpTo(limit: number): DeepRules['charge'] {
  let [parts, differing, all] = [0, 0, 0]
  return (own, again) => {
    if (own > 0) parts += 1
    differing += own
    all += own + again
    if (differing > limit || (parts > maxPopulatedNames && all > limit)) throw new TooExpensive(all)
  }
}

/** `cost` is that of all parts so far, including repeated ones. */
class TooExpensive extends Error {
  constructor(readonly cost: number) {
    super('The tree costs too much')
  }
}

const refusalBytes = 2000

const maxBranchesShown = 5

/** Returns the 400 for a tree that costs too much, with the most expensive branches of the deepest allowed tree. */
function refusal(
  cost: number,
  maxCost: number,
  make: (depth: number, limit: number) => Selection | TooExpensive,
): ApiError {
  // Begin with two levels (the entries and their direct targets), because the attributes of the content-type limit the
  // size of this tree.
  let next = make(2, Infinity)
  let fitting = next
  for (let depth = 3; !(next instanceof TooExpensive); depth += 1) {
    fitting = next
    next = make(depth, maxCost)
  }
  const populated = fitting instanceof TooExpensive ? [] : fitting.populated
  const known = new Map<Selection, number>()
  const branches = populated.map((member) => ({
    part: `populate ${member.kind === 'edge' ? member.name : member.attribute.name}`,
    cost: costOfBranch(member, known),
  }))
  const mostExpensive = branches.toSorted((a, b) => b.cost - a.cost).slice(0, maxBranchesShown)
  const bound = 'api.rest.maxCost'
  const what = `The estimated cost of more than ${cost}`
  return fail(
    'limit-exceeded',
    { what, bound, limit: maxCost },
    { bound, limit: maxCost, cost, dearest: mostExpensive },
  )
}

/** Returns the cost of a branch's commands, one per edge. `known` are the costs of shared selections. */
function costOfBranch(member: Populated, known: Map<Selection, number>): number {
  if (member.kind === 'edge') return costs.command + costBelow(member.selection, known)
  const parts =
    member.kind === 'zone'
      ? [...member.components.values()]
      : member.kind === 'morph'
        ? [...member.edges.values()]
        : [member]
  return parts.reduce<number>(
    (sum, { selection }) => sum + costs.command + costBelow(selection, known),
    0,
  )
}

function costBelow(selection: Selection, known: Map<Selection, number>): number {
  const there = known.get(selection)
  if (there !== undefined) return there
  const cost = selection.populated.reduce((sum, it) => sum + costOfBranch(it, known), 0)
  known.set(selection, cost)
  return cost
}
