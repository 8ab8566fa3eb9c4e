import { isStored, type Attribute, type ScalarAttribute } from '../../../engine/schema/attribute.js'
import type { Structure } from '../../../engine/schema/content-type.js'
import { isMany } from '../../../engine/schema/edge-attribute.js'
import { mapComponents } from '../../../engine/schema/members-in.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { objectOf } from '../../../engine/values/is-object.js'
import type { Fields, Reference } from '../../../engine/values/stored-types.js'
import { emptyOf, isList } from '../../../engine/write/change/store-structure.js'
import { keyOf, uidOf, type ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'
import { componentIdOf } from './owners-in.js'
import { isMoment } from '../../../engine/values/now.js'
import { jsonTypes, numberTypes } from '../../../engine/values/scalar-type.js'
import { toBson } from '../../../engine/values/to-bson.js'
import { valueForms } from '../../../engine/values/value-forms.js'
import { checkJson } from '../../../engine/write/body/read-body.js'

type ConvertContext = Readonly<{
  registry: Registry
  notes: Notes
  /** The references in their stored order. */
  referencesOf: (owner: string, field: string) => readonly Reference[]
  /** Converts a component id of Strapi to Quire's. */
  componentIdOf: (uid: string, id: number) => number
}>

/** Converts the attributes of a Strapi row to an entry with field names of the database. */
export function convertRow(
  structure: Structure,
  data: ExportedEntity['data'],
  id: number,
  context: ConvertContext,
): Fields {
  const fields: Record<string, unknown> = {}
  for (const attribute of structure.attributes.values())
    if (isStored(attribute))
      fields[attribute.storedAs] = convertValue(
        attribute,
        data[attribute.name],
        keyOf(structure.uid, id),
        context,
      )
  return fields
}

function convertValue(
  attribute: Attribute,
  value: unknown,
  owner: string,
  context: ConvertContext,
): unknown {
  switch (attribute.type) {
    case 'component':
    case 'dynamiczone':
      return convertComponents(attribute, value, owner, context)
    case 'relation':
    case 'media':
    case 'morph': {
      const references = context.referencesOf(owner, attribute.name)
      return isMany(attribute) ? references : (references.at(-1) ?? null)
    }
    default:
      return convertScalar(attribute.type, value, (reason) => {
        const place = `${uidOf(owner)}.${attribute.name}`
        context.notes.leftOut(`values of ${place}: a value ${reason}`, owner)
        return null
      })
  }
}

function convertComponents(
  attribute: Extract<Attribute, { type: 'component' | 'dynamiczone' }>,
  value: unknown,
  owner: string,
  context: ConvertContext,
): unknown {
  if (value === null || value === undefined) return emptyOf(attribute)
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  const given = isList(attribute) ? all : all[0]
  const made = mapComponents(attribute, given, context.registry, (component, item) => {
    const id = componentIdOf(item)
    // A plugin left this component behind, or the JSON was edited by hand.
    if (id === undefined) {
      context.notes.leftOut(`components of ${component.uid} without an id`, owner)
      return {}
    }
    const fields = convertRow(component, item, id, context)
    return { id: context.componentIdOf(component.uid, id), ...fields }
  })
  if (!Array.isArray(given)) return hasId(made) ? made : null
  const kept = (made as readonly unknown[]).filter(hasId)
  if (kept.length < given.length)
    context.notes.leftOut(`components that ${uidOf(owner)}.${attribute.name} does not allow`, owner)
  return kept
}

const hasId = (item: unknown): boolean => objectOf(item).id !== undefined

/**
 * Converts a value to its stored form (docs/internals/storage.md, "An entry version"). Does not apply validation rules,
 * because values may be older than the rules.
 * @param leaveOut called with the reason if the value does not fit the attribute's type; returns null
 */
function convertScalar(
  type: ScalarAttribute['type'],
  value: unknown,
  leaveOut: (reason: string) => null,
): unknown {
  if (value === null || value === undefined) return null
  // SQLite and MySQL store booleans as numbers.
  const given = type === 'boolean' && typeof value === 'number' ? value !== 0 : value
  if (type === 'boolean' || numberTypes.has(type) || isMoment(type)) {
    const reading = valueForms[type].parse?.(given)
    return reading === undefined || reading.as === 'nothing'
      ? leaveOut(`is not ${valueForms[type].expected}`)
      : toBson(reading)
  }
  if (jsonTypes.has(type)) {
    if (type !== 'json' && !Array.isArray(value)) return leaveOut('is not a list')
    try {
      checkJson(value, '', 1)
      return value
    } catch (error) {
      return leaveOut(`is JSON that cannot be stored: ${(error as Error).message}`)
    }
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : leaveOut('is not a text')
}
