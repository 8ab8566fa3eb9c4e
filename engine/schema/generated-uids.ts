import { memoize } from '../values/memoize.js'
import { textTypes } from '../values/scalar-type.js'
import type { Attribute, ScalarAttribute } from './attribute.js'
import { attributesIn } from './attributes-in.js'
import type { Structure } from './content-type.js'
import type { Registry } from './registry.js'

/** A uid attribute, and the text attribute from which its value is generated. */
export type GeneratedUid = Readonly<{ attribute: ScalarAttribute; target: ScalarAttribute }>

/** Returns the uid attributes whose values can be generated, because `targetField` names a text attribute. */
export const generatedUids = memoize(({ attributes }: Structure): readonly GeneratedUid[] =>
  [...attributes.values()].flatMap((attribute) => {
    const target = targetOf(attribute, attributes)
    return target === undefined ? [] : { attribute: attribute as ScalarAttribute, target }
  }),
)

/** Whether a create request may omit the attribute because its value is generated. */
export const isGenerated = (attribute: Attribute): boolean =>
  attribute.type === 'uid' && attribute.targetField !== undefined

/** By content-type: the stored paths of generated uids inside components, such as `sections.slug`. */
export const innerUids = memoize(
  (registry: Registry) =>
    new Map(
      [...registry.contentTypes.values()].map((type) => [type.uid, innerPaths(type, registry)]),
    ),
)

type InnerPaths = ReadonlyMap<Attribute, readonly string[]>

function innerPaths(type: Structure, registry: Registry): InnerPaths {
  const paths = new Map<Attribute, string[]>()
  for (const { segments, attribute } of attributesIn(type, registry)) {
    if (segments.length === 0 || !isGenerated(attribute)) continue
    const path = [...segments.map(({ field }) => field), attribute.storedAs].join('.')
    paths.set(attribute, [...(paths.get(attribute) ?? []), path])
  }
  return paths
}

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
