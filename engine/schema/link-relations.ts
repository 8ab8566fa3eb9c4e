import type { RelationAttribute, RelationKind } from './attribute.js'
import type { ContentType, Structure } from './content-type.js'
import { morphByFault } from './link-morph.js'
import { member } from './read-options.js'
import { isObject } from '../values/is-object.js'
import type { Report } from './schema-error.js'
import { didYouMean } from '../errors/nearest-name.js'

/** What the other end of a two-sided relation must be; of polymorphic ones see `morphByFault`. */
const opposite: Readonly<Record<RelationKind, RelationKind>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

/** Checks that the relations of a type or component lead somewhere, and that two-sided ones agree with their other end. */
export function linkRelations(
  structure: Structure,
  contentTypes: ReadonlyMap<string, ContentType>,
  report: Report,
): void {
  for (const attribute of structure.attributes.values()) {
    if (attribute.type !== 'relation') continue
    const path = `attributes.${attribute.name}`
    const target = contentTypes.get(attribute.target)
    if (target === undefined) {
      const near = didYouMean(attribute.target, contentTypes.keys())
      report(`${path}.target`, `there is no content-type "${attribute.target}"${near}`)
    } else if (attribute.referredAs !== undefined) {
      const fault = morphByFault(attribute, target)
      if (fault !== undefined) report(`${path}.morphBy`, fault)
    } else if (attribute.counterpart !== undefined) {
      const fault = counterpartFault(structure, attribute, attribute.counterpart, target)
      const key = attribute.owner ? 'inversedBy' : 'mappedBy'
      if (fault !== undefined) report(`${path}.${key}`, fault)
    }
  }
}

function counterpartFault(
  structure: Structure,
  near: RelationAttribute,
  name: string,
  target: ContentType,
): string | undefined {
  const far = target.attributes.get(name)
  const place = `"${name}" of ${target.uid}`
  if (far === undefined) {
    // One that is there but could not be read has a problem of its own.
    if (isDefined(target, name)) return undefined
    return `there is no attribute ${place}${didYouMean(name, target.attributes.keys())}`
  }
  if (far.type !== 'relation') return `${place} is not a relation`
  if (far.target !== structure.uid) return `${place} does not point back: it leads to ${far.target}`
  if (far.counterpart === undefined)
    return `${place} is one-sided: it needs ${near.owner ? 'mappedBy' : 'inversedBy'} "${near.name}"`
  if (far.counterpart !== near.name)
    return `${place} does not point back: its other end is "${far.counterpart}"`
  if (far.owner === near.owner)
    return near.owner
      ? `${place} has inversedBy too: one of the two sides has mappedBy`
      : `${place} has mappedBy too: one of the two sides has inversedBy, and stores the relation`
  const expected = oppositeOf(near.relation)
  if (far.relation !== expected)
    return `${place} is ${far.relation}; the other end of ${near.relation} is ${expected}`
  return undefined
}

const oppositeOf = (kind: RelationAttribute['relation']): string | undefined =>
  kind === 'morphOne' || kind === 'morphMany' ? undefined : opposite[kind]

function isDefined(type: ContentType, name: string): boolean {
  const attributes = member(type.definition, 'attributes')
  return isObject(attributes) && Object.hasOwn(attributes, name)
}
