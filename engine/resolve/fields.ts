import type { RawFields } from '../parse/raw-query.js'
import { isReadable, isScalar } from '../schema/attribute.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import {
  componentIdAttribute,
  leadingAttributes,
  trailingAttributes,
} from '../schema/system-attributes.js'
import type { Ground } from './attributes.js'
import { findAttribute, readableNames, readableScalars, structureOf } from './attributes.js'
import { refusedName, unknownName } from './keys.js'
import type { Selection } from './query.js'

/**
 * The scalars that are shown: all readable ones, or those that `fields` names; `id` and `documentId`
 * always. Throws a 400 for a name that is not a readable scalar.
 */
export function resolveFields(
  ground: Ground,
  raw: RawFields = '*',
  param = 'fields',
): Omit<Selection, 'populated'> {
  const isType = ground.kind === 'type'
  const mayBeNamed = ({ name }: ScalarAttribute): boolean =>
    !isType || ground.only?.has(name) !== false
  const own = readableScalars(structureOf(ground)).filter(mayBeNamed)
  const leading = isType ? leadingAttributes : [componentIdAttribute]
  const trailing = isType ? trailingAttributes(ground.type).filter(mayBeNamed) : []
  if (raw === '*') return { leading, fields: own, trailing }
  for (const name of raw) {
    const attribute = findAttribute(ground, name)
    if (attribute === undefined) {
      if (name === 'createdBy' || name === 'updatedBy') throw refusedName(name, [], param)
      throw unknownName(name, [], param, readableNames(ground))
    }
    if (!isScalar(attribute) || !isReadable(attribute)) throw refusedName(name, [], param)
  }
  const names = new Set(raw)
  const named = ({ name }: ScalarAttribute): boolean => names.has(name)
  return { leading, fields: own.filter(named), trailing: trailing.filter(named) }
}
