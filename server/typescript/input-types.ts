import { isScalar, type Attribute, type ComponentAttribute } from '../../engine/schema/attribute.js'
import type { Structure } from '../../engine/schema/content-type.js'
import { isGenerated } from '../../engine/schema/generated-uids.js'
import { isReferring } from '../../engine/schema/edge-attribute.js'
import { formsOf } from './scalar-types.js'
import { literal, union, type Member } from './source-text.js'
import { nameOf, type TypeContext } from './structure-types.js'

/** Kinds of input types, which differ in what is required. */
type InputKind = 'Draft' | 'Create' | 'Update'

/** Returns the members of a draft's body: all optional, and all except lists may be null. */
export const draftMembers = (structure: Structure, context: TypeContext): readonly Member[] =>
  writable(structure).map((attribute) => ({
    name: attribute.name,
    optional: true,
    type: typeOf(attribute, 'Draft', context),
  }))

/** Returns the members that are stricter in a new entry or a change than in a draft. */
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

/**
 * Whether a body must contain the attribute. Relations that the other side stores, and attributes with a visibility
 * condition, are never required.
 */
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
  // `unknown` already includes null.
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

/** In an update, a component with an `id` changes the stored component with this id. */
function componentInput(uid: string, kind: InputKind, context: TypeContext): string {
  const name = nameOf(context, uid)
  return kind === 'Update' ? `${name}Create | ${name}Update` : `${name}${kind}`
}

/** An update replaces all components of a dynamic zone, so they must be as complete as a new entry's. */
const zoneKind = (kind: InputKind): InputKind => (kind === 'Draft' ? 'Draft' : 'Create')
