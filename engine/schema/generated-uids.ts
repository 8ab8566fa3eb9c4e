import { remember } from '../values/remember.js'
import { textTypes } from '../values/scalar-type.js'
import type { Attribute, ScalarAttribute } from './attribute.js'
import type { Structure } from './content-type.js'

/** A uid, and the text that it is made of. */
export type GeneratedUid = Readonly<{ attribute: ScalarAttribute; target: ScalarAttribute }>

/** The uids of a structure that have a `targetField` which holds text. */
export const generatedUids = remember(({ attributes }: Structure): readonly GeneratedUid[] =>
  [...attributes.values()].flatMap((attribute) => {
    const target = targetOf(attribute, attributes)
    return target === undefined ? [] : { attribute: attribute as ScalarAttribute, target }
  }),
)

/** Whether one may be made where a body leaves it out. */
export const isGenerated = (attribute: Attribute): boolean =>
  attribute.type === 'uid' && attribute.targetField !== undefined

function targetOf(
  attribute: Attribute,
  attributes: Structure['attributes'],
): ScalarAttribute | undefined {
  const name = attribute.type === 'uid' ? attribute.targetField : undefined
  const target = name === undefined ? undefined : attributes.get(name)
  return target !== undefined && textTypes.has(target.type)
    ? (target as ScalarAttribute)
    : undefined
}
