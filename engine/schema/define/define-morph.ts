import type { AttributeBase, MorphAttribute, MorphKind, RelationAttribute } from '../attribute.js'
import type { RawOptions } from './read-options.js'

const inverse: readonly MorphKind[] = ['morphOne', 'morphMany']

/** `morphToOne` and `morphToMany` store the references; the others are inverse sides. */
export const morphKinds: readonly string[] = ['morphToOne', 'morphToMany', ...inverse]

export function isMorphKind(relation: unknown): relation is string {
  return typeof relation === 'string' && morphKinds.includes(relation)
}

/**
 * Creates one side of a polymorphic relation. As in Strapi, the `target` of the owning side is ignored, because it can
 * refer to any type. An inverse side that does not name the owning type and attribute is ignored with a warning.
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
      `it is left out: entries cannot refer to a component, so it cannot have ${relation}`,
    )
  else if (inverseSide === undefined)
    raw.warn('morphBy', `it is left out: ${expected} the name of the attribute that stores it`)
  if (target === undefined || inverseSide === undefined || inComponent) return undefined
  const many = relation === 'morphMany'
  const side = { owner: false, inverseSide, referredAs: uid, many, exclusive: false }
  return { ...base, type: 'relation', relation, target, ...side }
}
