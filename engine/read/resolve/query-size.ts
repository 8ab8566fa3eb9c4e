import type { Filter, Populated, PopulatedValues, Query, Selection } from './query.js'

/** Estimated bytes of memory, rather too high than too low. */
const perField = 120
const perNode = 600
const perReference = 16

/** Estimates the bytes of a query. Shared parts are counted once. */
export function sizeOfQuery({ selection, filter, sort }: Query): number {
  const nodes = sort.length + (filter === null ? 0 : nodesOf(filter))
  return nodes * perNode + sizeOfSelection(selection)
}

/** Estimates the bytes of a selection and everything below it, without the parts in `counted`. */
export function sizeOfSelection(selection: Selection, counted = new Set<object>()): number {
  if (counted.has(selection)) return 0
  counted.add(selection)
  const { leading, fields, trailing, populated } = selection
  const shown = leading.length + fields.length + trailing.length
  return populated.reduce(
    (sum, member) => sum + sizeOfPopulated(member, counted),
    perNode + shown * perField,
  )
}

function sizeOfPopulated(member: Populated, counted: Set<object>): number {
  if (counted.has(member)) return perReference
  counted.add(member)
  return partsOf(member).reduce((sum, part) => sum + sizeOfPart(part, counted), perNode)
}

function partsOf(member: Populated): readonly PopulatedValues[] {
  if (member.kind === 'zone') return [...member.components.values()]
  return member.kind === 'morph' ? [...member.edges.values()] : [member]
}

function sizeOfPart({ selection, filter, sort }: PopulatedValues, counted: Set<object>): number {
  const nodes = sort.length + (filter === null ? 0 : nodesOf(filter))
  return nodes * perNode + sizeOfSelection(selection, counted)
}

function nodesOf(filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'any':
    case 'none':
      return filter.of.reduce((sum, member) => sum + nodesOf(member), 1)
    case 'component':
    case 'edge':
      return 1 + nodesOf(filter.of)
    case 'test':
    case 'version':
    case 'modified':
      return 1
  }
}
