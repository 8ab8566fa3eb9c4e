import type {
  AttributeBase,
  RelationAttribute,
  RelationKind,
  MorphAttribute,
  MorphKind,
} from '../attribute.js'
import { present, type RawOptions } from './read-options.js'
import { didYouMean } from '../../errors/nearest-name.js'

const inverse: readonly MorphKind[] = ['morphOne', 'morphMany']

/** The kinds of polymorphic relations. `morphToOne` and `morphToMany` store the relation. */
const morphKinds: readonly string[] = ['morphToOne', 'morphToMany', ...inverse]

export function isMorphKind(relation: unknown): relation is string {
  return typeof relation === 'string' && morphKinds.includes(relation)
}

/**
 * Creates one side of a polymorphic relation. The owner refers to entries of any content-type, so its `target` is
 * ignored, as in Strapi. An inverse side is left out unless it names the owner's type and the attribute there.
 */
export function defineMorph(
  base: AttributeBase,
  raw: RawOptions,
  { uid, inComponent }: Readonly<{ uid: string; inComponent: boolean }>,
): MorphAttribute | RelationAttribute | undefined {
  const given = raw.get('relation')
  const relation = inverse.find((kind) => kind === given)
  if (relation === undefined) return { ...base, type: 'morph', many: given === 'morphToMany' }
  const expected = 'the other side of a polymorphic relation needs'
  const target = raw.requiredText('target', `${expected} the uid of the type that stores it`)
  const inverseSide = raw.text('morphBy')
  if (inComponent)
    raw.warn(
      'relation',
      `it is left out: a component cannot be referred to, so that it has no ${relation}`,
    )
  else if (inverseSide === undefined)
    raw.warn('morphBy', `it is left out: ${expected} the name of the attribute that stores it`)
  if (target === undefined || inverseSide === undefined || inComponent) return undefined
  const many = relation === 'morphMany'
  const side = { owner: false, inverseSide, referredAs: uid, many, exclusive: false }
  return { ...base, type: 'relation', relation, target, ...side }
}

export const relationKinds: readonly RelationKind[] = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
]

/**
 * Creates a relation from its definition. `linkRelations` checks whether the other end agrees. The owner is the side
 * with `inversedBy`, or the only side. Two-sided oneToOne and oneToMany are exclusive (docs/storage.md, "Relations").
 */
export function defineRelation(
  base: AttributeBase,
  raw: RawOptions,
  inComponent: boolean,
): RelationAttribute | undefined {
  const relation = readKind(raw)
  const target =
    relation &&
    raw.requiredText('target', 'a relation needs the uid of the content-type it leads to')
  const mappedBy = raw.text('mappedBy')
  const inversedBy = raw.text('inversedBy')
  if (mappedBy !== undefined && inversedBy !== undefined)
    raw.warn(
      'mappedBy',
      'a relation has mappedBy (it is the inverse side) or inversedBy (it owns), not both: it owns',
    )
  const named = inversedBy ?? mappedBy
  if (inComponent && named !== undefined)
    raw.warn(
      inversedBy === undefined ? 'mappedBy' : 'inversedBy',
      'the relation is stored here: inside a component it has one side only',
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

/** Returns the properties of one side of a relation that the kind of the relation determines. */
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
