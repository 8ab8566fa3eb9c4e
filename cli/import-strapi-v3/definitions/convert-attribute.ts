import { checkAttributeName } from '../../../engine/schema/names.js'
import { createReport } from '../../../engine/schema/schema-error.js'
import { builtIn } from '../../../engine/schema/registry.js'
import { valueForms } from '../../../engine/values/value-forms.js'
import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import type { Notes } from '../../import-strapi/notes.js'
import { isOwner, otherEndOf, targetOf, type RelationEnd } from '../models/ends.js'
import { isMany, isPolymorphic, isReference, type Model } from '../models/model.js'

const scalarOptions = [
  'required',
  'unique',
  'private',
  'default',
  'min',
  'max',
  'minLength',
  'maxLength',
  'regex',
  'enum',
  'enumName',
  'targetField',
  'options',
] as const
const componentOptions = ['required', 'private', 'repeatable', 'component', 'min', 'max'] as const
const zoneOptions = ['required', 'private', 'components', 'min', 'max'] as const

/**
 * Converts an attribute to the format of Strapi 5. If Quire has no equivalent, reports the attribute and returns
 * undefined.
 */
export function convertAttribute(
  end: RelationEnd,
  models: readonly Model[],
  notes: Notes,
): PlainObject | undefined {
  const { model, name, attribute } = end
  const place = `${model.uid}.${name}`
  const isNamed = checkAttributeName(
    name,
    model.kind === 'component',
    createReport(
      (_path, message) => notes.leftOut(`attributes whose ${message}`, place),
      (_path, message) => notes.leftOut(`attributes: ${message}`, place),
    ),
  )
  if (!isNamed) return undefined
  if (isReference(attribute)) return convertReference(end, models, notes)
  const type = attribute.type
  const options = optionsOf(type)
  if (options !== undefined)
    return { type, ...picked(attribute, options), ...localization(attribute) }
  notes.leftOut(
    `attributes of a type that Quire does not have (${String(type).slice(0, 100)})`,
    place,
  )
  return undefined
}

function optionsOf(type: unknown): readonly string[] | undefined {
  if (type === 'component') return componentOptions
  if (type === 'dynamiczone') return zoneOptions
  return Object.hasOwn(valueForms, String(type)) ? scalarOptions : undefined
}

function convertReference(
  end: RelationEnd,
  models: readonly Model[],
  notes: Notes,
): PlainObject | undefined {
  const { model, attribute } = end
  const many = isMany(attribute)
  const shared = picked(attribute, ['required', 'private'])
  if (isPolymorphic(attribute))
    return { type: 'relation', relation: many ? 'morphToMany' : 'morphToOne', ...shared }
  const target = targetOf(attribute, models)
  if (target === undefined) {
    const name = String(attribute.model ?? attribute.collection).slice(0, 100)
    notes.leftOut(`relations to "${name}", which does not exist`, `${model.uid}.${end.name}`)
    return undefined
  }
  if (target.uid === builtIn.file)
    return {
      type: 'media',
      multiple: many,
      ...shared,
      ...picked(attribute, ['allowedTypes']),
      ...localization(attribute),
    }
  const other = otherEndOf(end, models)
  return {
    type: 'relation',
    ...shared,
    ...(other === undefined ? oneSided(many, target) : twoSided(end, other)),
  }
}

/** Returns a relation without an inverse side. Connecting a target does not disconnect it from other entries. */
const oneSided = (many: boolean, { uid }: Model): PlainObject => ({
  relation: many ? 'oneToMany' : 'oneToOne',
  target: uid,
})

function twoSided(end: RelationEnd, other: RelationEnd): PlainObject {
  const [isManyHere, isManyThere] = [isMany(end.attribute), isMany(other.attribute)]
  const target = other.model.uid
  if (isPolymorphic(other.attribute))
    return { relation: isManyHere ? 'morphMany' : 'morphOne', target, morphBy: other.name }
  return {
    relation: `${isManyThere ? 'many' : 'one'}To${isManyHere ? 'Many' : 'One'}`,
    target,
    [isOwner(end, other) ? 'inversedBy' : 'mappedBy']: other.name,
  }
}

const picked = (raw: PlainObject, keys: readonly string[]): PlainObject =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = Object.hasOwn(raw, key) ? raw[key] : undefined
      return value === undefined || value === null ? [] : [[key, value]]
    }),
  )

/** Returns the `i18n` option, which gives the attribute a separate value in each locale of a localized type. */
function localization(attribute: PlainObject): PlainObject {
  const { i18n } = objectOf(attribute.pluginOptions)
  return isObject(i18n) ? { pluginOptions: { i18n } } : {}
}
