import { isScalar } from '../../engine/schema/attribute.js'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import type { Registry } from '../../engine/schema/registry.js'

/**
 * Patterns that cannot be told in time linear in the text, a sentence each. They are no mistake: a thread of its own
 * is there for them, with a time limit.
 */
export function backtrackingPatterns(
  definitions: readonly SourcedDefinition[],
  { contentTypes, components }: Registry,
): readonly string[] {
  return definitions.flatMap(({ uid, source }) =>
    [...((contentTypes.get(uid) ?? components.get(uid))?.attributes.values() ?? [])].flatMap(
      (attribute) => {
        const obstacle = isScalar(attribute) ? attribute.pattern?.obstacle : undefined
        const path = `attributes.${attribute.name}.regex`
        return obstacle === undefined ? [] : [`${source}: ${path} ${obstacle}, ${consequence}`]
      },
    ),
  )
}

const consequence =
  'so matching may take long: it is done in a thread of its own, and a text for which it takes longer than a second is refused'
