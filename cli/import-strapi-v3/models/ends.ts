import type { PlainObject } from '../../../engine/values/is-object.js'
import { isMany, isPolymorphic, isReference, type Model } from './model.js'

/** An attribute that is one side of a relation. */
export type RelationEnd = Readonly<{ model: Model; name: string; attribute: PlainObject }>

/**
 * Returns the model that an attribute refers to. Returns undefined if Quire does not have this model, or if the
 * attribute may refer to any model.
 */
export function targetOf(attribute: PlainObject, models: readonly Model[]): Model | undefined {
  const name = attribute.model ?? attribute.collection
  if (typeof name !== 'string') return undefined
  const wanted = name.toLowerCase()
  const plugin = attribute.plugin
  return models.find(
    (model) =>
      model.kind === 'content-type' &&
      model.name === wanted &&
      (model.plugin === plugin || (plugin === '' && model.plugin === undefined)),
  )
}

/**
 * Returns the inverse side of a relation: the attribute that this side names in `via`, or that names this side in its
 * own `via`.
 */
export function otherEndOf(
  { model, name, attribute }: RelationEnd,
  models: readonly Model[],
): RelationEnd | undefined {
  const target = targetOf(attribute, models)
  if (target === undefined || model.kind === 'component') return undefined
  const via = attribute.via
  const isOther = (otherName: string, other: PlainObject): boolean => {
    if (!isReference(other) || (target === model && otherName === name)) return false
    const leadsBack = isPolymorphic(other) || targetOf(other, models) === model
    const isNamed = typeof via !== 'string' || via === otherName
    const namesThis = other.via === name || (other.via === undefined && via === otherName)
    return leadsBack && isNamed && namesThis
  }
  const found = Object.entries(target.attributes).find(([other, given]) => isOther(other, given))
  return found === undefined ? undefined : { model: target, name: found[0], attribute: found[1] }
}

/** Whether this side of a two-sided relation stores the references. Quire stores them on the same side as Strapi 3. */
export function isOwner(end: RelationEnd, other: RelationEnd): boolean {
  if (isPolymorphic(other.attribute)) return false
  const isManyHere = isMany(end.attribute)
  const isManyThere = isMany(other.attribute)
  if (isManyHere !== isManyThere) return !isManyHere
  const [here, there] = [end, other].map(({ attribute }) => attribute.dominant === true)
  if (here !== there) return here === true
  return placeOf(end) < placeOf(other)
}

const placeOf = ({ model, name }: RelationEnd): string => `${model.uid} ${name}`
