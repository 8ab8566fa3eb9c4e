import type { Filter, Populated, PopulatedValues, QueryShape, Selection } from './query.js'

/** Estimates, in bytes, of what a cache keeps: rather too much than too little. */
const perField = 120
const perNode = 600

/** `QueryShape.size`. */
export function sizeOfShape({ selection, filter, sort, slots }: Omit<QueryShape, 'size'>): number {
  const nodes = sort.length + slots.length + (filter === null ? 0 : nodesOf(filter))
  return nodes * perNode + sizeOfSelection(selection)
}

function sizeOfSelection({ leading, fields, trailing, populated }: Selection): number {
  const shown = leading.length + fields.length + trailing.length
  return populated.reduce(
    (sum, member) => sum + sizeOfPopulated(member),
    perNode + shown * perField,
  )
}

function sizeOfPopulated(member: Populated): number {
  const parts = member.kind === 'zone' ? [...member.components.values()] : [member]
  return parts.reduce((sum, part) => sum + sizeOfPart(part), perNode)
}

function sizeOfPart({ selection, filter, sort }: PopulatedValues): number {
  const nodes = sort.length + (filter === null ? 0 : nodesOf(filter))
  return nodes * perNode + sizeOfSelection(selection)
}

function nodesOf(filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'any':
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
