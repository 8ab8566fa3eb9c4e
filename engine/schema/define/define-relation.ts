import type { AttributeBase, RelationAttribute, RelationKind } from '../attribute.js'
import { morphKinds } from './define-morph.js'
import { present, type RawOptions } from './read-options.js'
import { didYouMean } from '../../errors/nearest-name.js'

export const relationKinds: readonly RelationKind[] = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
]

/**
 * Creates a relation. `linkRelations` checks later whether the other side fits. The side with `inversedBy`, or the only
 * side, stores the references (docs/internals/storage.md, "Relations").
 */
export function defineRelation(
  base: AttributeBase,
  raw: RawOptions,
  inComponent: boolean,
): RelationAttribute | undefined {
  const relation = readKind(raw)
  const target =
    relation && raw.requiredText('target', 'a relation needs the uid of its target content-type')
  const mappedBy = raw.text('mappedBy')
  const inversedBy = raw.text('inversedBy')
  if (mappedBy !== undefined && inversedBy !== undefined)
    raw.warn(
      'mappedBy',
      'a relation can have mappedBy (on the inverse side) or inversedBy (on the owning side), not both. Quire uses inversedBy',
    )
  const named = inversedBy ?? mappedBy
  if (inComponent && named !== undefined)
    raw.warn(
      inversedBy === undefined ? 'mappedBy' : 'inversedBy',
      'the relation is stored in the component, and has no inverse side',
    )
  const inverseSide = inComponent ? undefined : named
  if (relation === undefined || target === undefined) return undefined
  const { many, exclusive } = traitsOf(relation)
  return {
    ...base,
    type: 'relation',
    relation,
    target,
    owner: inverseSide === undefined || inversedBy !== undefined,
    ...present({ inverseSide }),
    many,
    exclusive: inverseSide !== undefined && exclusive,
  }
}

/** Returns whether one side of a relation is a list, and whether each target has only one source. */
export const traitsOf = (
  relation: RelationKind,
): Pick<RelationAttribute, 'many' | 'exclusive'> => ({
  many: relation.endsWith('ToMany'),
  exclusive: relation.startsWith('oneTo'),
})

function readKind(raw: RawOptions): RelationKind | undefined {
  const given = raw.requiredText('relation', `a relation is one of ${relationKinds.join(', ')}`)
  const kind = relationKinds.find((known) => known === given)
  if (kind !== undefined || given === undefined) return kind
  const known = [...relationKinds, ...morphKinds]
  raw.report('relation', `there is no relation "${given}"${didYouMean(given, known)}`)
  return undefined
}
