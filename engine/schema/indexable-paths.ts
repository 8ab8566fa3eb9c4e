import { isScalar, isStored, type ScalarAttribute } from './attribute.js'
import type { ContentType, Structure } from './content-type.js'
import { isReferring } from './edge-attribute.js'
import type { Registry } from './registry.js'
import { systemAttribute } from './system-attributes.js'
import { unorderedTypes } from '../values/scalar-type.js'

/**
 * Whether these stored paths can be indexed together without ever rejecting a write. MongoDB allows one list per entry
 * in an index, and any reference may become a list when its definition changes.
 */
export function isIndexable(
  paths: readonly string[],
  type: ContentType,
  { components }: Pick<Registry, 'components'>,
): boolean {
  const kinds = paths.map((path) => kindOf(path.split('.'), type))
  return (
    kinds.every((kind) => kind !== undefined) &&
    kinds.filter((kind) => kind === 'reference').length <= 1
  )

  function kindOf(
    [field = '', ...rest]: readonly string[],
    structure: Structure,
  ): Kind | undefined {
    if (structure === type && rest.length === 0 && isSystem(field, type)) return 'value'
    const attribute = [...structure.attributes.values()].find(({ storedAs }) => storedAs === field)
    if (attribute === undefined) return undefined
    if (isScalar(attribute)) return rest.length === 0 && isIndexed(attribute) ? 'value' : undefined
    if (isReferring(attribute) && isStored(attribute))
      return rest.join('.') === 'documentId' ? 'reference' : undefined
    if (attribute.type !== 'component' || attribute.repeatable) return undefined
    const component = components.get(attribute.component)
    return component === undefined ? undefined : kindOf(rest, component)
  }
}

type Kind = 'value' | 'reference'

const isSystem = (field: string, type: ContentType): boolean =>
  field === '_id' || (field !== 'id' && systemAttribute(type, field)?.storedAs === field)

/** Rich texts are too long for an index. */
const isIndexed = ({ type }: ScalarAttribute): boolean =>
  type !== 'richtext' && !unorderedTypes.has(type)
