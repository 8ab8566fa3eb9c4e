import { compareDecimals } from '../../values/decimal.js'
import {
  isScalar,
  maxLengthOf,
  type Attribute,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  type ScalarAttribute,
} from '../attribute.js'

/** An option that limits values, or the number of items in a list. */
type BoundName = 'min' | 'max' | 'minLength' | 'maxLength' | 'regex'
type BoundedAttribute = ScalarAttribute | ComponentAttribute | DynamicZoneAttribute

export type StricterBound = Readonly<{
  kind: BoundName
  bound: number | string
  attribute: BoundedAttribute
}>

/**
 * Returns the options that allow fewer values than before. Always includes a changed `regex`, because it may allow
 * fewer values.
 */
export function stricterBounds(now: Attribute, old: Attribute): readonly StricterBound[] {
  if (!isBounded(now)) return []
  const [bounds, previous] = [boundsOf(now), isBounded(old) ? boundsOf(old) : {}]
  return Object.entries(bounds).flatMap(([name, bound]) => {
    const kind = name as BoundName
    return bound !== undefined && isStricter(kind, bound, previous[kind])
      ? [{ kind, bound, attribute: now }]
      : []
  })
}

const isBounded = (attribute: Attribute): attribute is BoundedAttribute =>
  (isScalar(attribute) && attribute.type !== 'password') ||
  attribute.type === 'component' ||
  attribute.type === 'dynamiczone'

type Bounds = Partial<Record<BoundName, string | number | undefined>>

function boundsOf(attribute: BoundedAttribute): Bounds {
  const { min, max } = attribute
  if (!isScalar(attribute)) return { min, max }
  const { minLength, regex } = attribute
  const maxLength = maxLengthOf(attribute)
  return { min, max, minLength, ...(maxLength < Infinity && { maxLength }), regex }
}

function isStricter(kind: BoundName, now: string | number, old: string | number | undefined) {
  if (old === undefined || kind === 'regex') return now !== old
  const order = compareDecimals(String(now), String(old))
  return kind === 'min' || kind === 'minLength' ? order > 0 : order < 0
}
