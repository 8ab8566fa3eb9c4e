import { isScalar, type Attribute, type ComponentAttribute } from '../../engine/schema/attribute.js'
import type { Structure } from '../../engine/schema/content-type.js'
import { isGenerated } from '../../engine/schema/generated-uids.js'
import { isReferring } from '../../engine/schema/edge-attribute.js'
import { formsOf } from './scalar-types.js'
import { literal, union, type Member } from './source-text.js'
import { nameOf, type TypeContext } from './structure-types.js'

/** How strictly a body is looked at: a draft's, that of something new, that of a change. */
type InputKind = 'Draft' | 'Create' | 'Update'

/** All that a body may hold. Of a draft nothing has to be there, and all that is no list may be null. */
export const draftMembers = (structure: Structure, context: TypeContext): readonly Member[] =>
  writable(structure).map((attribute) => ({
    name: attribute.name,
    optional: true,
    type: typeOf(attribute, 'Draft', context),
  }))

/** Where a new value, or a change to one, is looked at more strictly than a draft's. */
export function stricterMembers(
  structure: Structure,
  kind: 'Create' | 'Update',
  context: TypeContext,
): readonly Member[] {
  return writable(structure).flatMap((attribute) => {
    const type = typeOf(attribute, kind, context)
    const optional =
      kind === 'Update' || !isRequired(attribute, kind, context) || hasDefault(attribute)
    const isAsDraft = optional && type === typeOf(attribute, 'Draft', context)
    return isAsDraft ? [] : { name: attribute.name, type, optional }
  })
}

const writable = ({ attributes }: Structure): readonly Attribute[] =>
  [...attributes.values()].filter(({ writable }) => writable !== false)

/** What is not visible beside other values is not required; what another side holds is none of this one's. */
function isRequired(attribute: Attribute, kind: InputKind, { settings }: TypeContext): boolean {
  if (!attribute.required || attribute.visibleIf !== undefined) return false
  if (kind === 'Create' && isGenerated(attribute)) return !settings['api.rest.generateUids']
  if (!isReferring(attribute)) return true
  return (
    settings['validation.requiredRelations'] && !(attribute.type === 'relation' && !attribute.owner)
  )
}

const hasDefault = (attribute: Attribute): boolean =>
  isScalar(attribute) && attribute.default !== undefined

function typeOf(attribute: Attribute, kind: InputKind, context: TypeContext): string {
  const type = valueOf(attribute, kind, context)
  const isList = attribute.type === 'dynamiczone' || isRepeatable(attribute)
  const isNull = !isList && (kind === 'Draft' || !isRequired(attribute, kind, context))
  // Any value is unknown, null among them.
  return isNull && type !== 'unknown' ? `${type} | null` : type
}

const isRepeatable = (attribute: Attribute): attribute is ComponentAttribute =>
  attribute.type === 'component' && attribute.repeatable

function valueOf(attribute: Attribute, kind: InputKind, context: TypeContext): string {
  switch (attribute.type) {
    case 'component': {
      const value = componentInput(attribute.component, kind, context)
      return attribute.repeatable ? `readonly (${value})[]` : value
    }
    case 'dynamiczone': {
      const values = attribute.components.map(
        (uid) => `({ __component: ${literal(uid)} } & ${nameOf(context, uid)}${zoneKind(kind)})`,
      )
      return `readonly (${union(values)})[]`
    }
    case 'media':
      return 'Inputs.MediaInput'
    case 'relation':
      return 'Inputs.RelationInput'
    case 'morph':
      return 'Inputs.MorphInput<keyof MorphTargets>'
    default:
      return formsOf(attribute).given
  }
}

/** A change names by `id` what it keeps the rest of. */
function componentInput(uid: string, kind: InputKind, context: TypeContext): string {
  const name = nameOf(context, uid)
  return kind === 'Update' ? `${name}Create | ${name}Update` : `${name}${kind}`
}

/** The values of a zone are written as a whole. */
const zoneKind = (kind: InputKind): InputKind => (kind === 'Draft' ? 'Draft' : 'Create')
